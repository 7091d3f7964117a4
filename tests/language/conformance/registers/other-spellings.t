# SPDX-License-Identifier: BSD-2-Clause
claim: a register may be given by number, and a bare register name pushes it where no symbol of that name is meant
spec: RPN.md 10 (001: "push r,<n>", aliases)
covers: push r, number; push register
---
case: by number
reg: r0=7
reg: r5=8
note: the simulator's register rN is taken to have the number N
rpn: push r, 0; push r, 5; log 2
record: 0 0 exit {w:8}{w:7}
---
case: by hexadecimal number
reg: r10=8
note: the simulator's register rN is taken to have the number N
rpn: push r, 0xa; log 1
record: 0 0 exit {w:8}
---
case: bare name
reg: r3=9
rpn: push r3; log 1
record: 0 0 exit {w:9}
