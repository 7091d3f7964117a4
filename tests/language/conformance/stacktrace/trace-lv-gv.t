# SPDX-License-Identifier: BSD-2-Clause
claim: trace lv and trace gv take a range from the top and an index below it and choose the variables this frame's record shows
spec: dprobes.lang(8) "trace lv", "trace gv"; RPN.md 5, 3, C116
covers: trace lv; trace gv
---
case: the worked example of RPN.md 9
word: 32
endian: little
header: vars = 1
rpn: push 0x11; pop lv, 0; call p
procs: |
  proc p
  push 0
  push 1
  trace lv
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 010100740010000000000000000000000000000002010000000000ffffffff0000000000000000030100{any}{any}04000005010011000000060000
---
case: gv, a part
header: gvars = 4
rpn: push 7; pop gv, 1; push 8; pop gv, 2; call p
procs: |
  proc p
  push 1
  push 2
  trace gv
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:0}05{h:0}06{h:2}{w:7}{w:8}
---
case: both
header: gvars = 1; vars = 2
rpn: push 7; pop gv, 0; push 8; pop lv, 1; call p
procs: |
  proc p
  push 0
  push 2
  trace lv
  push 0
  push 1
  trace gv
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:0}05{h:2}{w:0}{w:8}06{h:1}{w:7}
---
case: values are those at log st, not at trace
header: vars = 1
rpn: call p
procs: |
  proc p
  push 0
  push 1
  trace lv
  inc lv, 0
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:0}05{h:1}{w:1}06{h:0}
---
case: both operands are popped
header: vars = 1
rpn: push 5; push 0; push 1; trace lv; log 1
record: 0 0 exit {w:5}
---
case: entries beyond the last variable are not shown, and nothing is raised
header: vars = 2
rpn: sx h; push 9; pop lv, 1; call p; exit; h: setmin 1
procs: |
  proc p
  push 1
  push 5
  trace lv
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:0}05{h:1}{w:9}06{h:0}
---
case: no effect in the main part of the handler
header: vars = 1
rpn: push 0; push 1; trace lv; log st
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: ranges belong to the call, the next call starts without
header: vars = 1
rpn: call p; call q
procs: |
  proc p
  push 0
  push 1
  trace lv
  ret
  endproc
  proc q
  log st
  ret
  endproc
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:1}{any}{any}04{h:0}05{h:0}06{h:0}
