# SPDX-License-Identifier: BSD-2-Clause
claim: a masked JMP_MAX terminates the handler at once, past any sx; the log is kept
spec: dprobes.lang(8) "Loop" note, excpt_mask; decisions.txt C95
covers: jmp L
---
case: masked
header: jmpmax = 0
probe: excpt_mask = 0x0ffb
rpn: sx h; push 1; log 1; jmp a; a: exit; h: log 3
record: 0 0 exception {w:1}
