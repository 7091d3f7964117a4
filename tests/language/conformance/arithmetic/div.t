# SPDX-License-Identifier: BSD-2-Clause
claim: div is unsigned, pushes the remainder first; the quotient is TOS
spec: dprobes.lang(8) "div"; decisions.txt C69
covers: div
---
case: seven by two
rpn: push 7; push 2; div; log 2
record: 0 0 exit {w:3}{w:1}
---
case: smaller by larger
rpn: push 2; push 7; div; log 2
record: 0 0 exit {w:0}{w:2}
---
case: all ones is large, not minus one
word: 32
rpn: push -1; push 2; div; log 2
record: 0 0 exit {w:0x7fffffff}{w:1}
---
case: all ones, 64-bit
word: 64
rpn: push -1; push 2; div; log 2
record: 0 0 exit {w:0x7fffffffffffffff}{w:1}
---
case: a negative divisor is large too
rpn: push 5; push -2; div; log 2
record: 0 0 exit {w:0}{w:5}
---
case: pops two, pushes two
rpn: push 9; push 6; push 3; div; log 3
record: 0 0 exit {w:2}{w:0}{w:9}
