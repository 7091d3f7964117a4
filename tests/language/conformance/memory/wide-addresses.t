# SPDX-License-Identifier: BSD-2-Clause
claim: addresses are full words
spec: RPN.md 5, C44
covers: push mem, u8; pop mem, u8; log mrf; log str; vfyr
---
case: above 4 GiB
word: 64
mem: 0x123456789000=61620063
rpn: push 0x123456789003; push mem, u8; log 1; push 9; push 0x123456789000; log str; push 4; push 0x123456789000; log mrf
record: 0 0 exit {w:0x63}01{h:2}616200{h:4}61620063
---
case: the low 32 bits alone are another address
word: 64
mem: 0x56789000=61
rpn: sx h; push 0x123456789000; vfyr; log 1; push 1; push 0x123456789000; log mrf; exit; h: log 3
record: 0 0 exit {w:1}ff{h:8}{w:0x123456789000}{w:1}{w:0x123456789000}{w:0}
---
case: writing above 4 GiB
word: 64
mem: 0x123456789000=00
rpn: push 0x123456789000; push 7; pop mem, u8; push 0x123456789000; push mem, u8; log 1
record: 0 0 exit {w:7}
---
case: the upper half of a 32-bit address space
word: 32
mem: 0xfffffff0=6100
rpn: push -16; push mem, u8; log 1; push 5; push 0xfffffff0; log str
record: 0 0 exit {w:0x61}01{h:1}61
