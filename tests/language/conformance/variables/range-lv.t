# SPDX-License-Identifier: BSD-2-Clause
claim: an index from the stack that is vars or more raises INVALID_OPERAND(1, index)
spec: dprobes.lang(8) note on lv; decisions.txt C62, C63, C106
covers: push lv (stack); pop lv (stack); move lv (stack); inc lv (stack); dec lv (stack)
raises: push lv (stack): INVALID_OPERAND; pop lv (stack): INVALID_OPERAND; move lv (stack): INVALID_OPERAND; inc lv (stack): INVALID_OPERAND; dec lv (stack): INVALID_OPERAND
---
case: push, index vars
header: vars = 2
rpn: sx h; push 2; push lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:2}
---
case: push, the last index is fine
header: vars = 2
rpn: sx h; push 1; push lv; log 1; exit; h: log 3
record: 0 0 exit {w:0}
---
case: pop, index vars
header: vars = 2
rpn: sx h; push 2; push 5; pop lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:2}
---
case: move, index vars
header: vars = 2
rpn: sx h; push 5; push 2; move lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:2}
---
case: inc, index vars
header: vars = 2
rpn: sx h; push 2; inc lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:2}
---
case: dec, index vars
header: vars = 2
rpn: sx h; push 2; dec lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:2}
---
case: no variables at all
rpn: sx h; push 0; push lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:0}
---
case: negative
header: vars = 2
rpn: sx h; push -1; push lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:-1}
---
case: the full word is compared, not its low 16 bits
header: vars = 2
rpn: sx h; push 0x10001; inc lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:0x10001}
---
case: nor its low 8 bits
header: vars = 2
rpn: sx h; push 0x100; push 1; pop lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:0x100}
---
case: nor its low 32 bits
word: 64
header: vars = 2
rpn: sx h; push 0x100000001; dec lv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:1}{w:0x100000001}
---
case: not caught
header: vars = 2
rpn: push 1; log 1; push 2; push lv; setmin 1
record: 0 0 exception {w:1}
---
case: masked
header: vars = 2
probe: excpt_mask = 0x0fbf
rpn: sx h; push 1; log 1; push 2; push lv; h: setmin 1
record: 0 0 exception {w:1}
