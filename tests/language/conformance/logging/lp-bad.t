# SPDX-License-Identifier: BSD-2-Clause
claim: pop lp with a value above the current maximum raises INVALID_OPERAND(5, value)
spec: decisions.txt C58
covers: pop lp
raises: pop lp: INVALID_OPERAND
---
case: above logmax
rpn: sx h; push 1025; pop lp; exit; h: log 3
record: 0 0 exit {w:0x40}{w:5}{w:1025}
---
case: negative
rpn: sx h; push -1; pop lp; exit; h: log 3
record: 0 0 exit {w:0x40}{w:5}{w:-1}
---
case: above what has been logged
note: "current maximum" is taken to be what has been logged in this run, so that no unwritten byte can be sent
mem: 0x2000=41
rpn: sx h; push 1; push 0x2000; log mrf; push 5; pop lp; exit; h: log 3
record: 0 0 exit 00{h:1}41{w:0x40}{w:5}{w:5}
---
case: back and forth within what has been logged
note: "current maximum" is taken to be the highest value LP had in this run, so a step back can be undone
mem: 0x2000=41
rpn: push 1; push 0x2000; log mrf; push 0; pop lp; push 4; pop lp
record: 0 0 exit 00{h:1}41
---
case: not caught
mem: 0x2000=41
rpn: push 1; push 0x2000; log mrf; push 5000; pop lp; setmin 1
record: 0 0 exception 00{h:1}41
