# SPDX-License-Identifier: BSD-2-Clause
claim: push sbp pushes the word in slot sbp+n; n may be negative; +n is older
spec: dprobes.lang(8) "push sbp"; decisions.txt C111
covers: push sbp, n; push sbp (stack)
---
case: the first words pushed are sbp-1, sbp-2
rpn: push 5; push 6; push sbp, -1; push sbp, -2; log 4
record: 0 0 exit {w:6}{w:5}{w:6}{w:5}
---
case: stack
rpn: push 5; push 6; push -1; push sbp; push -2; push sbp; log 4
record: 0 0 exit {w:6}{w:5}{w:6}{w:5}
---
case: positive
rpn: push 5; push 6; push 7; save tsp; restore sbp; push sbp, 0; push sbp, 1; push sbp, 2; log 3
record: 0 0 exit {w:5}{w:6}{w:7}
---
case: positive, stack
rpn: push 5; push 6; push 7; save tsp; restore sbp; push 2; push sbp; log 2
record: 0 0 exit {w:5}{w:7}
---
case: sbp+n is taken round the circle
rpn: push 5; push sbp, 1023; push sbp, -1025; log 3
record: 0 0 exit {w:5}{w:5}{w:5}
