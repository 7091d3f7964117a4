# SPDX-License-Identifier: BSD-2-Clause
claim: nop does nothing
spec: dprobes.lang(8) "nop"
covers: nop
---
case: between
rpn: push 1; nop; push 2; nop; log 2
record: 0 0 exit {w:2}{w:1}
---
case: as a jump target
rpn: jmp n; push 1; log 1; n: nop
record: 0 0 exit -
