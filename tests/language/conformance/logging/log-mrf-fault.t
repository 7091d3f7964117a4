# SPDX-License-Identifier: BSD-2-Clause
claim: log mrf that meets an unreadable byte logs only the fault record with that byte's address and raises INVALID_ADDR(address, 0)
spec: dprobes.lang(8) "log mrf"; decisions.txt C43, C44, C45, C46
covers: log mrf; fault record
raises: log mrf: INVALID_ADDR
---
case: not caught, 32-bit
word: 32
rpn: push 4; push 0x2000; log mrf; setmin 1
record: 0 0 exception ff{h:4}{w:0x2000}
---
case: not caught, 64-bit: eight address bytes and length 8
word: 64
rpn: push 4; push 0x2000; log mrf; setmin 1
record: 0 0 exception ff{h:8}{w:0x2000}
---
case: the first unreadable byte, not the start; bytes before it are dropped
word: 32
mem: 0x2000=aabbcc
rpn: sx h; push 8; push 0x2000; log mrf; exit; h: log 3
record: 0 0 exit ff{h:4}{w:0x2003}{w:1}{w:0x2003}{w:0}
---
case: the first unreadable byte, 64-bit
word: 64
mem: 0x2000=aabbcc
rpn: sx h; push 8; push 0x2000; log mrf; exit; h: log 3
record: 0 0 exit ff{h:8}{w:0x2003}{w:1}{w:0x2003}{w:0}
---
case: literal bytes, big-endian
word: 32
endian: big
rpn: push 4; push 0x2000; log mrf
record: 0 0 exception ff000400002000
---
case: literal bytes, little-endian
word: 32
endian: little
rpn: push 4; push 0x2000; log mrf
record: 0 0 exception ff040000200000
---
case: an earlier log is kept
word: 32
rpn: push 1; log 1; push 4; push 0x2000; log mrf
record: 0 0 exception {w:1}ff{h:4}{w:0x2000}
---
case: the fault record can be backed out
rpn: sx h; push 1; log 1; push 4; push 0x2000; log mrf; exit; h: push plp; pop lp; push 2; log 1
record: 0 0 exit {w:1}{w:2}
---
case: masked INVALID_ADDR terminates, the fault record stays
word: 32
probe: excpt_mask = 0x0ffe
rpn: sx h; push 4; push 0x2000; log mrf; exit; h: push 1; log 1
record: 0 0 exception ff{h:4}{w:0x2000}
---
case: range over the end of the address space, 32-bit
word: 32
mem: 0xfffffffe=aabb
rpn: push 4; push 0xfffffffe; log mrf
note: the byte after the last one is taken to be address 0, as addresses are words modulo 2^W
record: 0 0 exception ff{h:4}{w:0}
