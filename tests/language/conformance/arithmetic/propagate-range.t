# SPDX-License-Identifier: BSD-2-Clause
claim: pbl and pbr with n = 0 or n > W raise INVALID_OPERAND(3, n) at run time, n popped and the operand left
spec: dprobes.lang(8) note on propagate; decisions.txt C75, C106
covers: pbl n; pbl (stack); pbr n; pbr (stack)
raises: pbl n: INVALID_OPERAND; pbl (stack): INVALID_OPERAND; pbr n: INVALID_OPERAND; pbr (stack): INVALID_OPERAND
---
case: pbl, stack, 0
rpn: sx h; push 0x80; push 0; pbl; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:0}{w:0x80}
---
case: pbl, stack, W+1, 32-bit
word: 32
rpn: sx h; push 0x80; push 33; pbl; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:33}{w:0x80}
---
case: pbl, stack, W+1, 64-bit
word: 64
rpn: sx h; push 0x80; push 65; pbl; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:65}{w:0x80}
---
case: pbl, stack, negative
rpn: sx h; push 0x80; push -1; pbl; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:-1}{w:0x80}
---
case: pbl, stack, 256+8 is not 8
rpn: sx h; push 0x80; push 264; pbl; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:264}{w:0x80}
---
case: pbl, immediate 0 compiles with a warning
rpn: sx h; push 0x80; pbl 0; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:0}{w:0x80}
---
case: pbl, immediate 65
rpn: sx h; push 0x80; pbl 65; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:65}{w:0x80}
---
case: pbr, stack, 0
rpn: sx h; push 0x80; push 0; pbr; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:0}{w:0x80}
---
case: pbr, stack, 65
rpn: sx h; push 0x80; push 65; pbr; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:65}{w:0x80}
---
case: pbr, immediate 0
rpn: sx h; push 0x80; pbr 0; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:0}{w:0x80}
---
case: pbr, immediate 33 in 32 bits
word: 32
rpn: sx h; push 0x80; pbr 33; exit; h: log 4
record: 0 0 exit {w:0x40}{w:3}{w:33}{w:0x80}
---
case: pbr, not caught
rpn: push 1; log 1; push 1; pbr 65; setmin 1
record: 0 0 exception {w:1}
---
case: pbl, masked
probe: excpt_mask = 0x0fbf
rpn: sx h; push 1; push 0; pbl; h: setmin 1
record: 0 0 exception -
