# SPDX-License-Identifier: BSD-2-Clause
claim: pbl n sets all bits left of bit n-1 to bit n-1; in the stack form n is TOS
spec: dprobes.lang(8) "pbl"; RPN.md 5, C74
covers: pbl n; pbl (stack)
---
case: extends a negative byte
rpn: push 9; push 0x80; pbl 8; log 2
record: 0 0 exit {w:-128}{w:9}
---
case: extends a positive byte, bits above are cleared
rpn: push 0xf7f; pbl 8; log 1
record: 0 0 exit {w:0x7f}
---
case: stack, n on top
rpn: push 9; push 0x8000; push 16; pbl; log 2
record: 0 0 exit {w:-32768}{w:9}
---
case: n = 1, set
rpn: push 1; pbl 1; log 1
record: 0 0 exit {w:-1}
---
case: n = 1, clear
rpn: push -2; pbl 1; log 1
record: 0 0 exit {w:0}
---
case: n = W changes nothing, 32-bit
word: 32
rpn: push 0x80000001; pbl 32; log 1
record: 0 0 exit {w:0x80000001}
---
case: n = W changes nothing, 64-bit
word: 64
rpn: push 0x8000000000000001; push 64; pbl; log 1
record: 0 0 exit {w:0x8000000000000001}
---
case: n = 32 in 64 bits
word: 64
rpn: push 0x80000000; pbl 32; log 1
record: 0 0 exit {w:0xffffffff80000000}
