# SPDX-License-Identifier: BSD-2-Clause
claim: only branches that are taken count: not a conditional that falls through, not the last pass of a loop
spec: dprobes.lang(8) "Loop" note "(jumps+loops) taken"; decisions.txt C27
covers: loop L; jz L
---
case: a loop of three passes takes two branches
header: jmpmax = 2
rpn: push 3; a: loop a; log 1
record: 0 0 exit {w:0}
---
case: a loop of four passes takes three
header: jmpmax = 2
rpn: sx h; push 4; a: loop a; exit; h: log 3
record: 0 0 exit {w:4}{w:2}{w:0}
---
case: conditionals that fall through
header: jmpmax = 1
rpn: push 1; jz a; jlt a; jle a; loop a; jnz a; jgt a; jmp b; a: setmin 9; b: log 1
record: 0 0 exit {w:0}
---
case: calls and returns do not count
header: jmpmax = 0
rpn: call p; call p; log 2
procs: |
  proc p
  push 4
  ret
  endproc
record: 0 0 exit {w:4}{w:4}
