# SPDX-License-Identifier: BSD-2-Clause
claim: PLP follows LP after a log instruction that succeeds and stays at its start if it fails
spec: dprobes.lang(8) "Previous Log Pointer"; decisions.txt C52, C59
covers: push plp
---
case: 0 at the start
rpn: push plp; log 1
record: 0 0 exit {w:0}
---
case: moved by a success
mem: 0x2000=41
rpn: push 1; push 0x2000; log mrf; push plp; log 1
record: 0 0 exit 00{h:1}41{w:4}
---
case: moved by log str
mem: 0x2000=4100
rpn: push 9; push 0x2000; log str; push plp; log 1
record: 0 0 exit 01{h:1}41{w:4}
---
case: moved by log n
word: 32
rpn: push 1; push 2; log 2; push plp; log 1
record: 0 0 exit {w:2}{w:1}{w:8}
---
case: moved by log with a count from the stack
word: 32
rpn: push 1; push 1; log; push plp; log 1
record: 0 0 exit 07{h:1}{w:1}{w:7}
---
case: moved by log lv
word: 32
header: vars = 1
rpn: push 0; push 1; log lv; push plp; log 1
record: 0 0 exit 05{h:1}{w:0}{w:7}
---
case: moved by log gv
word: 32
header: gvars = 1
rpn: push 0; push 1; log gv; push plp; log 1
record: 0 0 exit 06{h:1}{w:0}{w:7}
---
case: not moved by an overflow of log n
word: 32
header: logmax = 14
rpn: push 1; log 1; push 2; push 3; push 4; log 3; push plp; setmin
record: 0 4 exit {w:1}{w:4}{w:3}
---
case: not moved by an overflow of log mrf
header: logmax = 10
mem: 0x2000=4142434445464748494a
rpn: push 1; push 0x2000; log mrf; push 9; push 0x2000; log mrf; push plp; setmin
record: 0 4 exit 00{h:1}4100{h:3}414243
---
case: not moved by an overflow of log lv
word: 32
header: logmax = 10; vars = 2
rpn: push 0; push 2; log lv; push plp; setmin
record: 0 0 exit 05{h:1}{w:0}
---
case: not moved by a fault
word: 32
mem: 0x2000=41
rpn: sx h; push 1; push 0x2000; log mrf; push 9; push 0x2001; log mrf; exit; h: push plp; setmin
record: 0 4 exit 00{h:1}41ff{h:4}{w:0x2001}
---
case: not moved by log lv past the last variable
mem: 0x2000=41
header: vars = 1
rpn: sx h; push 1; push 0x2000; log mrf; push 0; push 2; log lv; exit; h: push plp; pop lp
record: 0 0 exit 00{h:1}41
