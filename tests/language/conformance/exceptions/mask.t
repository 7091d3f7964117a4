# SPDX-License-Identifier: BSD-2-Clause
claim: a bit of excpt_mask that is 1 lets the exception be generated; the default is 0x0fff
spec: dprobes.lang(8) "Masking/Unmasking Exceptions"; decisions.txt C94, C95
covers: excpt_mask
---
case: default, LOG_OVERFLOW is masked
header: logmax = 2
rpn: sx h; push 1; log 1; setmin 1; exit; h: setmin 2
record: 0 1 exit -
---
case: bit set, LOG_OVERFLOW is generated
header: logmax = 2
probe: excpt_mask = 0x1000
rpn: sx h; push 1; log 1; setmin 1; exit; h: setmin 2
record: 0 2 exit -
---
case: default, the others are not masked
rpn: sx h; push 1; push 0; div; exit; h: setmin 2
record: 0 2 exit -
---
case: mask 0, a non-maskable one ends the run at once
probe: excpt_mask = 0
rpn: sx h; push 1; push 0; div; exit; h: setmin 2
record: 0 0 exception -
---
case: mask 0, a maskable one goes unnoticed
header: logmax = 2
probe: excpt_mask = 0
rpn: sx h; push 1; log 1; setmin 1; exit; h: setmin 2
record: 0 1 exit -
---
case: decimal
header: logmax = 2
probe: excpt_mask = 65535
rpn: sx h; push 1; log 1; exit; h: setmin 2
record: 0 2 exit -
---
case: each probe has its own
full: |
  name = "t"
  offset = 0x1000
  minor = 1
  excpt_mask = 0
  sx h
  push 1
  push 0
  div
  h: setmin 3
  offset = 0x1004
  minor = 2
  sx h
  push 1
  push 0
  div
  h: setmin 4
hits: 1:1
hits: 2:1
record: 0 1 exception -
record: 0 4 exit -
---
case: a masked end in a proc skips the handlers of all callers
probe: excpt_mask = 0x0fdf
rpn: sx h; call p; h: setmin 1
procs: |
  proc p
  push 1
  push 0
  div
  ret
  endproc
record: 0 0 exception -
