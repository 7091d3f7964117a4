# SPDX-License-Identifier: BSD-2-Clause
claim: call runs the proc and ret comes back after it; the RPN stack is common
spec: dprobes.lang(8) "call", "ret"; RPN.md 5
covers: call P; ret
---
case: there and back
rpn: push 1; call p; log 2
procs: |
  proc p
  push 2
  ret
  endproc
record: 0 0 exit {w:2}{w:1}
---
case: twice
rpn: push 3; call double; call double; log 1
procs: |
  proc double
  shl 1
  ret
  endproc
record: 0 0 exit {w:12}
---
case: nested
rpn: call a; push 1; log 1
procs: |
  proc a
  push 10
  log 1
  call b
  push 11
  log 1
  ret
  endproc
  proc b
  push 20
  log 1
  ret
  endproc
record: 0 0 exit {w:10}{w:20}{w:11}{w:1}
---
case: a proc may end the handler
rpn: call p; push 2; log 1
procs: |
  proc p
  push 1
  log 1
  exit
  endproc
record: 0 0 exit {w:1}
---
case: a proc may abort the handler
rpn: push 1; log 1; call p
procs: |
  proc p
  abort
  endproc
record: none
---
case: ret in the middle of a proc
rpn: push 0; call p; push -1; call p
procs: |
  proc p
  jz z
  push 5
  log 1
  ret
  z: push 6
  log 1
  ret
  endproc
record: 0 0 exit {w:6}{w:5}
