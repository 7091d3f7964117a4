# SPDX-License-Identifier: BSD-2-Clause
claim: neg is the one's complement
spec: dprobes.lang(8) "neg"; decisions.txt C71
covers: neg
---
case: of zero
rpn: push 0; neg; log 1
record: 0 0 exit {w:-1}
---
case: of five
rpn: push 5; neg; log 1
record: 0 0 exit {w:-6}
---
case: with add 1 it negates
rpn: push 5; neg; push 1; add; log 1
record: 0 0 exit {w:-5}
---
case: only TOS
rpn: push 9; push -1; neg; log 2
record: 0 0 exit {w:0}{w:9}
