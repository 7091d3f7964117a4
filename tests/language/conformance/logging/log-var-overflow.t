# SPDX-License-Identifier: BSD-2-Clause
claim: log lv and log gv that overflow log as many variables as fit under their true count, then raise LOG_OVERFLOW(logmax, 0)
spec: dprobes.lang(8) "log lv", "log gv"; decisions.txt C51
covers: log lv; log gv
raises: log lv: LOG_OVERFLOW; log gv: LOG_OVERFLOW
---
case: exactly full
word: 32
header: vars = 2; logmax = 11
probe: excpt_mask = 0x1fff
rpn: push 0; push 2; log lv
record: 0 0 exit 05{h:2}{w:0}{w:0}
---
case: one byte short, masked
word: 32
header: vars = 2; logmax = 10
rpn: push 0; push 2; log lv; setmin 1
record: 0 1 exit 05{h:1}{w:0}
---
case: one byte short, 64-bit
word: 64
header: gvars = 2; logmax = 18
rpn: push 0; push 2; log gv; setmin 1
record: 0 1 exit 06{h:1}{w:0}
---
case: unmasked, not caught
word: 32
header: gvars = 2; logmax = 10
probe: excpt_mask = 0x1fff
rpn: push 0; push 2; log gv; setmin 1
record: 0 0 exception 06{h:1}{w:0}
---
case: unmasked, caught
word: 32
header: vars = 4; logmax = 12
probe: excpt_mask = 0x1fff
rpn: sx h; push 0; push 4; log lv; exit; h: push plp; pop lp; log 3
record: 0 0 exit {w:0x1000}{w:12}{w:0}
---
case: the prefix does not fit
header: vars = 1; logmax = 2
rpn: push 0; push 1; log lv; setmin 1
record: 0 1 exit -
