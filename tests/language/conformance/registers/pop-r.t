# SPDX-License-Identifier: BSD-2-Clause
claim: pop r sets a register of the current context and pops the value
spec: dprobes.lang(8) "pop r, <name>"; RPN.md 5
covers: pop r, name
# proves: P2.4
---
case: set and read back
reg: r4=1
rpn: push 7; push 5; pop r, r4; push r, r4; log 2
record: 0 0 exit {w:5}{w:7}
---
case: the others stay
reg: r4=1
reg: r5=2
rpn: push 9; pop r, r4; push r, r5; log 1
record: 0 0 exit {w:2}
---
case: all ones
rpn: push -1; pop r, r12; push r, r12; log 1
record: 0 0 exit {w:-1}
