# SPDX-License-Identifier: BSD-2-Clause
claim: push x pushes parm2, parm1 and the code of the last exception, code on top, or three zeros
spec: dprobes.lang(8) "push x"; decisions.txt C100, C101, C102
covers: push x
---
case: none yet
rpn: push 9; push x; log 4
record: 0 0 exit {w:0}{w:0}{w:0}{w:9}
---
case: after one
rpn: sx h; push 0x2000; push mem, u8; exit; h: ros 3; push x; log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: remembered after the handler and across calls
rpn: call p; push x; log 3
procs: |
  proc p
  sx h
  push 0x2000
  push mem, u8
  h: ret
  endproc
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: the last of two
rpn: sx h; push 0x2000; push mem, u8; exit; h: sx g; push 1; push 0; div; exit; g: push x; log 3
record: 0 0 exit {w:0x20}{w:0}{w:0}
---
case: a masked exception does not become the last one
header: logmax = 13
word: 32
rpn: sx h; push 1; push 0; div; exit; h: ros 3; push 1; dup 9; log 4; push 0; pop lp; push x; log 3
record: 0 0 exit {w:0x20}{w:0}{w:0}
---
case: a user exception
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x8000; sx h; rx; exit; h: ros 3; push x; log 3
record: 0 0 exit {w:0x8000}{w:2}{w:3}
