# SPDX-License-Identifier: BSD-2-Clause
claim: log str that overflows while LOG_OVERFLOW is masked ends the whole handler as exit does; no exception exists
spec: decisions.txt C139, C49, C102; dprobes.lang(8) "log str"
covers: log str
---
case: an exception handler that is set does not run
header: logmax = 4
mem: 0x2000=616200
rpn: sx h; push 9; push 0x2000; log str; setmin 1; exit; h: setmin 2
record: 0 0 exit -
---
case: from a procedure: the caller does not go on
word: 32
header: logmax = 8
mem: 0x2000=616263646500
rpn: push 1; log 1; call p; setmin 1
procs: |
  proc p
  push 9
  push 0x2000
  log str
  ret
  endproc
record: 0 0 exit {w:1}
---
case: autostacktrace writes no trace
header: logmax = 4; autostacktrace = yes
mem: 0x2000=616200
rpn: push 9; push 0x2000; log str
record: 0 0 exit -
---
case: the codes that were set stay
header: logmax = 4
mem: 0x2000=616200
rpn: setmin 7; push 9; push 0x2000; log str; setmin 1
record: 0 7 exit -
