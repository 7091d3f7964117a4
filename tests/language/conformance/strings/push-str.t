# SPDX-License-Identifier: BSD-2-Clause
claim: push str pushes the string at an address as n words, NUL padded, cut, in all forms the same values
spec: RPN.md 5.8
covers: push str, n
raises: push str, n: INVALID_ADDR
---
case: two words, 32 bits
word: 32
mem: 0x2001=61626364656600
rpn: push 0x2001; push str, 2; log 2
record: 0 0 exit {w:0x65660000}{w:0x61626364}
---
case: cut, 32 bits
word: 32
mem: 0x2001=61626364656600
rpn: push 7; push 0x2001; push str, 1; log 2
record: 0 0 exit {w:0x61626364}{w:7}
---
case: empty, and bytes behind the NUL
word: 32
mem: 0x2000=00616263
rpn: push 0x2000; push str, 2; log 2
record: 0 0 exit {w:0}{w:0}
---
case: two words, 64 bits
word: 64
mem: 0x2003=6162636465666768696a00
rpn: push 0x2003; push str, 2; log 2
record: 0 0 exit {w:0x696a000000000000}{w:0x6162636465666768}
---
case: the high bit is no sign
word: 32
mem: 0x2000=ff00
rpn: push 0x2000; push str, 1; log 1
record: 0 0 exit {w:0xff000000}
---
case: no word
mem: 0x2000=ff00
rpn: push 7; push 0x2000; push str, 0; log 1
record: 0 0 exit {w:7}
---
case: a string that ends nowhere
mem: 0x2000=61626364
rpn: sx out; push 0x2000; push str, 4; out: log 2
record: 0 0 exit {w:1}{w:0x2004}
---
case: a string at the end of memory
word: 32
mem: 0x2000=616200
rpn: push 0x2000; push str, 2; log 2
record: 0 0 exit {w:0}{w:0x61620000}
