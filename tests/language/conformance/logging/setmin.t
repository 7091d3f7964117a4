# SPDX-License-Identifier: BSD-2-Clause
claim: setmin replaces the minor code of this record, by an immediate or by TOS
spec: dprobes.lang(8) "setmin"
covers: setmin n; setmin (stack)
---
case: immediate
header: major = 3
probe: minor = 4
rpn: setmin 5
record: 3 5 exit -
---
case: stack
header: major = 3
probe: minor = 4
rpn: push 6; setmin
record: 3 6 exit -
---
case: the operand is popped
rpn: push 1; push 6; setmin; log 1
record: 0 6 exit {w:1}
---
case: the last one counts
rpn: setmin 5; setmin 7; push 1; log 1; setmin 8
record: 0 8 exit {w:1}
---
case: 65535
rpn: setmin 65535
record: 0 65535 exit -
---
case: kept when an exception ends the handler
rpn: setmin 5; push 1; push 0; div
record: 0 5 exception -
