# SPDX-License-Identifier: BSD-2-Clause
claim: shl shifts left; in the stack form the value is TOS and the count below it; W or more gives 0
spec: dprobes.lang(8) "shl"; decisions.txt C72, C74
covers: shl n; shl (stack)
---
case: immediate
rpn: push 9; push 3; shl 4; log 2
record: 0 0 exit {w:48}{w:9}
---
case: stack
rpn: push 9; push 4; push 3; shl; log 2
record: 0 0 exit {w:48}{w:9}
---
case: by 0
rpn: push 3; shl 0; log 1
record: 0 0 exit {w:3}
---
case: by W-1, 32-bit
word: 32
rpn: push 3; shl 31; log 1
record: 0 0 exit {w:0x80000000}
---
case: by W-1, 64-bit
word: 64
rpn: push 3; shl 63; log 1
record: 0 0 exit {w:0x8000000000000000}
---
case: by W, 32-bit
word: 32
rpn: push 3; shl 32; log 1
record: 0 0 exit {w:0}
---
case: by 32 in 64 bits
word: 64
rpn: push 3; shl 32; log 1
record: 0 0 exit {w:0x300000000}
---
case: by 64
rpn: push -1; shl 64; log 1
record: 0 0 exit {w:0}
---
case: by 255
rpn: push -1; shl 255; log 1
record: 0 0 exit {w:0}
---
case: stack count 256 is not 0
rpn: push 256; push -1; shl; log 1
record: 0 0 exit {w:0}
---
case: stack count -1 is large
rpn: push -1; push 5; shl; log 1
record: 0 0 exit {w:0}
