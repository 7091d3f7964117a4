# SPDX-License-Identifier: BSD-2-Clause
claim: ros n drops n words
spec: dprobes.lang(8) "ros"; RPN.md 5, C77
covers: ros n
---
case: two
rpn: push 1; push 2; push 3; ros 2; log 1
record: 0 0 exit {w:1}
---
case: none
rpn: push 1; push 2; ros 0; log 2
record: 0 0 exit {w:2}{w:1}
---
case: 255
rpn: push 1; push 2; dup 254; ros 255; log 1
record: 0 0 exit {w:1}
