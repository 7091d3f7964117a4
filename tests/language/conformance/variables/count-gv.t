# SPDX-License-Identifier: BSD-2-Clause
claim: up to 256 gvars can be had
spec: RPN.md 2, C67
covers: push gv, n; pop gv (stack)
---
case: the 256th
header: gvars = 256
rpn: push 255; push 9; pop gv; push gv, 255; log 1
record: 0 0 exit {w:9}
---
case: the 257th
header: gvars = 256
rpn: sx h; push 256; push gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:256}
