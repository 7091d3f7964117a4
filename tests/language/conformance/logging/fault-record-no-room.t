# SPDX-License-Identifier: BSD-2-Clause
claim: where the fault record does not fit nothing is logged and INVALID_ADDR is raised all the same
spec: decisions.txt C47
covers: log mrf; log str; fault record
---
case: six bytes left, 32-bit, log mrf
word: 32
header: logmax = 6
rpn: push 2; push 0x2000; log mrf; setmin 1
record: 0 0 exception -
---
case: exactly seven bytes
word: 32
header: logmax = 7
rpn: push 2; push 0x2000; log mrf; setmin 1
record: 0 0 exception ff{h:4}{w:0x2000}
---
case: ten bytes left, 64-bit
word: 64
header: logmax = 10
rpn: push 2; push 0x2000; log mrf; setmin 1
record: 0 0 exception -
---
case: log str
word: 32
header: logmax = 6
rpn: push 2; push 0x2000; log str; setmin 1
record: 0 0 exception -
---
case: caught, with the true code
word: 32
header: logmax = 14; vars = 1
rpn: sx h; push 1; push 2; log 2; push 2; push 0x2000; log mrf; exit; h: push 0; pop lp; log 2
record: 0 0 exit {w:1}{w:0x2000}
