# SPDX-License-Identifier: BSD-2-Clause
claim: one frame record for each call that is open, innermost first; the outermost routine has none
spec: dprobes.lang(8) "call stack frame record"; RPN.md 9
covers: log st; call P
---
case: one call
rpn: call p
procs: |
  proc p
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:0}05{h:0}06{h:0}
---
case: two calls
rpn: call p
procs: |
  proc p
  call q
  ret
  endproc
  proc q
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:2}{any}{any}04{h:0}05{h:0}06{h:0}{any}{any}04{h:0}05{h:0}06{h:0}
---
case: after the return it is gone
rpn: call p; log st
procs: |
  proc p
  nop
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: innermost first: only the outer proc has asked for a variable
header: vars = 1
rpn: push 0x11; pop lv, 0; call p
procs: |
  proc p
  push 0
  push 1
  trace lv
  call q
  ret
  endproc
  proc q
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:2}{any}{any}04{h:0}05{h:0}06{h:0}{any}{any}04{h:0}05{h:1}{w:0x11}06{h:0}
