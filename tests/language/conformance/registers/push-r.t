# SPDX-License-Identifier: BSD-2-Clause
claim: push r pushes a register of the current context
spec: dprobes.lang(8) "push r, <name>"; RPN.md 5
covers: push r, name
---
case: r0 and r5
reg: r0=0x1234
reg: r5=7
rpn: push r, r0; push r, r5; push r, r1; log 3
record: 0 0 exit {w:0}{w:7}{w:0x1234}
---
case: a full word, 32-bit
word: 32
reg: r12=0xfedcba98
rpn: push r, r12; log 1
record: 0 0 exit {w:0xfedcba98}
---
case: a full word, 64-bit
word: 64
reg: r12=0xfedcba9876543210
rpn: push r, r12; log 1
record: 0 0 exit {w:0xfedcba9876543210}
---
case: sp and lr
reg: sp=0x8000
reg: lr=0x1234
rpn: push r, sp; push r, lr; log 2
record: 0 0 exit {w:0x1234}{w:0x8000}
---
case: flags
reg: flags=3
rpn: push r, flags; log 1
record: 0 0 exit {w:3}
---
case: names are not case-sensitive
reg: r3=3
rpn: PUSH R, R3; push r, Sp; log 2
record: 0 0 exit {w:0}{w:3}
---
case: without blanks
reg: r3=3
rpn: push r,r3; log 1
record: 0 0 exit {w:3}
