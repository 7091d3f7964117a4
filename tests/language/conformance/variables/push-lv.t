# SPDX-License-Identifier: BSD-2-Clause
claim: push lv pushes a variable, chosen by an immediate index or by TOS
spec: dprobes.lang(8) "push lv, <index>", "push lv"; RPN.md 5
covers: push lv, n; push lv (stack)
---
case: zero at first
header: vars = 1
rpn: push lv, 0; log 1
record: 0 0 exit {w:0}
---
case: first and last, immediate
header: vars = 3
rpn: push 10; pop lv, 0; push 12; pop lv, 2; push lv, 0; push lv, 2; push lv, 1; log 3
record: 0 0 exit {w:0}{w:12}{w:10}
---
case: first and last, from the stack
header: vars = 3
rpn: push 10; pop lv, 0; push 12; pop lv, 2; push 0; push lv; push 2; push lv; log 2
record: 0 0 exit {w:12}{w:10}
---
case: the index is popped
header: vars = 1
rpn: push 7; push 0; push lv; log 2
record: 0 0 exit {w:0}{w:7}
---
case: hexadecimal index
header: vars = 0x11
rpn: push 5; pop lv, 0x10; push lv, 16; log 1
record: 0 0 exit {w:5}
