# SPDX-License-Identifier: BSD-2-Clause
claim: values that are all zero free the entry
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: pop map, n; push map, n
---
case: the place can be taken again
header: map = array 1 1 1
rpn: push 1; push 9; pop map, 0; push 2; push 8; pop map, 0; push 2; push map, 0; log 1; push 1; push 0; pop map, 0; push 2; push 8; pop map, 0; push 2; push map, 0; log 1
record: 0 0 exit {w:0}{w:8}
---
case: storing zeros for a new key takes no place
header: map = array 1 1 1
rpn: push 1; push 0; pop map, 0; push 2; push 8; pop map, 0; push 2; push map, 0; log 1
record: 0 0 exit {w:8}
---
case: one value that is not zero keeps it
header: map = array 1 2 1
rpn: push 1; push 3; push 4; pop map, 0; push 1; push 0; push 4; pop map, 0; push 1; push map, 0; log 2
record: 0 0 exit {w:4}{w:0}
---
case: entries behind a freed one are still found
rpn: |
  push 8
  a: move lv, 0
  push lv, 0
  pop map, 0
  push lv, 0
  loop a
  ros 1
  push 3
  push 0
  pop map, 0
  push 8
  b: pop lv, 0
  push lv, 0
  push map, 0
  log 1
  push lv, 0
  loop b
header: vars = 1; map = array 1 1 8
record: 0 0 exit {w:8}{w:7}{w:6}{w:5}{w:4}{w:0}{w:2}{w:1}
