# SPDX-License-Identifier: BSD-2-Clause
claim: pop tsp, n stores the popped value in the slot n below the top as it was before the pop; the stack form counts after both pops
spec: dprobes.lang(8) "pop tsp"; RPN.md 5
covers: pop tsp, n; pop tsp (stack)
---
case: immediate 2
rpn: push 1; push 2; push 3; pop tsp, 2; log 2
record: 0 0 exit {w:2}{w:3}
---
case: immediate 1
rpn: push 1; push 2; push 3; pop tsp, 1; log 2
record: 0 0 exit {w:3}{w:1}
---
case: immediate 0 is a plain pop
rpn: push 1; push 2; push 3; pop tsp, 0; log 2
record: 0 0 exit {w:2}{w:1}
---
case: stack 0: the value replaces the top below n
rpn: push 1; push 2; push 0; push 9; pop tsp; log 2
record: 0 0 exit {w:9}{w:1}
---
case: stack 1
rpn: push 1; push 2; push 1; push 9; pop tsp; log 2
record: 0 0 exit {w:2}{w:9}
---
case: stack, negative: into the free part
rpn: push 1; push -1; push 9; pop tsp; push tsp, -1; log 2
record: 0 0 exit {w:9}{w:1}
