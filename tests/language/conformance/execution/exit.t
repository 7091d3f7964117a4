# SPDX-License-Identifier: BSD-2-Clause
claim: exit ends the handler and keeps the log, an empty one too
spec: dprobes.lang(8) "exit"; RPN.md 6
covers: exit
---
case: log kept
rpn: push 1; log 1; exit; push 2; log 1
record: 0 0 exit {w:1}
---
case: empty log
rpn: exit
record: 0 0 exit -
