# SPDX-License-Identifier: BSD-2-Clause
claim: inc lv and dec lv change a variable by one and wrap
spec: dprobes.lang(8) "inc lv", "dec lv"; RPN.md 5
covers: inc lv, n; inc lv (stack); dec lv, n; dec lv (stack)
---
case: inc, immediate
header: vars = 2
rpn: inc lv, 1; inc lv, 1; push lv, 0; push lv, 1; log 2
record: 0 0 exit {w:2}{w:0}
---
case: inc, stack
header: vars = 2
rpn: push 7; push 1; inc lv; push lv, 1; log 2
record: 0 0 exit {w:1}{w:7}
---
case: dec, immediate
header: vars = 2
rpn: push 5; pop lv, 1; dec lv, 1; push lv, 1; log 1
record: 0 0 exit {w:4}
---
case: dec, stack
header: vars = 2
rpn: push 5; pop lv, 1; push 7; push 1; dec lv; push lv, 1; log 2
record: 0 0 exit {w:4}{w:7}
---
case: dec below zero wraps to all ones
header: vars = 1
rpn: dec lv, 0; push lv, 0; log 1
record: 0 0 exit {w:-1}
---
case: inc of all ones wraps to zero
header: vars = 1
rpn: push -1; pop lv, 0; push 0; inc lv; push lv, 0; log 1
record: 0 0 exit {w:0}
