# SPDX-License-Identifier: BSD-2-Clause
claim: copy tsp stores TOS in the slot n below the top and leaves it; the stack form counts after n is popped
spec: dprobes.lang(8) "copy tsp"; RPN.md 5
covers: copy tsp, n; copy tsp (stack)
---
case: immediate 1
rpn: push 1; push 2; copy tsp, 1; log 2
record: 0 0 exit {w:2}{w:2}
---
case: immediate 2
rpn: push 1; push 2; push 3; copy tsp, 2; log 3
record: 0 0 exit {w:3}{w:2}{w:3}
---
case: immediate 0 changes nothing
rpn: push 1; push 2; copy tsp, 0; log 2
record: 0 0 exit {w:2}{w:1}
---
case: stack 1
rpn: push 1; push 2; push 1; copy tsp; log 2
record: 0 0 exit {w:2}{w:2}
---
case: stack 2
rpn: push 1; push 2; push 3; push 2; copy tsp; log 3
record: 0 0 exit {w:3}{w:2}{w:3}
