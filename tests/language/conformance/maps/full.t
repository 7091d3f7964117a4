# SPDX-License-Identifier: BSD-2-Clause
claim: an update that finds no place is dropped; the others stay
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: pop map, n; add map, n; push map, n
---
case: an array of one place
header: map = array 1 1 1
rpn: push 1; push 9; pop map, 0; push 2; push 8; pop map, 0; push 2; push map, 0; push 1; push map, 0; log 2
record: 0 0 exit {w:9}{w:0}
---
case: a count of two places
header: map = count 1 2
rpn: push 1; add map, 0; push 2; add map, 0; push 3; add map, 0; push 3; push map, 0; push 2; push map, 0; push 1; push map, 0; log 3
record: 0 0 exit {w:1}{w:1}{w:0}
---
case: a view of an array of one place
header: map = array 1 2 1; map = view 1 0 1 1
rpn: push 1; push 9; pop map, 1; push 2; push 8; pop map, 1; push 2; push map, 1; push 1; push map, 1; log 2
record: 0 0 exit {w:9}{w:0}
