# SPDX-License-Identifier: BSD-2-Clause
claim: count takes keys only and counts updates
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: add map, n; push map, n
---
case: two keys
header: map = count 1 4
rpn: push 5; add map, 0; push 6; add map, 0; push 5; add map, 0; push 5; push map, 0; push 6; push map, 0; log 2
record: 0 0 exit {w:1}{w:2}
---
case: without a key
header: map = count 0 1
hits: 2
rpn: add map, 0; push map, 0; log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:2}
