# SPDX-License-Identifier: BSD-2-Clause
claim: a trace record begins with the last exception: code, handler or -1, parm1, parm2
spec: dprobes.lang(8) "Stack trace records"; RPN.md 9 notes
covers: log st
---
case: caught in the same frame; the handler value is an offset of the code
rpn: sx h; push 0x2000; push mem, u8; exit; h: log st
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:1}{any}{w:0x2000}{w:0}03{h:0}
---
case: caught in the caller: the frame where it happened had no handler
rpn: sx h; call p; exit; h: log st
procs: |
  proc p
  push 0x2000
  push mem, u8
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:1}{w:-1}{w:0x2000}{w:0}03{h:0}
---
case: not caught, written by autostacktrace
header: autostacktrace = yes
rpn: push 0x2000; push mem, u8
record: 0 0 exception -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:1}{w:-1}{w:0x2000}{w:0}03{h:0}
---
case: a set handler shows -1 as long as nothing happened
rpn: sx h; log st; exit; h: nop
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: no trace of an exception of an earlier hit
header: vars = 1
hits: 2
rpn: inc lv, 0; push lv, 0; push 1; sub; jnz second; sx h; push 1; push 0; div; h: exit; second: log st
record: 0 0 exit -
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
