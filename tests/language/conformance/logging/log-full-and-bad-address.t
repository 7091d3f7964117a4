# SPDX-License-Identifier: BSD-2-Clause
claim: where the log is full and the address is bad, the exception is that of the first byte that has no room or cannot be read
spec: decisions.txt C138; dprobes.lang(8) "log mrf", "log str"
covers: log mrf; log str
raises: log mrf: INVALID_ADDR LOG_OVERFLOW; log str: INVALID_ADDR LOG_OVERFLOW
---
case: log mrf, no room for the prefix: memory is not read
header: logmax = 2
probe: excpt_mask = 0x1fff
rpn: sx h; push 4; push 0x2000; log mrf; exit; h: setmin 1; push 0x1000; sub; jz over; exit; over: setmin 2
record: 0 2 exit -
---
case: log mrf, room for the prefix only: memory is not read
header: logmax = 3
probe: excpt_mask = 0x1fff
rpn: sx h; push 4; push 0x2000; log mrf; exit; h: setmin 1; push 0x1000; sub; jz over; exit; over: setmin 2
record: 0 2 exit 00{h:0}
---
case: log mrf, a byte that fits cannot be read
header: logmax = 6
probe: excpt_mask = 0x1fff
mem: 0x2000=aabb
rpn: sx h; push 9; push 0x2000; log mrf; exit; h: setmin 1; push 0x1000; sub; jz over; exit; over: setmin 2
record: 0 1 exit -
---
case: log mrf, the first byte that cannot be read has no room
header: logmax = 6
probe: excpt_mask = 0x1fff
mem: 0x2000=aabbcc
rpn: sx h; push 9; push 0x2000; log mrf; exit; h: setmin 1; push 0x1000; sub; jz over; exit; over: setmin 2
record: 0 2 exit 00{h:3}aabbcc
---
case: log str, no room for the prefix: memory is not read
header: logmax = 2
probe: excpt_mask = 0x1fff
rpn: sx h; push 4; push 0x2000; log str; exit; h: setmin 1; push 0x1000; sub; jz over; exit; over: setmin 2
record: 0 2 exit -
---
case: log str, room for the prefix only: the first byte decides, and cannot be read
header: logmax = 3
probe: excpt_mask = 0x1fff
rpn: sx h; push 4; push 0x2000; log str; exit; h: setmin 1; push 0x1000; sub; jz over; exit; over: setmin 2
record: 0 1 exit -
---
case: log str, the byte without room is the first that cannot be read
header: logmax = 6
probe: excpt_mask = 0x1fff
mem: 0x2000=616263
rpn: sx h; push 9; push 0x2000; log str; exit; h: setmin 1; push 0x1000; sub; jz over; exit; over: setmin 2
record: 0 1 exit -
---
case: log str, the byte without room can be read, the next one cannot
header: logmax = 6
probe: excpt_mask = 0x1fff
mem: 0x2000=61626364
rpn: sx h; push 9; push 0x2000; log str; exit; h: setmin 1; push 0x1000; sub; jz over; exit; over: setmin 2
record: 0 2 exit -
