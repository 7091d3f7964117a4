# SPDX-License-Identifier: BSD-2-Clause
claim: an index from the stack that is gvars or more raises INVALID_OPERAND(2, index)
spec: dprobes.lang(8) note on gv; decisions.txt C62, C63, C106
covers: push gv (stack); pop gv (stack); move gv (stack); inc gv (stack); dec gv (stack)
raises: push gv (stack): INVALID_OPERAND; pop gv (stack): INVALID_OPERAND; move gv (stack): INVALID_OPERAND; inc gv (stack): INVALID_OPERAND; dec gv (stack): INVALID_OPERAND
---
case: push, index gvars
header: gvars = 2
rpn: sx h; push 2; push gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:2}
---
case: push, the last index is fine
header: gvars = 2
rpn: sx h; push 1; push gv; log 1; exit; h: log 3
record: 0 0 exit {w:0}
---
case: pop, index gvars
header: gvars = 2
rpn: sx h; push 2; push 5; pop gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:2}
---
case: move, index gvars
header: gvars = 2
rpn: sx h; push 5; push 2; move gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:2}
---
case: inc, index gvars
header: gvars = 2
rpn: sx h; push 2; inc gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:2}
---
case: dec, index gvars
header: gvars = 2
rpn: sx h; push 2; dec gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:2}
---
case: no variables at all
rpn: sx h; push 0; push gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:0}
---
case: negative
header: gvars = 2
rpn: sx h; push -1; push gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:-1}
---
case: the full word is compared, not its low 16 bits
header: gvars = 2
rpn: sx h; push 0x10001; inc gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:0x10001}
---
case: nor its low 8 bits
header: gvars = 2
rpn: sx h; push 0x100; push 1; pop gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:0x100}
---
case: nor its low 32 bits
word: 64
header: gvars = 2
rpn: sx h; push 0x100000001; dec gv; exit; h: log 3
record: 0 0 exit {w:0x40}{w:2}{w:0x100000001}
---
case: not caught
header: gvars = 2
rpn: push 1; log 1; push 2; push gv; setmin 1
record: 0 0 exception {w:1}
---
case: masked
header: gvars = 2
probe: excpt_mask = 0x0fbf
rpn: sx h; push 1; log 1; push 2; push gv; h: setmin 1
record: 0 0 exception {w:1}
