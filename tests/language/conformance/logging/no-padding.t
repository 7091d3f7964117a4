# SPDX-License-Identifier: BSD-2-Clause
claim: fields of the log follow each other without padding, in the target's byte order
spec: decisions.txt C06
covers: log n; log (stack); log lv; log mrf; log str
---
case: words at odd places
mem: 0x2000=410042
header: vars = 1
rpn: push 1; push 0x2000; log mrf; push 0x01020304; log 1; push 9; push 0x2000; log str; push 0; push 1; log lv; push 5; push 1; log; push 1; push 0x2002; log mrf
record: 0 0 exit 00{h:1}41{w:0x01020304}01{h:1}4105{h:1}{w:0}07{h:1}{w:5}00{h:1}42
