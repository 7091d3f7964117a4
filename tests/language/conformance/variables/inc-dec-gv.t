# SPDX-License-Identifier: BSD-2-Clause
claim: inc gv and dec gv change a variable by one and wrap
spec: dprobes.lang(8) "inc gv", "dec gv"; RPN.md 5
covers: inc gv, n; inc gv (stack); dec gv, n; dec gv (stack)
---
case: inc, immediate
header: gvars = 2
rpn: inc gv, 1; inc gv, 1; push gv, 0; push gv, 1; log 2
record: 0 0 exit {w:2}{w:0}
---
case: inc, stack
header: gvars = 2
rpn: push 7; push 1; inc gv; push gv, 1; log 2
record: 0 0 exit {w:1}{w:7}
---
case: dec, immediate
header: gvars = 2
rpn: push 5; pop gv, 1; dec gv, 1; push gv, 1; log 1
record: 0 0 exit {w:4}
---
case: dec, stack
header: gvars = 2
rpn: push 5; pop gv, 1; push 7; push 1; dec gv; push gv, 1; log 2
record: 0 0 exit {w:4}{w:7}
---
case: dec below zero wraps to all ones
header: gvars = 1
rpn: dec gv, 0; push gv, 0; log 1
record: 0 0 exit {w:-1}
---
case: inc of all ones wraps to zero
header: gvars = 1
rpn: push -1; pop gv, 0; push 0; inc gv; push gv, 0; log 1
record: 0 0 exit {w:0}
