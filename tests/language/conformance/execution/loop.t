# SPDX-License-Identifier: BSD-2-Clause
claim: loop decrements TOS in place and jumps while it is not zero; a zero stays on the stack
spec: dprobes.lang(8) "Loop"; RPN.md 5, C28
covers: loop L
---
case: three rounds
header: vars = 1
rpn: push 3; again: inc lv, 0; loop again; log 1; push lv, 0; log 1
record: 0 0 exit {w:0}{w:3}
---
case: one falls through at once
rpn: push 9; push 1; loop no; log 2; exit; no: setmin 1
record: 0 0 exit {w:0}{w:9}
---
case: zero wraps to all ones and jumps
rpn: push 0; loop yes; exit; yes: log 1
record: 0 0 exit {w:-1}
---
case: endless loop from zero stops at jmpmax
rpn: sx h; push 0; again: loop again; exit; h: log 3
record: 0 0 exit {w:0x4}{w:256}{w:0}
