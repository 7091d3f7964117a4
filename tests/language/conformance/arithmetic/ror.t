# SPDX-License-Identifier: BSD-2-Clause
claim: ror rotates right modulo W; in the stack form the value is TOS and the count below it
spec: dprobes.lang(8) "ror"; decisions.txt C73, C74
covers: ror n; ror (stack)
---
case: immediate
rpn: push 9; push 16; ror 4; log 2
record: 0 0 exit {w:1}{w:9}
---
case: stack
rpn: push 9; push 4; push 16; ror; log 2
record: 0 0 exit {w:1}{w:9}
---
case: bits come back at the left, 32-bit
word: 32
rpn: push 0x12345678; ror 8; log 1
record: 0 0 exit {w:0x78123456}
---
case: bits come back at the left, 64-bit
word: 64
rpn: push 0x12345678; ror 8; log 1
record: 0 0 exit {w:0x7800000000123456}
---
case: by 0
rpn: push 5; ror 0; log 1
record: 0 0 exit {w:5}
---
case: by 64
rpn: push 5; ror 64; log 1
record: 0 0 exit {w:5}
---
case: by 65
rpn: push 10; ror 65; log 1
record: 0 0 exit {w:5}
---
case: undoes rol
rpn: push -77; rol 13; ror 13; log 1
record: 0 0 exit {w:-77}
