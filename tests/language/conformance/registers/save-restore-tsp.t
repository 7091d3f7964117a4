# SPDX-License-Identifier: BSD-2-Clause
claim: save tsp pushes the top pointer as it was before the push; restore tsp sets it, modulo the stack size
spec: dprobes.lang(8) "save tsp", "restore tsp"; decisions.txt C113
covers: save tsp; restore tsp
---
case: slots grow downward
rpn: push 1; push 2; save tsp; save tsp; sub; log 1
record: 0 0 exit {w:-1}
---
case: dropping words
header: vars = 1
rpn: push 7; save tsp; pop lv, 0; push 8; push 9; push lv, 0; restore tsp; log 1
record: 0 0 exit {w:7}
---
case: the value is that before the push
rpn: push 7; save tsp; restore tsp; log 1
record: 0 0 exit {w:7}
---
case: one further up drops one word
rpn: push 7; push 8; save tsp; push 1; add; restore tsp; log 1
record: 0 0 exit {w:7}
---
case: plus 1024 is the same slot
rpn: push 7; save tsp; push 1024; add; restore tsp; log 1
record: 0 0 exit {w:7}
---
case: minus 1024 is the same slot
rpn: push 7; save tsp; push -1024; add; restore tsp; log 1
record: 0 0 exit {w:7}
