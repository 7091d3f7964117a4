# SPDX-License-Identifier: BSD-2-Clause
claim: up to 256 vars can be had
spec: RPN.md 2, C67
covers: push lv, n; pop lv (stack)
---
case: the 256th
header: vars = 256
rpn: push 255; push 9; pop lv; push lv, 255; log 1
record: 0 0 exit {w:9}
---
case: the 257th
header: vars = 256
rpn: sx h; push 256; push lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:256}
