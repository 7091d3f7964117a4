# SPDX-License-Identifier: BSD-2-Clause
claim: blanks and tabs may stand around = and the comma and before a statement, or be left out
spec: dprobes.lang(8) "INSTRUCTION SET", sample programs; seed 002 examples ("lv,0", "dfltexit=1")
covers: push lv, n
---
case: none
full: |
  name=t
  vars=1
  offset=0x1000
  minor=2
  inc lv,0
  push lv,0
  log 1
record: 0 2 exit {w:1}
---
case: many
full: |
    name   =   t
  vars =  1
     offset = 0x1000
      inc   lv  ,  0
    push	lv,	0
  log   1   
record: 0 0 exit {w:1}
