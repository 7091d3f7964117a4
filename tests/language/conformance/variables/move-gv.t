# SPDX-License-Identifier: BSD-2-Clause
claim: move gv sets a variable to TOS and leaves the value on the stack
spec: dprobes.lang(8) "move gv"; RPN.md 5
covers: move gv, n; move gv (stack)
---
case: immediate
header: gvars = 2
rpn: push 7; push 5; move gv, 1; push gv, 1; log 3
record: 0 0 exit {w:5}{w:5}{w:7}
---
case: stack, only the index is popped
header: gvars = 2
rpn: push 7; push 5; push 1; move gv; push gv, 1; log 3
record: 0 0 exit {w:5}{w:5}{w:7}
