# SPDX-License-Identifier: BSD-2-Clause
claim: push mem, u8 replaces an address by the byte there, zero-extended
spec: dprobes.lang(8) "push mem, u8"
covers: push mem, u8
raises: push mem, u8: INVALID_ADDR
---
case: 0xff
mem: 0x2000=80ff
rpn: push 9; push 0x2001; push mem, u8; push 0x2000; push mem, u8; log 3
record: 0 0 exit {w:0x80}{w:0xff}{w:9}
---
case: read-only memory
mem-ro: 0x2000=80
rpn: push 0x2000; push mem, u8; log 1
record: 0 0 exit {w:0x80}
---
case: invalid address, caught
rpn: sx h; push 0x2000; push mem, u8; exit; h: log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: invalid address, not caught: no fault record in the log
rpn: push 1; log 1; push 0x2000; push mem, u8; log 1
record: 0 0 exception {w:1}
---
case: invalid address, masked
probe: excpt_mask = 0x0ffe
rpn: sx h; push 0x2000; push mem, u8; exit; h: push 1; log 1
record: 0 0 exception -
