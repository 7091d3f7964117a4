# SPDX-License-Identifier: BSD-2-Clause
claim: sub is TOS minus the word below it
spec: dprobes.lang(8) "sub"; decisions.txt C68
covers: sub
---
case: push 5, push 7 gives 2
rpn: push 5; push 7; sub; log 1
record: 0 0 exit {w:2}
---
case: the other way round it is negative
rpn: push 7; push 5; sub; log 1
record: 0 0 exit {w:-2}
---
case: wraps
rpn: push 1; push 0; sub; log 1
record: 0 0 exit {w:-1}
---
case: pops two, pushes one
rpn: push 9; push 1; push 3; sub; log 2
record: 0 0 exit {w:2}{w:9}
