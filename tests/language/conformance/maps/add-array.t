# SPDX-License-Identifier: BSD-2-Clause
claim: add map adds to an array of one value
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: add map, n
---
case: a new key begins with zero
header: map = array 1 1 4
rpn: push 3; push 5; add map, 0; push 3; push -2; add map, 0; push 3; push map, 0; log 1
record: 0 0 exit {w:3}
