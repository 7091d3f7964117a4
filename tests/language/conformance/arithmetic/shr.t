# SPDX-License-Identifier: BSD-2-Clause
claim: shr is logical; in the stack form the value is TOS and the count below it; W or more gives 0
spec: dprobes.lang(8) "shr"; RPN.md 5, C72, C74
covers: shr n; shr (stack)
---
case: immediate
rpn: push 9; push 48; shr 4; log 2
record: 0 0 exit {w:3}{w:9}
---
case: stack
rpn: push 9; push 4; push 48; shr; log 2
record: 0 0 exit {w:3}{w:9}
---
case: zeros come in from the left, 32-bit
word: 32
rpn: push -1; shr 4; log 1
record: 0 0 exit {w:0x0fffffff}
---
case: zeros come in from the left, 64-bit
word: 64
rpn: push -1; shr 4; log 1
record: 0 0 exit {w:0x0fffffffffffffff}
---
case: by W-1, 32-bit
word: 32
rpn: push -1; shr 31; log 1
record: 0 0 exit {w:1}
---
case: by W, 32-bit
word: 32
rpn: push -1; shr 32; log 1
record: 0 0 exit {w:0}
---
case: by 32 in 64 bits
word: 64
rpn: push -1; shr 32; log 1
record: 0 0 exit {w:0xffffffff}
---
case: by 64
rpn: push -1; shr 64; log 1
record: 0 0 exit {w:0}
---
case: stack count 256 is not 0
rpn: push 256; push -1; shr; log 1
record: 0 0 exit {w:0}
---
case: stack count with only high bits set
word: 64
rpn: push 0x100000001; push -1; shr; log 1
record: 0 0 exit {w:0}
---
case: stack, a count of all ones
rpn: push -1; push -1; shr; log 1
record: 0 0 exit {w:0}
