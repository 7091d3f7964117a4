# SPDX-License-Identifier: BSD-2-Clause
claim: push mem, u32 replaces an address by the 32-bit value there, in the target's byte order, zero-extended
spec: dprobes.lang(8) "push mem, u32"; decisions.txt C87, C88
covers: push mem, u32
raises: push mem, u32: INVALID_ADDR
---
case: 32-bit word: the bytes come out as they lie
word: 32
mem: 0x2000=fedcba9800
rpn: push 0x2000; push mem, u32; log 1
record: 0 0 exit fedcba98
---
case: little-endian
endian: little
mem: 0x2000=fedcba98
rpn: push 0x2000; push mem, u32; log 1
record: 0 0 exit {w:0x98badcfe}
---
case: big-endian
endian: big
mem: 0x2000=fedcba98
rpn: push 0x2000; push mem, u32; log 1
record: 0 0 exit {w:0xfedcba98}
---
case: unaligned
word: 32
mem: 0x2000=fedcba9876543210
rpn: push 0x2001; push mem, u32; push 0x2002; push mem, u32; push 0x2003; push mem, u32; log 3
record: 0 0 exit 98765432ba987654dcba9876
---
case: last byte invalid: parm1 is the address operand
mem: 0x2000=fedcba
rpn: sx h; push 0x2000; push mem, u32; exit; h: log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: not caught
rpn: push 1; log 1; push 0x2000; push mem, u32; log 1
record: 0 0 exception {w:1}
