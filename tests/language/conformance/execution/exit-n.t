# SPDX-License-Identifier: BSD-2-Clause
claim: exit 1, 2 and 3 end the handler with the log; without a registered facility they are plain exits
spec: dprobes.lang(8) "exit <n>"; decisions.txt C31, C32, C34
covers: exit n
---
case: exit 1
rpn: push 1; log 1; exit 1; push 2; log 1
record: 0 0 exit {w:1}
---
case: exit 2
rpn: push 1; log 1; exit 2; push 2; log 1
record: 0 0 exit {w:1}
---
case: exit 3
rpn: push 1; log 1; exit 3; push 2; log 1
record: 0 0 exit {w:1}
