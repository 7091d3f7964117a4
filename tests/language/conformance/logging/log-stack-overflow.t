# SPDX-License-Identifier: BSD-2-Clause
claim: log that overflows keeps the words that fit under their true count and raises LOG_OVERFLOW(logmax, 0)
spec: dprobes.lang(8) "log" note; decisions.txt C50, C51, C52
covers: log (stack)
raises: log (stack): LOG_OVERFLOW
---
case: exactly full, 32-bit
word: 32
header: logmax = 11
probe: excpt_mask = 0x1fff
rpn: push 1; push 2; push 2; log
record: 0 0 exit 07{h:2}{w:2}{w:1}
---
case: one byte short, masked
word: 32
header: logmax = 10
rpn: push 9; push 1; push 2; push 2; log; setmin
note: RPN.md says for log n that all words are popped; taken to hold for the stack form too
record: 0 9 exit 07{h:1}{w:2}
---
case: one byte short, 64-bit
word: 64
header: logmax = 18
rpn: push 1; push 2; push 2; log
record: 0 0 exit 07{h:1}{w:2}
---
case: one byte short, unmasked, not caught
word: 32
header: logmax = 10
probe: excpt_mask = 0x1fff
rpn: push 1; push 2; push 2; log; setmin 1
record: 0 0 exception 07{h:1}{w:2}
---
case: one byte short, unmasked, caught
word: 32
header: logmax = 14
probe: excpt_mask = 0x1fff
rpn: sx h; push 1; push 2; push 3; push 3; log; exit; h: push plp; pop lp; log 3
record: 0 0 exit {w:0x1000}{w:14}{w:0}
---
case: the prefix does not fit
header: logmax = 2
rpn: push 1; push 1; log; setmin 3
record: 0 3 exit -
