# SPDX-License-Identifier: BSD-2-Clause
claim: log str logs 01, the length and the bytes up to a NUL or n bytes; the NUL is not logged
spec: dprobes.lang(8) "log str"; decisions.txt C48
covers: log str
---
case: stops at the NUL, with the length of what was logged
mem: 0x2000=61626300646566
rpn: push 256; push 0x2000; log str
record: 0 0 exit 01{h:3}616263
---
case: stops at n
mem: 0x2000=61626300646566
rpn: push 2; push 0x2000; log str
record: 0 0 exit 01{h:2}6162
---
case: n bytes, then the NUL
mem: 0x2000=61626300
rpn: push 3; push 0x2000; log str
record: 0 0 exit 01{h:3}616263
---
case: empty string
mem: 0x2000=00
rpn: push 10; push 0x2000; log str
record: 0 0 exit 01{h:0}
---
case: n is 0
mem: 0x2000=6162
rpn: push 0; push 0x2000; log str
record: 0 0 exit 01{h:0}
---
case: what lies behind the NUL is not read
mem: 0x2000=616200
rpn: push 100; push 0x2000; log str; push 1; log 1
record: 0 0 exit 01{h:2}6162{w:1}
---
case: what lies behind n bytes is not read
mem: 0x2000=6162
rpn: push 2; push 0x2000; log str; push 1; log 1
record: 0 0 exit 01{h:2}6162{w:1}
---
case: a very large n is only an upper limit
mem: 0x2000=616200
rpn: push -1; push 0x2000; log str
record: 0 0 exit 01{h:2}6162
---
case: both operands are popped
mem: 0x2000=6100
rpn: push 7; push 5; push 0x2000; log str; log 1
record: 0 0 exit 01{h:1}61{w:7}
---
case: bytes above 127
mem: 0x2000=ff80c300
rpn: push 9; push 0x2000; log str
record: 0 0 exit 01{h:3}ff80c3
