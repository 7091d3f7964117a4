# SPDX-License-Identifier: BSD-2-Clause
claim: div and idiv by zero raise DIVIDE_BY_ZERO(0, 0)
spec: dprobes.lang(8) note on division; RPN.md 5
covers: div; idiv
raises: div: DIVIDE_BY_ZERO; idiv: DIVIDE_BY_ZERO
---
case: div, caught
rpn: sx h; push 7; push 0; div; exit; h: log 3
record: 0 0 exit {w:0x20}{w:0}{w:0}
---
case: idiv, caught
rpn: sx h; push 7; push 0; idiv; exit; h: log 3
record: 0 0 exit {w:0x20}{w:0}{w:0}
---
case: 0 by 0
rpn: sx h; push 0; push 0; div; exit; h: log 3
record: 0 0 exit {w:0x20}{w:0}{w:0}
---
case: div, not caught
rpn: push 1; log 1; push 7; push 0; div; push 2; log 1
record: 0 0 exception {w:1}
---
case: idiv, not caught
rpn: push 1; log 1; push 7; push 0; idiv; push 2; log 1
record: 0 0 exception {w:1}
---
case: masked
probe: excpt_mask = 0x0fdf
rpn: sx h; push 7; push 0; div; exit; h: log 3
record: 0 0 exception -
