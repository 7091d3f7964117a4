# SPDX-License-Identifier: BSD-2-Clause
# proves: R2.33
claim: quantize: a number of n bits is in bucket n, its negative in -n
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: bucket n
---
case: around powers of two
header: map = powers signed
rpn: push 0; bucket 0; push 1; bucket 0; push 2; bucket 0; push 3; bucket 0; push 4; bucket 0; push -1; bucket 0; push -4; bucket 0; log 7
record: 0 0 exit {w:-3}{w:-1}{w:3}{w:2}{w:2}{w:1}{w:0}
---
case: unsigned words
word: 32
header: map = powers
rpn: push -1; bucket 0; push 0x80000000; bucket 0; push 0x7fffffff; bucket 0; log 3
record: 0 0 exit {w:31}{w:32}{w:32}
---
case: a pair
word: 32
endian: little
header: map = powers wide
rpn: push 1; push 0; bucket 0; push 77; log 2
record: 0 0 exit {w:77}{w:33}
