# SPDX-License-Identifier: BSD-2-Clause
claim: push gv pushes a variable, chosen by an immediate index or by TOS
spec: dprobes.lang(8) "push gv, <index>", "push gv"; RPN.md 5
covers: push gv, n; push gv (stack)
---
case: zero at first
header: gvars = 1
rpn: push gv, 0; log 1
record: 0 0 exit {w:0}
---
case: first and last, immediate
header: gvars = 3
rpn: push 10; pop gv, 0; push 12; pop gv, 2; push gv, 0; push gv, 2; push gv, 1; log 3
record: 0 0 exit {w:0}{w:12}{w:10}
---
case: first and last, from the stack
header: gvars = 3
rpn: push 10; pop gv, 0; push 12; pop gv, 2; push 0; push gv; push 2; push gv; log 2
record: 0 0 exit {w:12}{w:10}
---
case: the index is popped
header: gvars = 1
rpn: push 7; push 0; push gv; log 2
record: 0 0 exit {w:0}{w:7}
---
case: hexadecimal index
header: gvars = 0x11
rpn: push 5; pop gv, 0x10; push gv, 16; log 1
record: 0 0 exit {w:5}
