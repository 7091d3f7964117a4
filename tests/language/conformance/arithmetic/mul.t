# SPDX-License-Identifier: BSD-2-Clause
claim: mul replaces two words by the low word of their product
spec: dprobes.lang(8) "mul"
covers: mul
---
case: six times seven
rpn: push 6; push 7; mul; log 1
record: 0 0 exit {w:42}
---
case: the same for signed operands
rpn: push -3; push 5; mul; log 1
record: 0 0 exit {w:-15}
---
case: the high part is lost, 32-bit
word: 32
rpn: push 0x10001; push 0x10001; mul; log 1
record: 0 0 exit {w:0x20001}
---
case: 64-bit keeps it
word: 64
rpn: push 0x10001; push 0x10001; mul; log 1
record: 0 0 exit {w:0x100020001}
