# SPDX-License-Identifier: BSD-2-Clause
claim: pop gv sets a variable to the popped value; in the stack form the value is TOS and the index below it
spec: dprobes.lang(8) "pop gv"; RPN.md 5
covers: pop gv, n; pop gv (stack)
---
case: immediate
header: gvars = 2
rpn: push 5; pop gv, 1; push gv, 1; push gv, 0; log 2
record: 0 0 exit {w:0}{w:5}
---
case: stack
header: gvars = 2
rpn: push 1; push 5; pop gv; push gv, 1; push gv, 0; log 2
record: 0 0 exit {w:0}{w:5}
---
case: stack form pops two
header: gvars = 2
rpn: push 7; push 1; push 5; pop gv; log 1
record: 0 0 exit {w:7}
---
case: immediate form pops one
header: gvars = 2
rpn: push 7; push 5; pop gv, 1; log 1
record: 0 0 exit {w:7}
---
case: a full word
header: gvars = 1
rpn: push -2; pop gv, 0; push gv, 0; log 1
record: 0 0 exit {w:-2}
