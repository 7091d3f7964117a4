# SPDX-License-Identifier: BSD-2-Clause
claim: the simulator's register aliases name the same registers
spec: DESIGN.md 6 (aliases such as arg0..arg3 and retval)
covers: push r, name; pop r, name
---
case: arg0 to arg3 and retval
reg: r0=1
reg: r1=2
reg: r2=3
reg: r3=4
rpn: push r, arg0; push r, arg1; push r, arg2; push r, arg3; push r, retval; log 5
record: 0 0 exit {w:1}{w:4}{w:3}{w:2}{w:1}
---
case: r13 and r14
reg: sp=0x8000
reg: lr=0x1234
rpn: push r, r13; push r, r14; log 2
record: 0 0 exit {w:0x1234}{w:0x8000}
---
case: writing through one name, reading through the other
rpn: push 9; pop r, retval; push r, arg0; push r, r0; log 2
record: 0 0 exit {w:9}{w:9}
