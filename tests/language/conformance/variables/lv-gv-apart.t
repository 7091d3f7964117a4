# SPDX-License-Identifier: BSD-2-Clause
claim: local and global variables are two arrays
spec: dprobes.lang(8) "Global Variable Group"; RPN.md 5
covers: push lv, n; push gv, n
---
case: same index
header: vars = 1; gvars = 1
rpn: push 1; pop lv, 0; push 2; pop gv, 0; push lv, 0; push gv, 0; log 2
record: 0 0 exit {w:2}{w:1}
---
case: counts apart
header: vars = 1; gvars = 2
rpn: sx h; push 1; push gv; log 1; push 1; push lv; exit; h: log 3
record: 0 0 exit {w:0}{w:0x40}{w:1}{w:1}
