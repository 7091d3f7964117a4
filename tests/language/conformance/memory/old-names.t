# SPDX-License-Identifier: BSD-2-Clause
claim: the old names bif, wif, dif, qif and push b, w, d are accepted
spec: dprobes.lang(8) "push bif", "push b"; RPN.md 10
covers: push bif; push wif; push dif; push qif; pop bif; pop wif; pop dif; pop qif; push b, n; push w, n; push d, n
---
case: push bif
mem: 0x2000=80ff
rpn: push 0x2001; push bif; log 1
record: 0 0 exit {w:0xff}
---
case: push wif
mem: 0x2000=8080
rpn: push 0x2000; push wif; log 1
record: 0 0 exit {w:0x8080}
---
case: push dif
word: 32
mem: 0x2000=01020304
rpn: push 0x2000; push dif; log 1
record: 0 0 exit 01020304
---
case: push qif
word: 32
mem: 0x2000=0102030405060708
rpn: push 0x2000; push qif; log 2
record: 0 0 exit 0102030405060708
---
case: pop bif
mem: 0x2000=aaaa
rpn: push 0x2000; push 5; pop bif; push 2; push 0x2000; log mrf
record: 0 0 exit 00{h:2}05aa
---
case: pop wif
mem: 0x2000=aaaaaa
rpn: push 0x2000; push 0x1234; pop wif; push 3; push 0x2000; log mrf
record: 0 0 exit 00{h:3}{h:0x1234}aa
---
case: pop dif
mem: 0x2000=aaaaaaaaaa
rpn: push 0x2000; push 0x12345678; pop dif; push 5; push 0x2000; log mrf
record: 0 0 exit 00{h:5}{d:0x12345678}aa
---
case: pop qif
word: 64
mem: 0x2000=aaaaaaaaaaaaaaaaaa
rpn: push 0x2000; push 1; pop qif; push 9; push 0x2000; log mrf
record: 0 0 exit 00{h:9}{q:1}aa
---
case: push b, w, d with values that fit
rpn: push b, 255; push w, 65535; push d, 0xffffffff; log 3
record: 0 0 exit {w:0xffffffff}{w:0xffff}{w:0xff}
---
case: push d,16 as in the ALS 2000 paper
rpn: push d,16; log 1
record: 0 0 exit {w:16}
