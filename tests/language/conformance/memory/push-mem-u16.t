# SPDX-License-Identifier: BSD-2-Clause
claim: push mem, u16 replaces an address by the 16-bit value there, in the target's byte order, zero-extended
spec: dprobes.lang(8) "push mem, u16"; decisions.txt C87, C88
covers: push mem, u16
raises: push mem, u16: INVALID_ADDR
---
case: little-endian
endian: little
mem: 0x2000=80ff11
rpn: push 0x2000; push mem, u16; log 1
record: 0 0 exit {w:0xff80}
---
case: big-endian
endian: big
mem: 0x2000=80ff11
rpn: push 0x2000; push mem, u16; log 1
record: 0 0 exit {w:0x80ff}
---
case: unaligned, little-endian
endian: little
mem: 0x2000=80ff11
rpn: push 0x2001; push mem, u16; log 1
record: 0 0 exit {w:0x11ff}
---
case: unaligned, big-endian
endian: big
mem: 0x2000=80ff11
rpn: push 0x2001; push mem, u16; log 1
record: 0 0 exit {w:0xff11}
---
case: second byte invalid: parm1 is the address operand
mem: 0x2000=80
rpn: sx h; push 0x2000; push mem, u16; exit; h: log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
