# SPDX-License-Identifier: BSD-2-Clause
claim: an exception nobody handles ends the run; the log so far is sent, an empty one too, with the end "exception"
spec: RPN.md 6, C33
covers: fault record
---
case: log
rpn: push 1; log 1; push 1; push 0; div
record: 0 0 exception {w:1}
---
case: empty log
rpn: push 1; push 0; div
record: 0 0 exception -
---
case: the next hit runs as usual
header: vars = 1
hits: 2
note: the divisor is 1 - lv0: 0 at the first hit, all ones at the second
rpn: push 5; log 1; push 100; inc lv, 0; push lv, 0; push 1; sub; div; log 1
record: 0 0 exception {w:5}
record: 0 0 exit {w:5}{w:0}
---
case: it counts as a hit of maxhits
probe: maxhits = 1
hits: 2
rpn: push 1; push 0; div
record: 0 0 exception -
