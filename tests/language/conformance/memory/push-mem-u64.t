# SPDX-License-Identifier: BSD-2-Clause
claim: push mem, u64 pushes two words on 32-bit, TOS the one at the lower address, and one word on 64-bit
spec: dprobes.lang(8) "push mem, u64"; decisions.txt C86
covers: push mem, u64
raises: push mem, u64: INVALID_ADDR
---
case: 32-bit: log 2 gives the bytes as they lie
word: 32
mem: 0x2000=0123456789abcdef
rpn: push 9; push 0x2000; push mem, u64; log 3
record: 0 0 exit 0123456789abcdef{w:9}
---
case: 64-bit
word: 64
mem: 0x2000=0123456789abcdef
rpn: push 9; push 0x2000; push mem, u64; log 2
record: 0 0 exit 0123456789abcdef{w:9}
---
case: 32-bit little-endian: the low word is on top
word: 32
endian: little
mem: 0x2000=0123456789abcdef
rpn: push 0x2000; push mem, u64; log 1
record: 0 0 exit {w:0x67452301}
---
case: 32-bit big-endian: the high word is on top
word: 32
endian: big
mem: 0x2000=0123456789abcdef
rpn: push 0x2000; push mem, u64; log 1
record: 0 0 exit {w:0x01234567}
---
case: invalid
mem: 0x2000=01234567
rpn: sx h; push 0x2000; push mem, u64; exit; h: log 3
record: 0 0 exit {w:1}{w:0x2000}{w:0}
