# SPDX-License-Identifier: BSD-2-Clause
claim: LP is the number of bytes in the user log: 0 at the start, moved by every logging instruction; pop lp sets it
spec: dprobes.lang(8) "push lp", "pop lp"; decisions.txt C57
covers: push lp; pop lp
---
case: 0 at the start
rpn: push lp; log 1
record: 0 0 exit {w:0}
---
case: after four bytes
mem: 0x2000=41
rpn: push 1; push 0x2000; log mrf; push lp; log 1
record: 0 0 exit 00{h:1}41{w:4}
---
case: after a word, 32-bit
word: 32
rpn: push 9; log 1; push lp; log 1
record: 0 0 exit {w:9}{w:4}
---
case: after a word, 64-bit
word: 64
rpn: push 9; log 1; push lp; log 1
record: 0 0 exit {w:9}{w:8}
---
case: pop lp drops the end of the log
mem: 0x2000=4142434445
rpn: push 5; push 0x2000; log mrf; push 5; pop lp
record: 0 0 exit 00{h:5}4142
---
case: later logs write over
mem: 0x2000=41
rpn: push 1; push 0x2000; log mrf; push 0; pop lp; push 7; log 1
record: 0 0 exit {w:7}
---
case: setting it to what it is
mem: 0x2000=41
rpn: push 1; push 0x2000; log mrf; push 4; pop lp
record: 0 0 exit 00{h:1}41
