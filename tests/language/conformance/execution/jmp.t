# SPDX-License-Identifier: BSD-2-Clause
claim: jmp transfers control to its label, forwards and backwards
spec: dprobes.lang(8) "jmp"; RPN.md 5
covers: jmp L
---
case: forward
rpn: push 1; jmp over; push 2; over: log 1
record: 0 0 exit {w:1}
---
case: backward
rpn: jmp b; a: push 7; log 1; exit; b: jmp a
record: 0 0 exit {w:7}
---
case: to the next instruction
rpn: push 3; jmp n; n: log 1
record: 0 0 exit {w:3}
