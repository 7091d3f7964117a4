# SPDX-License-Identifier: BSD-2-Clause
claim: jmpmax taken jumps succeed, the next one raises JMP_MAX(jmpmax, 0) and is not done
spec: dprobes.lang(8) "jmpmax", "Loop" note; decisions.txt C26
covers: jmp L; jlt L; jle L; jgt L; jge L; jz L; jnz L; loop L
raises: jmp L: JMP_MAX; jlt L: JMP_MAX; jle L: JMP_MAX; jgt L: JMP_MAX; jge L: JMP_MAX; jz L: JMP_MAX; jnz L: JMP_MAX; loop L: JMP_MAX
---
case: two of two
header: jmpmax = 2
rpn: jmp a; a: jmp b; b: push 1; log 1
record: 0 0 exit {w:1}
---
case: three of two
header: jmpmax = 2
rpn: sx h; jmp a; a: jmp b; b: push 1; log 1; jmp c; c: exit; h: log 3
record: 0 0 exit {w:1}{w:4}{w:2}{w:0}
---
case: not caught, the handler ends and keeps its log
header: jmpmax = 2
rpn: jmp a; a: jmp b; b: push 1; log 1; jmp c; c: push 2; log 1
record: 0 0 exception {w:1}
---
case: jmpmax = 0, jmp
header: jmpmax = 0
rpn: sx h; jmp a; a: exit; h: log 3
record: 0 0 exit {w:4}{w:0}{w:0}
---
case: jmpmax = 0, jlt taken
header: jmpmax = 0
rpn: sx h; push -1; jlt a; a: exit; h: log 4
record: 0 0 exit {w:4}{w:0}{w:0}{w:-1}
---
case: jmpmax = 0, jlt not taken
header: jmpmax = 0
rpn: push 0; jlt a; log 1; a: exit
record: 0 0 exit {w:0}
---
case: jmpmax = 0, jle taken
header: jmpmax = 0
rpn: sx h; push 0; jle a; a: exit; h: log 4
record: 0 0 exit {w:4}{w:0}{w:0}{w:0}
---
case: jmpmax = 0, jgt taken
header: jmpmax = 0
rpn: sx h; push 1; jgt a; a: exit; h: log 4
record: 0 0 exit {w:4}{w:0}{w:0}{w:1}
---
case: jmpmax = 0, jge taken
header: jmpmax = 0
rpn: sx h; push 0; jge a; a: exit; h: log 4
record: 0 0 exit {w:4}{w:0}{w:0}{w:0}
---
case: jmpmax = 0, jz taken
header: jmpmax = 0
rpn: sx h; push 0; jz a; a: exit; h: log 4
record: 0 0 exit {w:4}{w:0}{w:0}{w:0}
---
case: jmpmax = 0, jnz taken
header: jmpmax = 0
rpn: sx h; push 5; jnz a; a: exit; h: log 4
record: 0 0 exit {w:4}{w:0}{w:0}{w:5}
---
case: jmpmax = 0, loop taken
header: jmpmax = 0
rpn: sx h; push 5; a: loop a; exit; h: log 3
record: 0 0 exit {w:4}{w:0}{w:0}
---
case: the handler of JMP_MAX cannot jump either
header: jmpmax = 1
rpn: sx h; jmp a; a: jmp b; b: exit; h: push 1; log 1; jmp b
record: 0 0 exception {w:1}
---
case: counted anew for each hit
header: jmpmax = 1
hits: 2
rpn: jmp a; a: push 1; log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:1}
---
case: jumps in procs count in the same run
header: jmpmax = 2
rpn: sx h; call p; call p; push 1; log 1; call p; exit; h: log 3
procs: |
  proc p
  jmp out
  out: ret
  endproc
record: 0 0 exit {w:1}{w:4}{w:2}{w:0}
