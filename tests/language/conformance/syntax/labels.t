# SPDX-License-Identifier: BSD-2-Clause
claim: a label is a letter or _ and then letters, digits and _; it ends with : and may stand on a line of its own
spec: dprobes.lang(8) "label:"; decisions.txt C13, C14, C15
covers: jmp L
---
case: take_dump
rpn: push 0; jz take_dump; exit; take_dump: push 1; log 1
record: 0 0 exit {w:1}
---
case: on its own line
rpn: |
  jmp l
  push 2
  l:

  push 1
  log 1
record: 0 0 exit {w:1}
---
case: starting with _, ending with digits
rpn: jmp _x9; exit; _x9: push 1; log 1
record: 0 0 exit {w:1}
---
case: not case-sensitive
rpn: jmp DOWN; exit; Down: push 1; log 1
record: 0 0 exit {w:1}
---
case: a label like an instruction
rpn: jmp exit1; exit; exit1: push 1; log 1
record: 0 0 exit {w:1}
---
case: the same label in two handlers
full: |
  name = "t"
  offset = 0x1000
  minor = 1
  jmp a
  exit
  a: push 1
  log 1
  offset = 0x1004
  minor = 2
  jmp a
  exit
  a: push 2
  log 1
hits: 1:1
hits: 2:1
record: 0 1 exit {w:1}
record: 0 2 exit {w:2}
---
case: two labels at one instruction
rpn: |
  push 0
  jz a
  jmp b
  a:
  b: push 1
  log 1
note: a label on its own line names the next instruction, so two may name the same
record: 0 0 exit {w:1}
---
case: blanks before the colon and none after it
rpn: |
  jmp l
  exit
  l :push 1
  log 1
note: "delimited by a ':'"
record: 0 0 exit {w:1}
