# SPDX-License-Identifier: BSD-2-Clause
claim: xchg exchanges the top two words
spec: dprobes.lang(8) "xchg", sample 2
covers: xchg
---
case: sample 2
rpn: push 0x02; push 0xff; xchg; log 2
record: 0 0 exit {w:2}{w:0xff}
---
case: the third stays
rpn: push 1; push 2; push 3; xchg; log 3
record: 0 0 exit {w:2}{w:3}{w:1}
