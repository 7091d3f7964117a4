# SPDX-License-Identifier: BSD-2-Clause
claim: a view is some of the values of an array
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: push map, n; pop map, n; add map, n
---
case: the second of two
header: map = array 1 2 4; map = view 1 0 1 1
rpn: push 6; push 10; push 20; pop map, 0; push 6; push map, 1; log 1; push 6; push 21; pop map, 1; push 6; push 1; add map, 1; push 6; push map, 0; log 2
record: 0 0 exit {w:20}{w:22}{w:10}
---
case: the last value that becomes zero frees the entry of the array
header: map = array 1 2 1; map = view 1 0 0 1
rpn: push 6; push 10; pop map, 1; push 6; push 0; pop map, 1; push 7; push 1; pop map, 1; push 7; push map, 0; log 2
record: 0 0 exit {w:0}{w:1}
