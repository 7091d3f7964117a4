# SPDX-License-Identifier: BSD-2-Clause
claim: setmaj replaces the major code of this record, by an immediate or by TOS
spec: dprobes.lang(8) "setmaj"
covers: setmaj n; setmaj (stack)
---
case: immediate
header: major = 3
probe: minor = 4
rpn: setmaj 5
record: 5 4 exit -
---
case: stack
header: major = 3
probe: minor = 4
rpn: push 6; setmaj
record: 6 4 exit -
---
case: the operand is popped
rpn: push 1; push 6; setmaj; log 1
record: 6 0 exit {w:1}
---
case: 65535
rpn: setmaj 0xffff
record: 65535 0 exit -
---
case: both
rpn: setmaj 1; setmin 2
record: 1 2 exit -
