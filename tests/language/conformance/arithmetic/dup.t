# SPDX-License-Identifier: BSD-2-Clause
claim: dup n pushes TOS n times; dup from the stack pops value (TOS) and count and pushes the value count+1 times
spec: dprobes.lang(8) "dup"; RPN.md 5, C76, C77
covers: dup n; dup (stack)
---
case: immediate 2
rpn: push 9; push 5; dup 2; log 4
record: 0 0 exit {w:5}{w:5}{w:5}{w:9}
---
case: immediate 0
rpn: push 9; push 5; dup 0; log 2
record: 0 0 exit {w:5}{w:9}
---
case: stack 2
rpn: push 9; push 2; push 5; dup; log 4
record: 0 0 exit {w:5}{w:5}{w:5}{w:9}
---
case: stack 0 leaves one
rpn: push 9; push 0; push 5; dup; log 2
record: 0 0 exit {w:5}{w:9}
---
case: immediate 255
rpn: push 9; push 5; dup 255; ros 255; ros 1; log 1
record: 0 0 exit {w:9}
---
case: stack 300 is not cut to a byte
rpn: push 9; push 300; push 5; dup; ros 255; ros 46; log 1
record: 0 0 exit {w:9}
