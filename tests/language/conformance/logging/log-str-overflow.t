# SPDX-License-Identifier: BSD-2-Clause
claim: log str that overflows logs nothing of the string; unmasked it raises LOG_OVERFLOW(logmax, 0), masked the handler ends there
spec: dprobes.lang(8) "log str"; decisions.txt C49, C53
covers: log str
raises: log str: LOG_OVERFLOW
---
case: exactly full, ended by the NUL
header: logmax = 6
probe: excpt_mask = 0x1fff
mem: 0x2000=61626300
rpn: push 10; push 0x2000; log str
record: 0 0 exit 01{h:3}616263
---
case: exactly full, ended by n
header: logmax = 6
probe: excpt_mask = 0x1fff
mem: 0x2000=6162636465
rpn: push 3; push 0x2000; log str
record: 0 0 exit 01{h:3}616263
---
case: one over, unmasked, not caught
header: logmax = 5
probe: excpt_mask = 0x1fff
mem: 0x2000=61626300
rpn: push 10; push 0x2000; log str; setmin 1
record: 0 0 exception -
---
case: one over, unmasked, caught: the log pointer did not move
word: 32
header: logmax = 14
probe: excpt_mask = 0x1fff
mem: 0x2000=6162636465666768696a6b6c6d00
rpn: sx h; push 20; push 0x2000; log str; exit; h: log 3
record: 0 0 exit {w:0x1000}{w:14}{w:0}
---
case: one over, masked: the handler ends, the log so far is kept
word: 32
header: logmax = 9
mem: 0x2000=61626300
rpn: push 5; log 1; push 10; push 0x2000; log str; setmin 1
note: the man page says "will exit", and a masked exception is not generated, so the end is taken to be exit, not exception
record: 0 0 exit {w:5}
---
case: the prefix does not fit, masked
header: logmax = 2
mem: 0x2000=00
rpn: push 10; push 0x2000; log str; setmin 1
note: no room for the prefix of an empty string is an overflow of log str like any other, so the handler ends
record: 0 0 exit -
---
case: as long as there is room, and where its NUL should be there is no memory
word: 32
note: whether it fits is known only when the byte behind it is read
header: logmax = 7
mem: 0x2000=61626364
rpn: sx h; push 100; push 0x2000; log str; setmin 1; exit; h: setmin 2
record: 0 2 exit ff{h:4}{w:0x2004}
---
case: longer than there is room, the memory ends later
word: 32
header: logmax = 6
mem: 0x2000=61626364
rpn: sx h; push 100; push 0x2000; log str; setmin 1; exit; h: setmin 2
record: 0 0 exit -
