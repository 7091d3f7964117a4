# SPDX-License-Identifier: BSD-2-Clause
claim: purge st empties the trace buffer; an empty one is not sent
spec: dprobes.lang(8) "purge st"; RPN.md 9
covers: purge st
---
case: nothing left
rpn: log st; purge st; push 1; log 1
record: 0 0 exit {w:1}
---
case: a record made afterwards comes with a header again
rpn: log st; purge st; setmin 3; log st
record: 0 3 exit -
record: 0 0 trace 01{h:1}74{q:0x1000}{d:0}{h:0}{h:3}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: on an empty buffer
rpn: purge st
record: 0 0 exit -
