# SPDX-License-Identifier: BSD-2-Clause
claim: log mrf that overflows logs what fits under its true length, then raises LOG_OVERFLOW(logmax, 0)
spec: dprobes.lang(8) note on LOG_OVERFLOW; decisions.txt C50, C51
covers: log mrf
raises: log mrf: LOG_OVERFLOW
---
case: exactly full
header: logmax = 7
probe: excpt_mask = 0x1fff
mem: 0x2000=aabbccdd
rpn: push 4; push 0x2000; log mrf
record: 0 0 exit 00{h:4}aabbccdd
---
case: one over, masked
header: logmax = 6
mem: 0x2000=aabbccdd
rpn: push 4; push 0x2000; log mrf; setmin 1
record: 0 1 exit 00{h:3}aabbcc
---
case: one over, unmasked
header: logmax = 6
probe: excpt_mask = 0x1fff
mem: 0x2000=aabbccdd
rpn: push 4; push 0x2000; log mrf; setmin 1
record: 0 0 exception 00{h:3}aabbcc
---
case: caught; backed out with plp
word: 32
header: logmax = 12
probe: excpt_mask = 0x1fff
mem: 0x2000=aabbccddeeff00112233
rpn: sx h; push 10; push 0x2000; log mrf; exit; h: push plp; pop lp; log 3
record: 0 0 exit {w:0x1000}{w:12}{w:0}
---
case: room for the prefix only
header: logmax = 3
mem: 0x2000=aabb
rpn: push 2; push 0x2000; log mrf; setmin 1
record: 0 1 exit 00{h:0}
---
case: the prefix does not fit
header: logmax = 2
mem: 0x2000=aabb
rpn: push 2; push 0x2000; log mrf; setmin 1
record: 0 1 exit -
---
case: both operands are popped
header: logmax = 4
mem: 0x2000=aabb
rpn: push 9; push 2; push 0x2000; log mrf; setmin
record: 0 9 exit 00{h:1}aa
---
case: what faults lies behind what fits
header: logmax = 7
mem: 0x2000=01020304
rpn: sx h; push 100; push 0x2000; log mrf; setmin 1; exit; h: setmin 2
record: 0 1 exit 00{h:4}01020304
---
case: what faults lies before the end of what fits
word: 32
header: logmax = 8
mem: 0x2000=01020304
rpn: sx h; push 100; push 0x2000; log mrf; setmin 1; exit; h: setmin 2
record: 0 2 exit ff{h:4}{w:0x2004}
