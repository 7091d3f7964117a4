# SPDX-License-Identifier: BSD-2-Clause
claim: idiv is signed and truncates toward zero; the remainder has the dividend's sign; the quotient is TOS
spec: dprobes.lang(8) "idiv"; decisions.txt C69, C70
covers: idiv
---
case: 7 by 2
rpn: push 7; push 2; idiv; log 2
record: 0 0 exit {w:3}{w:1}
---
case: -7 by 2
rpn: push -7; push 2; idiv; log 2
record: 0 0 exit {w:-3}{w:-1}
---
case: 7 by -2
rpn: push 7; push -2; idiv; log 2
record: 0 0 exit {w:-3}{w:1}
---
case: -7 by -2
rpn: push -7; push -2; idiv; log 2
record: 0 0 exit {w:3}{w:-1}
---
case: the most negative by -1 gives itself, remainder 0, 32-bit
word: 32
rpn: push 0x80000000; push -1; idiv; log 2
record: 0 0 exit {w:0x80000000}{w:0}
---
case: the most negative by -1 gives itself, remainder 0, 64-bit
word: 64
rpn: push 0x8000000000000000; push -1; idiv; log 2
record: 0 0 exit {w:0x8000000000000000}{w:0}
---
case: the 32-bit most negative is nothing special in 64 bits
word: 64
rpn: push -2147483648; push -1; idiv; log 2
record: 0 0 exit {w:2147483648}{w:0}
