# SPDX-License-Identifier: BSD-2-Clause
claim: sp, lr, pc, arg0 to arg3 and retval are names of registers on every CPU
spec: RPN.md 4 (aliases such as arg0..arg3 and retval)
covers: push r, name; pop r, name
---
case: arg0 to arg3
reg: arg0=1
reg: arg1=2
reg: arg2=3
reg: arg3=4
rpn: push r, arg0; push r, arg1; push r, arg2; push r, arg3; log 4
record: 0 0 exit {w:4}{w:3}{w:2}{w:1}
---
case: retval
reg: retval=5
rpn: push r, retval; push u, retval; log 2
record: 0 0 exit {w:5}{w:5}
---
case: which registers they are in the simulator
boards: no, which registers the aliases name differs from CPU to CPU
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
boards: no, which registers the aliases name differs from CPU to CPU
rpn: push 9; pop r, retval; push r, arg0; push r, r0; log 2
record: 0 0 exit {w:9}{w:9}
---
case: writing an argument and the result
rpn: push 9; pop r, arg1; push 8; pop u, retval; push r, arg1; push r, retval; log 2
record: 0 0 exit {w:8}{w:9}
