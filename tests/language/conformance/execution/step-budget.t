# SPDX-License-Identifier: BSD-2-Clause
claim: a run that takes more steps than the budget ends there; no handler catches it and the log is kept
spec: decisions.txt C29
covers: jmp L; dup n
---
case: endless jump under a large jmpmax
header: jmpmax = 65535
rpn: push 1; log 1; again: jmp again
record: 0 0 budget {w:1}
---
case: sx does not catch it
header: jmpmax = 65535
probe: excpt_mask = 0xffff
rpn: sx h; push 1; log 1; again: jmp again; h: push 2; log 1
record: 0 0 budget {w:1}
---
case: sx and rx in circles, which no jmpmax counts
probe: excpt_mask = 0xffff
rpn: push 1; log 1; push 0; push 0; push 0x8000; again: sx again; rx
record: 0 0 budget {w:1}
---
case: moved elements count
rpn: |
  push 1
  log 1
  jmp n
  n: push 5
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  dup 255
  push 2
  log 1
record: 0 0 budget {w:1}
---
case: dropped elements count
rpn: |
  push 1
  log 1
  push 30
  again: ros 255
  push 30
  jnz again
record: 0 0 budget {w:1}
---
case: the budget is per hit
header: jmpmax = 65535
hits: 3
rpn: push 1; log 1; push 1000; again: loop again
record: 0 0 exit {w:1}
record: 0 0 exit {w:1}
record: 0 0 exit {w:1}
---
case: an endless run of calls ends too
header: jmpmax = 0
probe: excpt_mask = 0xffff
rpn: |
  push 1
  log 1
  push 0
  push 0
  push 0x8000
  again: sx again
  call p
procs: |
  proc p
  rx
  ret
  endproc
record: 0 0 budget {w:1}
