# SPDX-License-Identifier: BSD-2-Clause
claim: abort ends the handler without a log record
spec: dprobes.lang(8) "abort"; RPN.md 6
covers: abort
---
case: log discarded
rpn: push 1; log 1; abort
record: none
---
case: nothing logged
rpn: abort
record: none
---
case: the next hit logs again
header: vars = 1
hits: 2
rpn: inc lv, 0; push lv, 0; log 1; push lv, 0; push 1; sub; jnz keep; abort; keep: exit
record: 0 0 exit {w:2}
