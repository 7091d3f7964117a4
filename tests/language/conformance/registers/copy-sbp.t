# SPDX-License-Identifier: BSD-2-Clause
claim: copy sbp stores TOS in slot sbp+n and leaves it on the stack; in the stack form n is on top and is popped
spec: dprobes.lang(8) "copy sbp"; RPN.md 5
covers: copy sbp, n; copy sbp (stack)
---
case: immediate
rpn: push 1; push 2; push 9; copy sbp, -1; log 3
record: 0 0 exit {w:9}{w:2}{w:9}
---
case: stack
rpn: push 1; push 2; push 9; push -2; copy sbp; log 3
record: 0 0 exit {w:9}{w:9}{w:1}
