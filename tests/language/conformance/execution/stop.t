# SPDX-License-Identifier: BSD-2-Clause
claim: stop ends the program: its handler goes on to its end, and no later hit runs
spec: RPN.md 5.8
covers: stop
---
case: one hit of three
hits: 3
header: vars = 1
rpn: inc lv, 0; stop; push lv, 0; log 1
record: 0 0 exit {w:1}
---
case: in the second hit
hits: 4
header: vars = 1
rpn: |
  inc lv, 0
  push lv, 0
  push 2
  sub
  jnz out
  stop
  out: push lv, 0
  log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:2}
