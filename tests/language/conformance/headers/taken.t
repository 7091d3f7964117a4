# SPDX-License-Identifier: BSD-2-Clause
claim: taken takes yes or no; an instruction that is no branch is taken whenever it executes
spec: RPN.md 2 "taken"
covers: taken
---
case: yes
probe: taken = yes
rpn: push 1; log 1
record: 0 0 exit {w:1}
---
case: no
probe: taken = no
rpn: push 1; log 1
record: 0 0 exit {w:1}
