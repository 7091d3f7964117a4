# SPDX-License-Identifier: BSD-2-Clause
claim: ux clears the handler
spec: dprobes.lang(8) "sx <handler> / ux"; decisions.txt C103, C104
covers: ux
---
case: cleared
rpn: sx h; ux; push 1; push 0; div; exit; h: push 2; log 1
record: 0 0 exception -
---
case: without sx it does nothing
rpn: ux; push 1; log 1
record: 0 0 exit {w:1}
---
case: it clears the handler of this frame only
rpn: sx h; call p; exit; h: push 2; log 1
procs: |
  proc p
  ux
  push 1
  push 0
  div
  ret
  endproc
record: 0 0 exit {w:2}
