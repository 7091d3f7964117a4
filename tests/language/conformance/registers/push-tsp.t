# SPDX-License-Identifier: BSD-2-Clause
claim: push tsp, n pushes the word n below the top as it was before; the stack form counts after n is popped
spec: dprobes.lang(8) "push tsp"; RPN.md 5, C111
covers: push tsp, n; push tsp (stack)
---
case: 0 is dup
rpn: push 1; push 2; push tsp, 0; log 3
record: 0 0 exit {w:2}{w:2}{w:1}
---
case: 1 is the word below the top
rpn: push 1; push 2; push tsp, 1; log 3
record: 0 0 exit {w:1}{w:2}{w:1}
---
case: stack, 0
rpn: push 1; push 2; push 0; push tsp; log 3
record: 0 0 exit {w:2}{w:2}{w:1}
---
case: stack, 1
rpn: push 1; push 2; push 1; push tsp; log 3
record: 0 0 exit {w:1}{w:2}{w:1}
---
case: -1 is the slot last popped
rpn: push 5; push 6; ros 1; push tsp, -1; log 2
record: 0 0 exit {w:6}{w:5}
---
case: stack, -1 is the slot n itself was in
rpn: push 5; push -1; push tsp; log 2
record: 0 0 exit {w:-1}{w:5}
