# SPDX-License-Identifier: BSD-2-Clause
claim: ret with an empty call stack raises CALL_MAX(0, 0)
spec: dprobes.lang(8) "ret"; decisions.txt C30
covers: ret
raises: ret: CALL_MAX
---
case: caught
rpn: sx h; ret; exit; h: log 3
record: 0 0 exit {w:0x10}{w:0}{w:0}
---
case: not caught
rpn: push 1; log 1; ret; push 2; log 1
record: 0 0 exception {w:1}
---
case: after a balanced call
rpn: sx h; call p; ret; exit; h: log 3
procs: |
  proc p
  nop
  ret
  endproc
record: 0 0 exit {w:0x10}{w:0}{w:0}
---
case: masked
probe: excpt_mask = 0x0fef
rpn: sx h; ret; exit; h: log 3
record: 0 0 exception -
