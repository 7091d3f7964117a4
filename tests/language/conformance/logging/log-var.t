# SPDX-License-Identifier: BSD-2-Clause
claim: log lv and log gv take a range from the top and a start below it and log 05 or 06, the number of variables and their words
spec: dprobes.lang(8) "log lv", "log gv"; RPN.md 5, C54
covers: log lv; log gv
---
case: all lv
header: vars = 3
rpn: push 10; pop lv, 0; push 11; pop lv, 1; push 12; pop lv, 2; push 0; push 3; log lv
record: 0 0 exit 05{h:3}{w:10}{w:11}{w:12}
---
case: range is a count, not the last index
header: vars = 3
rpn: push 10; pop lv, 0; push 11; pop lv, 1; push 12; pop lv, 2; push 1; push 1; log lv
record: 0 0 exit 05{h:1}{w:11}
---
case: the last two
header: vars = 3
rpn: push 11; pop lv, 1; push 12; pop lv, 2; push 1; push 2; log lv
record: 0 0 exit 05{h:2}{w:11}{w:12}
---
case: none
header: vars = 3
rpn: push 0; push 0; log lv
record: 0 0 exit 05{h:0}
---
case: both operands are popped
header: vars = 1
rpn: push 7; push 0; push 1; log lv; log 1
record: 0 0 exit 05{h:1}{w:0}{w:7}
---
case: gv
header: gvars = 2
rpn: push 20; pop gv, 0; push 21; pop gv, 1; push 0; push 2; log gv
record: 0 0 exit 06{h:2}{w:20}{w:21}
---
case: gv, a part
header: gvars = 4; vars = 4
rpn: push 21; pop gv, 1; push 22; pop gv, 2; push 1; push 2; log gv
record: 0 0 exit 06{h:2}{w:21}{w:22}
