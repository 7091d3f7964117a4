# SPDX-License-Identifier: BSD-2-Clause
claim: a variable is one stack word wide
spec: decisions.txt C05
covers: pop lv, n; pop gv, n; log lv
---
case: 64-bit
word: 64
header: vars = 1; gvars = 1
rpn: push 0x1122334455667788; pop lv, 0; push -2; pop gv, 0; push gv, 0; push lv, 0; log 2; push 0; push 1; log lv
record: 0 0 exit {w:0x1122334455667788}{w:-2}05{h:1}{w:0x1122334455667788}
---
case: inc carries through all 64 bits
word: 64
header: vars = 1
rpn: push 0xffffffff; pop lv, 0; inc lv, 0; push lv, 0; log 1
record: 0 0 exit {w:0x100000000}
---
case: 32-bit
word: 32
header: vars = 1
rpn: push 0xffffffff; pop lv, 0; inc lv, 0; push lv, 0; log 1
record: 0 0 exit {w:0}
