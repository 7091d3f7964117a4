# SPDX-License-Identifier: BSD-2-Clause
claim: log st writes a header and one record; it is sent after the user log, with codes 0 0
spec: dprobes.lang(8) "STACK TRACING"; RPN.md 9, C115, C129
covers: log st
---
case: the worked example of RPN.md 9
word: 32
endian: little
full: |
  name = ab
  id = 7
  major = 1
  offset = 0x40
  minor = 2
  log st
record: 1 2 exit -
record: 0 0 trace 01020061624000000000000000070000000100020002010000000000ffffffff0000000000000000030000
---
case: the same for every word size and order
full: |
  name = ab
  id = 7
  major = 1
  offset = 0x40
  minor = 2
  log st
record: 1 2 exit -
record: 0 0 trace 01{h:2}6162{q:0x40}{d:7}{h:1}{h:2}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: beside a user log
rpn: push 5; log 1; log st; push 6; log 1
record: 0 0 exit {w:5}{w:6}
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: two records under one header
rpn: log st; log st
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:2}{w:0}{w:-1}{w:0}{w:0}03{h:0}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: the header has the codes of that moment
rpn: setmaj 3; setmin 4; log st; setmaj 5; setmin 6
record: 5 6 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:3}{h:4}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: a long id and a quoted name
full: |
  name = "a/b.elf"
  id = 0x12345678
  offset = 0x1000
  log st
record: 0 0 exit -
record: 0 0 trace 01{h:7}612f622e656c66{q:0x1000}{d:0x12345678}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: sent after an unhandled exception too
rpn: log st; push 1; push 0; div
record: 0 0 exception -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: not sent after abort
rpn: log st; abort
record: none
---
case: the buffer is empty at each entry
header: vars = 1
hits: 2
rpn: inc lv, 0; push lv, 0; push 1; sub; jnz out; log st; out: exit
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
record: 0 0 exit -
---
case: a budget end sends it
header: jmpmax = 65535
rpn: log st; again: jmp again
note: RPN.md says it is sent at handler end if not aborted; a budget end is taken to be such an end
record: 0 0 budget -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
