# SPDX-License-Identifier: BSD-2-Clause
claim: a sum has two words: the low one is the first, the high one on top
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: add map, n
---
case: signed
header: map = sum 1 4 signed
rpn: push 1; push 5; add map, 0; push 1; push -7; add map, 0; push 1; push map, 0; log 2
record: 0 0 exit {w:-1}{w:-2}
---
case: unsigned: the sum carries
header: map = sum 0 1
rpn: push -1; add map, 0; push 2; add map, 0; push map, 0; log 2
record: 0 0 exit {w:1}{w:1}
---
case: a pair, little-endian
word: 32
endian: little
header: map = sum 0 1 wide
rpn: push 3; push 4; add map, 0; push map, 0; log 2
record: 0 0 exit {w:3}{w:4}
---
case: a pair, big-endian: the lower address, on top, is the high half
word: 32
endian: big
header: map = sum 0 1 wide
rpn: push 3; push 4; add map, 0; push map, 0; log 2
record: 0 0 exit {w:4}{w:3}
