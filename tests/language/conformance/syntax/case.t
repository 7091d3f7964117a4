# SPDX-License-Identifier: BSD-2-Clause
claim: mnemonics, operands, registers and labels are not case-sensitive
spec: dprobes.lang(8) "everything else is case-insensitive"; decisions.txt C08
covers: push r, name; push lv, n
---
case: upper case
header: vars = 1
reg: r0=5
rpn: PUSH R, R0; POP LV, 0; PUSH LV, 0; LOG 1; EXIT
record: 0 0 exit {w:5}
---
case: mixed
header: vars = 1
mem: 0x2000=61
rpn: Push 1; Push 0X2000; Log MRF; Inc Lv, 0; push lV, 0; Loop l; l: Log 1
record: 0 0 exit 00{h:1}61{w:0}
---
case: Push R, ECX of the man page, with the register of this CPU
reg: r2=7
rpn: Push R, R2; log 1
record: 0 0 exit {w:7}
