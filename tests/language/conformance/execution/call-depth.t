# SPDX-License-Identifier: BSD-2-Clause
claim: 32 nested calls are fine, the 33rd raises CALL_MAX(32, 0)
spec: dprobes.lang(8) "call"; decisions.txt C30
covers: call P
raises: call P: CALL_MAX
---
case: 32 deep
header: vars = 1
rpn: call p; push lv, 0; log 1
procs: |
  proc p
  inc lv, 0
  push lv, 0
  push 32
  sub
  jz done
  call p
  done: ret
  endproc
record: 0 0 exit {w:32}
---
case: the 33rd
header: vars = 1
rpn: sx h; call p; exit; h: log 3; push lv, 0; log 1
procs: |
  proc p
  inc lv, 0
  call p
  ret
  endproc
record: 0 0 exit {w:0x10}{w:32}{w:0}{w:32}
---
case: the 33rd, not caught
header: vars = 1
rpn: push 1; log 1; call p
procs: |
  proc p
  call p
  ret
  endproc
record: 0 0 exception {w:1}
---
case: the 33rd, masked
probe: excpt_mask = 0x0fef
rpn: sx h; push 1; log 1; call p; exit; h: log 3
procs: |
  proc p
  call p
  ret
  endproc
record: 0 0 exception {w:1}
---
case: after the catch the call stack is empty again
header: vars = 1
rpn: sx h; call p; exit; h: ros 3; call q; log 1
procs: |
  proc p
  call p
  ret
  endproc
  proc q
  push 5
  ret
  endproc
record: 0 0 exit {w:5}
