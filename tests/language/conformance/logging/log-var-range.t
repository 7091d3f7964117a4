# SPDX-License-Identifier: BSD-2-Clause
claim: log lv and log gv past the last variable log the valid ones under their true count, then raise INVALID_OPERAND(1 or 2, first bad index)
spec: dprobes.lang(8) "log lv" note; decisions.txt C55
covers: log lv; log gv
raises: log lv: INVALID_OPERAND; log gv: INVALID_OPERAND
---
case: lv, not caught
header: vars = 2
rpn: push 10; pop lv, 0; push 11; pop lv, 1; push 0; push 5; log lv; setmin 1
record: 0 0 exception 05{h:2}{w:10}{w:11}
---
case: lv, caught
header: vars = 2
rpn: sx h; push 10; pop lv, 0; push 11; pop lv, 1; push 1; push 2; log lv; exit; h: log 3
record: 0 0 exit 05{h:1}{w:11}{w:0x40}{w:1}{w:2}
---
case: gv, caught
header: gvars = 2
rpn: sx h; push 10; pop gv, 0; push 11; pop gv, 1; push 0; push 3; log gv; exit; h: log 3
record: 0 0 exit 06{h:2}{w:10}{w:11}{w:0x40}{w:2}{w:2}
---
case: start is already too high
header: vars = 2
rpn: sx h; push 2; push 1; log lv; exit; h: push plp; pop lp; log 3
note: whether an empty prefix is left in the log is open; it is backed out here
record: 0 0 exit {w:0x40}{w:1}{w:2}
---
case: masked: ends at once, what was logged is kept
header: vars = 1
probe: excpt_mask = 0x0fbf
rpn: sx h; push 0; push 2; log lv; h: setmin 1
record: 0 0 exception 05{h:1}{w:0}
---
case: the sum of start and range does not wrap
header: vars = 1
rpn: sx h; push 1; push -1; log lv; exit; h: push plp; pop lp; log 3
record: 0 0 exit {w:0x40}{w:1}{w:1}
