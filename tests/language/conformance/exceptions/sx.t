# SPDX-License-Identifier: BSD-2-Clause
claim: after sx an exception transfers control to the label with code (TOS), parm1 and parm2 on the stack
spec: dprobes.lang(8) "sx <handler> / ux"; decisions.txt C101
covers: sx L
---
case: code on top, the stack below untouched
rpn: push 77; sx h; push 0x2000; push mem, u8; exit; h: log 4
record: 0 0 exit {w:1}{w:0x2000}{w:0}{w:77}
---
case: a handler further up
rpn: jmp s; h: push 5; log 1; exit; s: sx h; push 1; push 0; div
record: 0 0 exit {w:5}
---
case: no exception, no transfer
rpn: sx h; push 1; log 1; exit; h: push 2; log 1
record: 0 0 exit {w:1}
---
case: an exception before sx is not caught
rpn: push 1; push 0; div; sx h; exit; h: push 2; log 1
record: 0 0 exception -
---
case: the log made before is kept and may go on
rpn: sx h; push 1; log 1; push 1; push 0; div; exit; h: push 2; log 1
record: 0 0 exit {w:1}{w:2}
---
case: sx counts when it is executed, not where it stands
rpn: jmp over; sx h; over: push 1; push 0; div; exit; h: push 2; log 1
record: 0 0 exception -
---
case: leaving by a jump keeps the handler
rpn: sx h; jmp out; ux; out: push 1; push 0; div; exit; h: push 2; log 1
record: 0 0 exit {w:2}
