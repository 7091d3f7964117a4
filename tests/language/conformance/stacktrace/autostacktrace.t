# SPDX-License-Identifier: BSD-2-Clause
claim: with autostacktrace = yes every exception that is generated writes a record; otherwise none does
spec: dprobes.lang(8) "autostacktrace"; decisions.txt C109, 2
covers: autostacktrace
# proves: R2.26
---
case: default is no
rpn: sx h; push 1; push 0; div; h: exit
record: 0 0 exit -
---
case: no
header: autostacktrace = no
rpn: push 1; push 0; div
record: 0 0 exception -
---
case: yes, caught
header: autostacktrace = yes
rpn: sx h; push 0x2000; push mem, u8; exit; h: log 1
record: 0 0 exit {w:1}
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:1}{any}{w:0x2000}{w:0}03{h:0}
---
case: yes, in a proc: its frame is still there and it had no handler
header: autostacktrace = yes
rpn: sx h; call p; h: exit
procs: |
  proc p
  push 1
  push 0
  div
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0x20}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:0}05{h:0}06{h:0}
---
case: yes, a masked LOG_OVERFLOW is not generated
header: autostacktrace = yes; logmax = 0
rpn: push 1; log 1
record: 0 0 exit -
---
case: yes, two exceptions
header: autostacktrace = yes
rpn: sx h; push 1; push 0; div; h: push 0x2000; push mem, u8
record: 0 0 exception -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:2}{w:0x20}{any}{w:0}{w:0}03{h:0}{w:1}{w:-1}{w:0x2000}{w:0}03{h:0}
---
case: yes, and rx raises too
header: autostacktrace = yes
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x8000; rx
record: 0 0 exception -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0x8000}{w:-1}{w:2}{w:3}03{h:0}
---
case: yes, but aborted
header: autostacktrace = yes
rpn: sx h; push 1; push 0; div; h: abort
record: none
---
case: yes, purged by the handler
header: autostacktrace = yes
rpn: sx h; push 1; push 0; div; h: purge st
record: 0 0 exit -
---
case: yes, and the exception's three words are on the stack that it shows
header: autostacktrace = yes
rpn: sx h; call p; h: exit
procs: |
  proc p
  save tsp
  push -3
  add
  push 3
  trace pv
  push 0x2000
  push mem, u8
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:1}{w:-1}{w:0x2000}{w:0}03{h:1}{any}{any}04{h:3}{w:1}{w:0x2000}{w:0}05{h:0}06{h:0}
