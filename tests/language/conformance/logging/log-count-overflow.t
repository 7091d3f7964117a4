# SPDX-License-Identifier: BSD-2-Clause
claim: log n that overflows logs the whole words that fit, pops all n and raises LOG_OVERFLOW(logmax, 0)
spec: dprobes.lang(8) "log <count>" note; decisions.txt C52, C56
covers: log n
raises: log n: LOG_OVERFLOW
---
case: exactly full, 32-bit
word: 32
header: logmax = 8
probe: excpt_mask = 0x1fff
rpn: push 1; push 2; log 2
record: 0 0 exit {w:2}{w:1}
---
case: exactly full, 64-bit
word: 64
header: logmax = 16
probe: excpt_mask = 0x1fff
rpn: push 1; push 2; log 2
record: 0 0 exit {w:2}{w:1}
---
case: one byte short, masked: goes on with all words popped, 32-bit
word: 32
header: logmax = 7
rpn: push 9; push 1; push 2; log 2; setmin
record: 0 9 exit {w:2}
---
case: one byte short, masked: goes on with all words popped, 64-bit
word: 64
header: logmax = 15
rpn: push 9; push 1; push 2; log 2; setmin
record: 0 9 exit {w:2}
---
case: unmasked and not caught: ends, the partial log is kept
word: 32
header: logmax = 7
probe: excpt_mask = 0x1fff
rpn: push 1; push 2; log 2; setmin 5
record: 0 0 exception {w:2}
---
case: unmasked and caught
word: 32
header: logmax = 7
probe: excpt_mask = 0x1fff
rpn: sx h; push 1; push 2; log 2; exit; h: push plp; pop lp; log 1
record: 0 0 exit {w:0x1000}
---
case: parm1 is logmax
word: 32
header: logmax = 7
probe: excpt_mask = 0x1fff
rpn: sx h; push 1; push 2; log 2; exit; h: push plp; pop lp; ros 1; log 1
record: 0 0 exit {w:7}
---
case: all words are popped before the exception is put on the stack
word: 32
header: logmax = 7
probe: excpt_mask = 0x1fff
rpn: sx h; push 9; push 1; push 2; log 2; exit; h: push plp; pop lp; ros 3; log 1
record: 0 0 exit {w:9}
---
case: nothing fits
word: 32
header: logmax = 3
rpn: push 1; log 1; setmin 2
record: 0 2 exit -
