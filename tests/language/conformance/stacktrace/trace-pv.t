# SPDX-License-Identifier: BSD-2-Clause
claim: trace pv takes a range and a slot number, as save tsp gives it, and shows RPN words from newer to older
spec: dprobes.lang(8) "trace pv"; RPN.md 9, C114
covers: trace pv
---
case: the two newest words
rpn: call p
procs: |
  proc p
  push 0x11
  push 0x22
  push 0x33
  save tsp
  push 2
  trace pv
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:2}{w:0x33}{w:0x22}05{h:0}06{h:0}
---
case: both operands are popped
rpn: push 5; save tsp; push 1; trace pv; log 1
record: 0 0 exit {w:5}
---
case: range 0
rpn: call p
procs: |
  proc p
  save tsp
  push 0
  trace pv
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:0}05{h:0}06{h:0}
---
case: the slot numbers stay where they were when more is pushed
rpn: call p
procs: |
  proc p
  push 0x11
  save tsp
  push 1
  trace pv
  push 0x22
  push 0x33
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:1}{w:0x11}05{h:0}06{h:0}
---
case: a range longer than the buffer: the record does not fit and is left out
note: RPN.md 9: a record is written whole or not at all
rpn: call p
procs: |
  proc p
  push 0
  push 0x10000
  trace pv
  log st
  push 1
  log 1
  ret
  endproc
record: 0 0 exit {w:1}
