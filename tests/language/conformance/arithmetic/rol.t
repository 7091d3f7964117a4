# SPDX-License-Identifier: BSD-2-Clause
claim: rol rotates left modulo W; in the stack form the value is TOS and the count below it
spec: dprobes.lang(8) "rol"; decisions.txt C73, C74
covers: rol n; rol (stack)
---
case: immediate
rpn: push 9; push 1; rol 4; log 2
record: 0 0 exit {w:16}{w:9}
---
case: stack
rpn: push 9; push 4; push 1; rol; log 2
record: 0 0 exit {w:16}{w:9}
---
case: bits come back at the right, 32-bit
word: 32
rpn: push 0x80000001; rol 4; log 1
record: 0 0 exit {w:0x18}
---
case: bits come back at the right, 64-bit
word: 64
rpn: push 0x8000000000000001; rol 4; log 1
record: 0 0 exit {w:0x18}
---
case: by 0
rpn: push 5; rol 0; log 1
record: 0 0 exit {w:5}
---
case: by W, 32-bit
word: 32
rpn: push 5; rol 32; log 1
record: 0 0 exit {w:5}
---
case: by 64
rpn: push 5; rol 64; log 1
record: 0 0 exit {w:5}
---
case: by 65
rpn: push 5; rol 65; log 1
record: 0 0 exit {w:10}
---
case: stack count 257
rpn: push 257; push 5; rol; log 1
record: 0 0 exit {w:10}
---
case: stack count -1 is W-1 places
rpn: push -1; push 2; rol; log 1
record: 0 0 exit {w:1}
