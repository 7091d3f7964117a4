# SPDX-License-Identifier: BSD-2-Clause
claim: log str that meets an unreadable byte before the NUL logs only the fault record (token 0xff) and raises INVALID_ADDR(address, 0)
spec: dprobes.lang(8) "log str"; decisions.txt C43, C45, C46
covers: log str; fault record
raises: log str: INVALID_ADDR
---
case: at once, 32-bit
word: 32
rpn: push 4; push 0x2000; log str; setmin 1
record: 0 0 exception ff{h:4}{w:0x2000}
---
case: at once, 64-bit
word: 64
rpn: push 4; push 0x2000; log str; setmin 1
record: 0 0 exception ff{h:8}{w:0x2000}
---
case: in the middle
word: 32
mem: 0x2000=616263
rpn: sx h; push 9; push 0x2000; log str; exit; h: log 3
record: 0 0 exit ff{h:4}{w:0x2003}{w:1}{w:0x2003}{w:0}
---
case: masked
word: 32
probe: excpt_mask = 0x0ffe
rpn: sx h; push 4; push 0x2000; log str; exit; h: push 1; log 1
record: 0 0 exception ff{h:4}{w:0x2000}
