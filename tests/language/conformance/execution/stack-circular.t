# SPDX-License-Identifier: BSD-2-Clause
claim: the RPN stack is a circle of 1024 words; over- and underflow wrap silently
spec: dprobes.lang(8) DESCRIPTION; decisions.txt C01, C02, C03
covers: ros n; dup n
---
case: dropping 1024 words comes round
rpn: push 5; ros 255; ros 255; ros 255; ros 255; ros 4; log 1
record: 0 0 exit {w:5}
---
case: the 1025th word takes the place of the first
rpn: push 7; push 1; dup 255; dup 255; dup 255; dup 255; dup 3; push sbp, -1; log 1
record: 0 0 exit {w:1}
---
case: the 1024th word does not
rpn: push 7; push 1; dup 255; dup 255; dup 255; dup 255; dup 2; push sbp, -1; log 1
note: the 1025th push is the one of push sbp itself, after it has read the slot
record: 0 0 exit {w:7}
---
case: popping from an empty stack is no exception
rpn: ros 3; push 1; log 1
record: 0 0 exit {w:1}
---
case: a slot that was never pushed may hold anything, and is logged as a word
rpn: log 1
record: 0 0 exit {any}
