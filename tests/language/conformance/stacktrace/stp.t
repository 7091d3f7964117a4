# SPDX-License-Identifier: BSD-2-Clause
claim: the stack trace pointer is the number of bytes in the trace buffer
spec: dprobes.lang(8) "push stp", "pop stp"; decisions.txt C57, C58
covers: push stp; pop stp
raises: pop stp: INVALID_OPERAND
---
case: 0 at the start
rpn: push stp; log 1
record: 0 0 exit {w:0}
---
case: after one record, 32-bit: 20 bytes of header, 3, 19 of record
word: 32
rpn: log st; push stp; log 1; purge st
record: 0 0 exit {w:42}
---
case: after one record, 64-bit
word: 64
rpn: log st; push stp; log 1; purge st
record: 0 0 exit {w:58}
---
case: 0 after purge st
rpn: log st; purge st; push stp; log 1
record: 0 0 exit {w:0}
---
case: set to what it is
rpn: log st; push stp; pop stp; purge st; push 1; log 1
record: 0 0 exit {w:1}
---
case: above what has been written
rpn: sx h; push 1; pop stp; exit; h: log 3
note: "current maximum" is taken to be what has been written in this run
record: 0 0 exit {w:0x40}{w:5}{w:1}
---
case: far above
rpn: sx h; log st; push 5000; pop stp; exit; h: purge st; log 3
record: 0 0 exit {w:0x40}{w:5}{w:5000}
---
case: 0 makes the buffer empty
rpn: log st; push 0; pop stp
note: taken to be the same as purge st, as "not empty" decides whether it is sent
record: 0 0 exit -
