# SPDX-License-Identifier: BSD-2-Clause
claim: add replaces two words by their sum modulo 2^W
spec: dprobes.lang(8) "add", sample 4
covers: add
---
case: two and four
rpn: push 0x02; push 0x04; add; log 1
record: 0 0 exit {w:6}
---
case: wraps
rpn: push -1; push 2; add; log 1
record: 0 0 exit {w:1}
---
case: pops two, pushes one
rpn: push 9; push 1; push 2; add; log 2
record: 0 0 exit {w:3}{w:9}
