# SPDX-License-Identifier: BSD-2-Clause
claim: pop lv sets a variable to the popped value; in the stack form the value is TOS and the index below it
spec: dprobes.lang(8) "pop lv"; RPN.md 5
covers: pop lv, n; pop lv (stack)
---
case: immediate
header: vars = 2
rpn: push 5; pop lv, 1; push lv, 1; push lv, 0; log 2
record: 0 0 exit {w:0}{w:5}
---
case: stack
header: vars = 2
rpn: push 1; push 5; pop lv; push lv, 1; push lv, 0; log 2
record: 0 0 exit {w:0}{w:5}
---
case: stack form pops two
header: vars = 2
rpn: push 7; push 1; push 5; pop lv; log 1
record: 0 0 exit {w:7}
---
case: immediate form pops one
header: vars = 2
rpn: push 7; push 5; pop lv, 1; log 1
record: 0 0 exit {w:7}
---
case: a full word
header: vars = 1
rpn: push -2; pop lv, 0; push lv, 0; log 1
record: 0 0 exit {w:-2}
