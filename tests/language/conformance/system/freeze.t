# SPDX-License-Identifier: BSD-2-Clause
claim: freeze pops the number of records behind which the flight recorder freezes, and the handler goes on
spec: RPN.md 5.1
covers: freeze
---
case: now
rpn: push 7; push 0; freeze; log 1
record: 0 0 exit {w:7}
---
case: later, twice in a handler
rpn: push 7; push 20; freeze; push -1; freeze; log 1
record: 0 0 exit {w:7}
---
case: with an empty stack
rpn: freeze; push 3; log 1
record: 0 0 exit {w:3}
