# SPDX-License-Identifier: BSD-2-Clause
claim: find counts the bytes before a byte or the NUL, at most n
spec: RPN.md 5.8
covers: find n
raises: find n: INVALID_ADDR
---
case: the byte, the NUL, the limit
mem: 0x2001=61626364656600
rpn: push 0x2001; push 0x65; find 9; push 0x2001; push 0x78; find 9; push 0x2001; push 0x65; find 3; log 3
record: 0 0 exit {w:3}{w:6}{w:4}
---
case: the low byte counts, without a sign
mem: 0x2000=61ff00
rpn: push 0x2000; push -1; find 9; push 0x2000; push 0x100; find 9; log 2
record: 0 0 exit {w:2}{w:1}
---
case: the first byte
mem: 0x2000=6100
rpn: push 5; push 0x2000; push 0x61; find 9; log 2
record: 0 0 exit {w:0}{w:5}
---
case: nothing is read for no bytes
rpn: push 0x2000; push 0x61; find 0; log 1
record: 0 0 exit {w:0}
---
case: a string that ends nowhere
mem: 0x2000=61626364
rpn: sx out; push 0x2000; push 0; find 9; out: log 2
record: 0 0 exit {w:1}{w:0x2004}
