# SPDX-License-Identifier: BSD-2-Clause
claim: ladd adds pairs, modulo 2^64
spec: RPN.md 5.8
covers: ladd
---
case: with a carry, le
word: 32
endian: little
rpn: push 0; push 4294967295; push 0; push 1; ladd; log 2
record: 0 0 exit {w:0}{w:1}
---
case: wraps, le
word: 32
endian: little
rpn: push 4294967295; push 4294967295; push 0; push 2; ladd; log 2
record: 0 0 exit {w:1}{w:0}
---
case: with a carry, be
word: 32
endian: big
rpn: push 4294967295; push 0; push 1; push 0; ladd; log 2
record: 0 0 exit {w:1}{w:0}
---
case: wraps, be
word: 32
endian: big
rpn: push 4294967295; push 4294967295; push 2; push 0; ladd; log 2
record: 0 0 exit {w:0}{w:1}
---
case: with a carry, 64
word: 64
rpn: push 4294967295; push 1; ladd; log 1
record: 0 0 exit {w:4294967296}
---
case: wraps, 64
word: 64
rpn: push 18446744073709551615; push 2; ladd; log 1
record: 0 0 exit {w:1}
