# SPDX-License-Identifier: BSD-2-Clause
claim: pbr n sets all bits right of bit n-1 to bit n-1; in the stack form n is TOS
spec: dprobes.lang(8) "pbr"; RPN.md 5, C74
covers: pbr n; pbr (stack)
---
case: set
rpn: push 9; push 0x18; pbr 4; log 2
record: 0 0 exit {w:0x1f}{w:9}
---
case: clear
rpn: push 0xf7; pbr 4; log 1
record: 0 0 exit {w:0xf0}
---
case: stack, n on top
rpn: push 9; push 0x18; push 4; pbr; log 2
record: 0 0 exit {w:0x1f}{w:9}
---
case: n = 1 changes nothing
rpn: push 0x1234; pbr 1; log 1
record: 0 0 exit {w:0x1234}
---
case: n = W, sign set, 32-bit
word: 32
rpn: push 0x80000000; pbr 32; log 1
record: 0 0 exit {w:-1}
---
case: n = W, sign clear, 32-bit
word: 32
rpn: push 0x7fffffff; push 32; pbr; log 1
record: 0 0 exit {w:0}
---
case: n = W, sign set, 64-bit
word: 64
rpn: push 0x8000000000000000; pbr 64; log 1
record: 0 0 exit {w:-1}
