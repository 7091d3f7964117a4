# SPDX-License-Identifier: BSD-2-Clause
claim: an instruction of maps takes steps beyond its own; a run that has no more of them ends there
spec: RPN.md 5.8; PROTOCOL.md 2.2; decisions.txt C29
covers: push map, n; pop map, n; add map, n; bucket n
---
case: the steps of an update
header: jmpmax = 65535; map = count 0 1
rpn: push 1; log 1; again: add map, 0; jmp again
record: 0 0 budget {w:1}
---
case: the steps of a bucket
header: jmpmax = 65535; map = powers
rpn: push 1; log 1; again: push 5; bucket 0; jmp again
record: 0 0 budget {w:1}
---
case: places with other keys, when a value is read
header: vars = 1; jmpmax = 65535; map = array 1 1 32
rpn: |
  push 1
  log 1
  push 32
  fill: move lv, 0
  push lv, 0
  pop map, 0
  push lv, 0
  loop fill
  again: push 99
  push map, 0
  jmp again
record: 0 0 budget {w:1}
---
case: places with other keys, when a value is written
header: vars = 1; jmpmax = 65535; map = array 1 1 32
rpn: |
  push 1
  log 1
  push 32
  fill: move lv, 0
  push lv, 0
  pop map, 0
  push lv, 0
  loop fill
  nop
  nop
  again: push 99
  push 1
  add map, 0
  jmp again
record: 0 0 budget {w:1}
---
case: entries that are looked at when one is freed
header: vars = 1; jmpmax = 65535; map = array 1 1 32
rpn: |
  push 1
  log 1
  push 32
  fill: move lv, 0
  push lv, 0
  pop map, 0
  push lv, 0
  loop fill
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  nop
  again: push 3
  push 0
  pop map, 0
  push 3
  push 7
  pop map, 0
  jmp again
record: 0 0 budget {w:1}
