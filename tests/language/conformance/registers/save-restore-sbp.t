# SPDX-License-Identifier: BSD-2-Clause
claim: save sbp and restore sbp move the base pointer itself; it starts at the empty position and ret restores the caller's
spec: dprobes.lang(8) "save sbp", "restore sbp"; decisions.txt C111, C112
covers: save sbp; restore sbp
---
case: at the start it equals tsp
rpn: save tsp; save sbp; sub; log 1
record: 0 0 exit {w:0}
---
case: set to the top of the stack
rpn: push 5; push 6; save tsp; restore sbp; push sbp, 0; push sbp, 1; log 2
record: 0 0 exit {w:5}{w:6}
---
case: save gives back what restore set
rpn: push 5; save tsp; dup 1; restore sbp; save sbp; sub; log 1
record: 0 0 exit {w:0}
---
case: both move one word
rpn: push 9; save sbp; restore sbp; log 1
record: 0 0 exit {w:9}
---
case: call does not set it
rpn: push 5; call p
procs: |
  proc p
  push sbp, -1
  log 1
  ret
  endproc
record: 0 0 exit {w:5}
---
case: ret restores it
rpn: push 5; push 6; call p; push sbp, -1; log 1
procs: |
  proc p
  save tsp
  restore sbp
  push sbp, 0
  log 1
  ret
  endproc
record: 0 0 exit {w:6}{w:5}
---
case: an exception that leaves procs restores it
rpn: push 5; sx h; call p; exit; h: push sbp, -1; log 1
procs: |
  proc p
  push 7
  save tsp
  restore sbp
  call q
  ret
  endproc
  proc q
  push 8
  save tsp
  restore sbp
  push 1
  push 0
  div
  ret
  endproc
record: 0 0 exit {w:5}
---
case: an exception caught in the same frame leaves it
rpn: push 5; push 6; save tsp; restore sbp; sx h; push 1; push 0; div; h: push sbp, 0; log 1
record: 0 0 exit {w:6}
