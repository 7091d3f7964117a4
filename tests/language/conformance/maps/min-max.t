# SPDX-License-Identifier: BSD-2-Clause
claim: min and max keep the smallest and the largest argument, by sign where it counts
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: add map, n
---
case: min, signed
header: map = min 0 1 signed
rpn: push 5; add map, 0; push -3; add map, 0; push 7; add map, 0; push map, 0; log 3
record: 0 0 exit {w:1}{w:-1}{w:-3}
---
case: min, unsigned
header: map = min 0 1
rpn: push 5; add map, 0; push -3; add map, 0; push map, 0; log 3
record: 0 0 exit {w:1}{w:0}{w:5}
---
case: max, signed: the first argument may be negative
header: map = max 0 1 signed
rpn: push -5; add map, 0; push -6; add map, 0; push map, 0; log 3
record: 0 0 exit {w:1}{w:-1}{w:-5}
---
case: max, unsigned
header: map = max 0 1
rpn: push 5; add map, 0; push -3; add map, 0; push 0; add map, 0; push map, 0; log 3
record: 0 0 exit {w:1}{w:0}{w:-3}
