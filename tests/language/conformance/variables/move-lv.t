# SPDX-License-Identifier: BSD-2-Clause
claim: move lv sets a variable to TOS and leaves the value on the stack
spec: dprobes.lang(8) "move lv"; RPN.md 5
covers: move lv, n; move lv (stack)
---
case: immediate
header: vars = 2
rpn: push 7; push 5; move lv, 1; push lv, 1; log 3
record: 0 0 exit {w:5}{w:5}{w:7}
---
case: stack, only the index is popped
header: vars = 2
rpn: push 7; push 5; push 1; move lv; push lv, 1; log 3
record: 0 0 exit {w:5}{w:5}{w:7}
