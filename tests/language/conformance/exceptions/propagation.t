# SPDX-License-Identifier: BSD-2-Clause
claim: an exception goes up the call chain to the first frame with a handler; frames are dropped, the RPN stack is not unwound, the three words are pushed once
spec: dprobes.lang(8) "Exception handling - some rules" 4; decisions.txt C105
covers: sx L; call P
---
case: one level
rpn: sx h; call p; push 1; log 1; exit; h: log 4
procs: |
  proc p
  push 77
  push 0x2000
  push mem, u8
  push 2
  log 1
  ret
  endproc
record: 0 0 exit {w:1}{w:0x2000}{w:0}{w:77}
---
case: two levels
rpn: push 55; sx h; call p; exit; h: log 5
procs: |
  proc p
  call q
  push 2
  log 1
  ret
  endproc
  proc q
  push 66
  push 0x2000
  push mem, u8
  ret
  endproc
record: 0 0 exit {w:1}{w:0x2000}{w:0}{w:66}{w:55}
---
case: the nearest frame with a handler
rpn: sx h; call p; push 1; log 1; exit; h: push 2; log 1
procs: |
  proc p
  sx h
  call q
  push 3
  log 1
  ret
  h: push 4
  log 1
  ret
  endproc
  proc q
  push 0x2000
  push mem, u8
  ret
  endproc
record: 0 0 exit {w:4}{w:1}
---
case: a handler set by a proc ends with the proc
rpn: call p; push 1; push 0; div; push 1; log 1
procs: |
  proc p
  sx h
  ret
  h: push 4
  log 1
  ret
  endproc
record: 0 0 exception -
---
case: the caller's handler is back after the proc
rpn: sx h; call p; push 1; push 0; div; exit; h: push 2; log 1
procs: |
  proc p
  sx h
  ret
  h: push 4
  log 1
  ret
  endproc
record: 0 0 exit {w:2}
---
case: a proc starts without a handler of its own, a caught exception there resets nothing in the caller
rpn: sx h; call p; push 1; push 0; div; exit; h: push 2; log 1
procs: |
  proc p
  sx h
  push 1
  push 0
  div
  h: ros 3
  ret
  endproc
record: 0 0 exit {w:2}
---
case: no handler anywhere
rpn: push 1; log 1; call p; push 2; log 1
procs: |
  proc p
  call q
  ret
  endproc
  proc q
  push 1
  push 0
  div
  ret
  endproc
record: 0 0 exception {w:1}
---
case: after the catch, ret goes by the catching frame
rpn: call p; push 1; log 1
procs: |
  proc p
  sx h
  call q
  ret
  h: push 2
  log 1
  ret
  endproc
  proc q
  push 1
  push 0
  div
  ret
  endproc
record: 0 0 exit {w:2}{w:1}
---
case: the handler used in the caller is reset as well
rpn: sx h; call p; exit; h: push 2; log 1; call p; push 3; log 1
procs: |
  proc p
  push 1
  push 0
  div
  ret
  endproc
record: 0 0 exception {w:2}
