# SPDX-License-Identifier: BSD-2-Clause
claim: avg keeps the sum and the number of updates
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: add map, n
---
case: three updates
header: map = avg 0 1 signed
rpn: push 5; add map, 0; push -3; add map, 0; push 7; add map, 0; push map, 0; log 3
record: 0 0 exit {w:3}{w:0}{w:9}
