# SPDX-License-Identifier: BSD-2-Clause
claim: pop mem stores the low part of TOS at the address below it, in the target's byte order
spec: dprobes.lang(8) "pop mem"; RPN.md 5
covers: pop mem, u8; pop mem, u16; pop mem, u32; pop mem, u64
---
case: u8
mem: 0x2000=aaaaaaaa
rpn: push 9; push 0x2001; push 0x11223344; pop mem, u8; log 1; push 4; push 0x2000; log mrf
record: 0 0 exit {w:9}00{h:4}aa44aaaa
---
case: u16
mem: 0x2000=aaaaaaaa
rpn: push 0x2000; push 0x11223344; pop mem, u16; push 4; push 0x2000; log mrf
record: 0 0 exit 00{h:4}{h:0x3344}aaaa
---
case: u16, unaligned
mem: 0x2000=aaaaaaaa
rpn: push 0x2001; push 0x11223344; pop mem, u16; push 4; push 0x2000; log mrf
record: 0 0 exit 00{h:4}aa{h:0x3344}aa
---
case: u32
mem: 0x2000=aaaaaaaaaa
rpn: push 9; push 0x2000; push 0x11223344; pop mem, u32; log 1; push 5; push 0x2000; log mrf
record: 0 0 exit {w:9}00{h:5}{d:0x11223344}aa
---
case: u32 of a 64-bit word stores the low half
word: 64
mem: 0x2000=aaaaaaaaaa
rpn: push 0x2000; push 0x1122334455667788; pop mem, u32; push 5; push 0x2000; log mrf
record: 0 0 exit 00{h:5}{d:0x55667788}aa
---
case: u64 in 64-bit takes one word
word: 64
mem: 0x2000=aaaaaaaaaaaaaaaaaa
rpn: push 9; push 0x2000; push 0x1122334455667788; pop mem, u64; log 1; push 9; push 0x2000; log mrf
record: 0 0 exit {w:9}00{h:9}{q:0x1122334455667788}aa
---
case: u64 in 32-bit takes two words, TOS goes to the lower address
word: 32
mem: 0x2000=aaaaaaaaaaaaaaaaaa
rpn: push 9; push 0x2000; push 0x11223344; push 0x55667788; pop mem, u64; log 1; push 9; push 0x2000; log mrf
record: 0 0 exit {w:9}00{h:9}{w:0x55667788}{w:0x11223344}aa
---
case: u64 copies what push mem, u64 read
mem: 0x2000=0123456789abcdef
mem: 0x3000=0000000000000000
rpn: push 0x3000; push 0x2000; push mem, u64; pop mem, u64; push 8; push 0x3000; log mrf
record: 0 0 exit 00{h:8}0123456789abcdef
