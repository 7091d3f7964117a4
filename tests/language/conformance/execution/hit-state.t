# SPDX-License-Identifier: BSD-2-Clause
claim: every run starts afresh: last exception, handler, base and log pointers, codes
spec: decisions.txt C110
covers: push x; push lp; push sbp, n
---
case: last exception
header: vars = 1
hits: 2
rpn: push x; log 3; sx h; push 1; push 0; div; h: exit
record: 0 0 exit {w:0}{w:0}{w:0}
record: 0 0 exit {w:0}{w:0}{w:0}
---
case: handler slot
header: vars = 1
hits: 2
rpn: inc lv, 0; push lv, 0; push 1; sub; jnz second; sx h; exit; second: push 1; push 0; div; h: push 5; log 1
record: 0 0 exit -
record: 0 0 exception -
---
case: no ghost exception at a later return
hits: 2
rpn: call p; push 2; log 1
procs: |
  proc p
  push 1
  log 1
  sx h
  push 1
  push 0
  div
  h: ret
  endproc
record: 0 0 exit {w:1}{w:2}
record: 0 0 exit {w:1}{w:2}
---
case: log pointers
hits: 2
mem: 0x2000=41
rpn: push lp; log 1; push 1; push 0x2000; log mrf
record: 0 0 exit {w:0}00{h:1}41
record: 0 0 exit {w:0}00{h:1}41
---
case: minor and major codes
header: vars = 1; major = 3
probe: minor = 4
hits: 2
rpn: inc lv, 0; push lv, 0; push 1; sub; jnz no; setmin 7; setmaj 8; no: exit
record: 8 7 exit -
record: 3 4 exit -
---
case: base pointer
hits: 2
rpn: push 5; save tsp; restore sbp; push 6; push sbp, 0; log 1; push 7
record: 0 0 exit {w:5}
record: 0 0 exit {w:5}
