# SPDX-License-Identifier: BSD-2-Clause
claim: pop sbp stores the popped value in slot sbp+n; in the stack form the value is TOS and n below it
spec: dprobes.lang(8) "pop sbp"; RPN.md 5
covers: pop sbp, n; pop sbp (stack)
---
case: immediate
rpn: push 1; push 2; push 9; pop sbp, -1; log 2
record: 0 0 exit {w:2}{w:9}
---
case: stack
rpn: push 1; push 2; push -1; push 9; pop sbp; log 2
record: 0 0 exit {w:2}{w:9}
---
case: positive, immediate
rpn: push 1; push 2; save tsp; restore sbp; push 9; pop sbp, 1; log 2
record: 0 0 exit {w:2}{w:9}
---
case: positive, stack
rpn: push 1; push 2; save tsp; restore sbp; push 0; push 9; pop sbp; log 2
record: 0 0 exit {w:9}{w:1}
