# SPDX-License-Identifier: BSD-2-Clause
claim: pop mem to an address that cannot be written raises INVALID_ADDR(address, 0)
spec: dprobes.lang(8) note on memory access; decisions.txt C88
covers: pop mem, u8; pop mem, u16; pop mem, u32; pop mem, u64
raises: pop mem, u8: INVALID_ADDR; pop mem, u16: INVALID_ADDR; pop mem, u32: INVALID_ADDR; pop mem, u64: INVALID_ADDR
---
case: u8, nothing there
rpn: sx h; push 0x2000; push 5; pop mem, u8; exit; h: log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: u8, read-only
mem-ro: 0x2000=aa
rpn: sx h; push 0x2000; push 5; pop mem, u8; exit; h: log 3; push 1; push 0x2000; log mrf
record: 0 0 exit {w:1}{w:0x2000}{w:0}00{h:1}aa
---
case: u16, read-only
mem-ro: 0x2000=aabb
rpn: sx h; push 0x2000; push 5; pop mem, u16; exit; h: log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: u32, read-only
mem-ro: 0x2000=aabbccdd
rpn: sx h; push 0x2000; push 5; pop mem, u32; exit; h: log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: u64, nothing there, 32-bit
word: 32
rpn: sx h; push 0x2000; push 5; push 6; pop mem, u64; exit; h: log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: u64, nothing there, 64-bit
word: 64
rpn: sx h; push 0x2000; push 5; pop mem, u64; exit; h: log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: not caught
rpn: push 1; log 1; push 0x2000; push 5; pop mem, u8; setmin 1
record: 0 0 exception {w:1}
