# SPDX-License-Identifier: BSD-2-Clause
claim: push name pushes the task's name as n words; without tasks it is empty
spec: RPN.md 5.8
covers: push name, n
---
case: no tasks
rpn: push 7; push name, 2; log 3
record: 0 0 exit {w:0}{w:0}{w:7}
