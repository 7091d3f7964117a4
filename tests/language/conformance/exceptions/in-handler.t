# SPDX-License-Identifier: BSD-2-Clause
claim: a handler is ordinary code of its frame: it may call, set a handler again and raise
spec: dprobes.lang(8) "Exception handling - some rules" 2, 3, 4
covers: sx L; call P
---
case: calling a proc
rpn: sx h; push 1; push 0; div; exit; h: ros 3; call p; log 1
procs: |
  proc p
  push 5
  ret
  endproc
record: 0 0 exit {w:5}
---
case: an exception in a proc called from the handler is not caught by the same handler
rpn: sx h; push 1; push 0; div; exit; h: push 2; log 1; call p; push 3; log 1
procs: |
  proc p
  push 0x2000
  push mem, u8
  ret
  endproc
record: 0 0 exception {w:2}
---
case: a proc called from the handler may catch its own
rpn: sx h; push 1; push 0; div; exit; h: call p; push x; log 3
procs: |
  proc p
  sx g
  push 0x2000
  push mem, u8
  g: ret
  endproc
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: going back to work after the exception
header: vars = 1
rpn: |
  push 3
  again: sx h
  push 1
  push 0
  div
  exit
  h: ros 3
  inc lv, 0
  push lv, 0
  push 3
  sub
  jnz again
  push lv, 0
  log 1
record: 0 0 exit {w:3}
---
case: handled stays handled: the run ends with exit
rpn: sx h; ret; h: nop
record: 0 0 exit -
---
case: from the 32nd call up to the outermost handler
header: vars = 1
rpn: sx h; call p; exit; h: log 3
procs: |
  proc p
  inc lv, 0
  push lv, 0
  push 32
  sub
  jz deep
  call p
  ret
  deep: push 0x2000
  push mem, u8
  ret
  endproc
record: 0 0 exit {w:1}{w:0x2000}{w:0}
