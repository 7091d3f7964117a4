# SPDX-License-Identifier: BSD-2-Clause
claim: stddev keeps sum, number and the sum of the squares in four words
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: add map, n
---
case: small numbers
word: 32
header: map = stddev 0 1 signed
rpn: push -3; add map, 0; push 4; add map, 0; push map, 0; log 7
record: 0 0 exit {w:0}{w:0}{w:0}{w:25}{w:2}{w:0}{w:1}
---
case: squares of 128 bits: the square of -2^63, twice
word: 32
endian: little
header: map = stddev 0 1 signed wide
rpn: push 0x80000000; push 0; add map, 0; push 0x80000000; push 0; add map, 0; push map, 0; log 7
record: 0 0 exit {w:0x80000000}{w:0}{w:0}{w:0}{w:2}{w:0}{w:0}
