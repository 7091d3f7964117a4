# SPDX-License-Identifier: BSD-2-Clause
claim: a record that does not fit the trace buffer is undone, earlier ones are kept; there is no exception
spec: dprobes.lang(8) "excpt_log"; RPN.md 9
covers: log st; excpt_log
---
case: exactly two records, 32-bit
word: 32
header: excpt_log = 61
rpn: log st; log st
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:2}{w:0}{w:-1}{w:0}{w:0}03{h:0}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: one byte short of two, 32-bit
word: 32
header: excpt_log = 60
probe: excpt_mask = 0xffff
rpn: sx h; log st; log st; setmin 1; exit; h: setmin 2
record: 0 1 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: one byte short of two, 64-bit
word: 64
header: excpt_log = 92
rpn: log st; log st
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: a frame that does not fit takes its whole record with it
word: 32
header: excpt_log = 75
rpn: log st; call p
procs: |
  proc p
  log st
  ret
  endproc
note: the second record is 19 + 17 bytes, 78 in all
record: 0 0 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: no buffer at all
header: excpt_log = 0
rpn: log st; push 1; log 1
note: with nothing written the buffer is empty and is not sent
record: 0 0 exit {w:1}
---
case: the trace buffer takes nothing from logmax
word: 32
header: logmax = 4
rpn: log st; purge st; push 1; log 1
record: 0 0 exit {w:1}
