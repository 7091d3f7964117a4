# SPDX-License-Identifier: BSD-2-Clause
claim: logmax counts the bytes of the user log alone
spec: dprobes.lang(8) "logmax"; decisions.txt C56, C61
covers: log n; push lp
---
case: logmax = 0 logs nothing and is an overflow
header: logmax = 0
rpn: push 1; log 1; setmin 2
record: 0 2 exit -
---
case: logmax = 0, unmasked
header: logmax = 0
probe: excpt_mask = 0x1fff
rpn: push 1; log 1; setmin 2
record: 0 0 exception -
---
case: the default is 1024, all of it for user bytes
word: 32
rpn: push 5; dup 255; log 256; push lp; setmin; push 1; log 1; push 0; pop lp
record: 0 1024 exit -
---
case: the default is 1024, 64-bit
word: 64
rpn: push 5; dup 127; log 128; push lp; setmin; push 1; log 1; push 0; pop lp
record: 0 1024 exit -
---
case: one more byte than 1024 overflows with parm1 1024
word: 32
probe: excpt_mask = 0x1fff
rpn: sx h; push 5; dup 255; log 256; push 1; log 1; exit; h: push 0; pop lp; log 3
record: 0 0 exit {w:0x1000}{w:1024}{w:0}
---
case: a smaller limit
word: 32
header: logmax = 4
probe: excpt_mask = 0x1fff
rpn: push 1; log 1; push 2; log 1
record: 0 0 exception {w:1}
---
case: room given back by pop lp can be used again
word: 32
header: logmax = 4
probe: excpt_mask = 0x1fff
rpn: push 1; log 1; push 0; pop lp; push 2; log 1
record: 0 0 exit {w:2}
