# SPDX-License-Identifier: BSD-2-Clause
claim: rx raises every exception there is, with the two words below the code as its parameters
spec: dprobes.lang(8) "rx", "RPN EXCEPTION HANDLING"; RPN.md 5, C97, C99, C107
covers: rx
raises: rx: INVALID_ADDR SEG_FAULT JMP_MAX CALL_MAX DIVIDE_BY_ZERO INVALID_OPERAND INVALID_OPCODE LOG_OVERFLOW USER_EX
---
case: INVALID_ADDR, caught
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x1; rx; exit; h: push x; log 6
record: 0 0 exit {w:0x1}{w:2}{w:3}{w:0x1}{w:2}{w:3}
---
case: INVALID_ADDR, not caught
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x1; rx; push 1; log 1
record: 0 0 exception -
---
case: SEG_FAULT, caught
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x2; rx; exit; h: push x; log 6
record: 0 0 exit {w:0x2}{w:2}{w:3}{w:0x2}{w:2}{w:3}
---
case: SEG_FAULT, not caught
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x2; rx; push 1; log 1
record: 0 0 exception -
---
case: JMP_MAX, caught
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x4; rx; exit; h: push x; log 6
record: 0 0 exit {w:0x4}{w:2}{w:3}{w:0x4}{w:2}{w:3}
---
case: JMP_MAX, not caught
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x4; rx; push 1; log 1
record: 0 0 exception -
---
case: CALL_MAX, caught
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x10; rx; exit; h: push x; log 6
record: 0 0 exit {w:0x10}{w:2}{w:3}{w:0x10}{w:2}{w:3}
---
case: CALL_MAX, not caught
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x10; rx; push 1; log 1
record: 0 0 exception -
---
case: DIVIDE_BY_ZERO, caught
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x20; rx; exit; h: push x; log 6
record: 0 0 exit {w:0x20}{w:2}{w:3}{w:0x20}{w:2}{w:3}
---
case: DIVIDE_BY_ZERO, not caught
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x20; rx; push 1; log 1
record: 0 0 exception -
---
case: INVALID_OPERAND, caught
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x40; rx; exit; h: push x; log 6
record: 0 0 exit {w:0x40}{w:2}{w:3}{w:0x40}{w:2}{w:3}
---
case: INVALID_OPERAND, not caught
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x40; rx; push 1; log 1
record: 0 0 exception -
---
case: INVALID_OPCODE, caught
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x80; rx; exit; h: push x; log 6
record: 0 0 exit {w:0x80}{w:2}{w:3}{w:0x80}{w:2}{w:3}
---
case: INVALID_OPCODE, not caught
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x80; rx; push 1; log 1
record: 0 0 exception -
---
case: LOG_OVERFLOW, caught
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x1000; rx; exit; h: push x; log 6
record: 0 0 exit {w:0x1000}{w:2}{w:3}{w:0x1000}{w:2}{w:3}
---
case: LOG_OVERFLOW, not caught
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x1000; rx; push 1; log 1
record: 0 0 exception -
---
case: USER_EX, caught
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x8000; rx; exit; h: push x; log 6
record: 0 0 exit {w:0x8000}{w:2}{w:3}{w:0x8000}{w:2}{w:3}
---
case: USER_EX, not caught
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x8000; rx; push 1; log 1
record: 0 0 exception -
---
case: several bits, one of them masked: raised
rpn: push 3; push 2; push 0x1020; sx h; rx; exit; h: log 3; push x; log 1
record: 0 0 exit {w:0x1020}{w:2}{w:3}{w:0x1020}
---
case: several bits, all masked, none of them fatal: no effect
rpn: push 3; push 2; push 0x9000; sx h; rx; push x; log 1; log 3; exit; h: setmin 1
record: 0 0 exit {w:0}{w:0}{w:0}{w:0x9000}
---
case: several bits, all masked, one of them fatal: the end
probe: excpt_mask = 0xefdf
rpn: push 3; push 2; push 0x1020; sx h; rx; exit; h: setmin 1
record: 0 0 exception -
