# SPDX-License-Identifier: BSD-2-Clause
claim: jlt jumps if TOS < 0, signed, and leaves TOS where it is
spec: dprobes.lang(8) "jlt"; decisions.txt C23, C24
covers: jlt L
---
case: minus one jumps
rpn: push -1; jlt yes; log 1; exit; yes: setmin 1; log 1
record: 0 1 exit {w:-1}
---
case: zero does not
rpn: push 0; jlt yes; log 1; exit; yes: setmin 1; log 1
record: 0 0 exit {w:0}
---
case: one does not
rpn: push 1; jlt yes; log 1; exit; yes: setmin 1; log 1
record: 0 0 exit {w:1}
---
case: the top bit alone is negative
rpn: push 1; ror 1; jlt yes; exit; yes: setmin 1
record: 0 1 exit -
---
case: 0x80000000 is negative in a 32-bit word
word: 32
rpn: push 0x80000000; jlt yes; exit; yes: setmin 1
record: 0 1 exit -
---
case: 0x80000000 is positive in a 64-bit word
word: 64
rpn: push 0x80000000; jlt yes; exit; yes: setmin 1
record: 0 0 exit -
