# SPDX-License-Identifier: BSD-2-Clause
claim: an instruction that logs pays a step for each word it moves; when it cannot, nothing of it is logged and the handler ends
spec: decisions.txt C29
covers: log n; log (stack); log lv; log gv; log str; log mrf; log st
# Each case first spends all but a few of the 4096 steps. What follows moves more words than are left.
---
case: log n
rpn: |
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 240
  log 20
record: 0 0 budget {w:1}
---
case: log with the count on the stack
rpn: |
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 240
  push 20
  log
record: 0 0 budget {w:1}
---
case: log lv
header: vars = 20
rpn: |
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 240
  push 0
  push 20
  log lv
record: 0 0 budget {w:1}
---
case: log gv
header: gvars = 20
rpn: |
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 240
  push 0
  push 20
  log gv
record: 0 0 budget {w:1}
---
case: log mrf
mem: 0x2000=6161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161
rpn: |
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 240
  push 200
  push 0x2000
  log mrf
record: 0 0 budget {w:1}
---
case: log str
mem: 0x2000=6161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161
rpn: |
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 240
  push 200
  push 0x2000
  log str
record: 0 0 budget {w:1}
---
case: log st
rpn: |
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 248
  log st
record: 0 0 budget {w:1}
---
case: ros
rpn: |
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 240
  ros 20
record: 0 0 budget {w:1}
---
case: autostacktrace: no handler sees the exception
header: autostacktrace = yes
rpn: |
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 248
  push 1
  push 0
  div
record: 0 0 budget {w:1}
---
case: in the middle of it, the handler that is set does not run
probe: excpt_mask = 0xffff
rpn: |
  sx h
  push 1
  log 1
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  ros 255
  dup 240
  log 20
  exit
  h: push 2
  log 1
record: 0 0 budget {w:1}
