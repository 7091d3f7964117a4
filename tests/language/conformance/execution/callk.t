# SPDX-License-Identifier: BSD-2-Clause
claim: callk without a registered routine does nothing
spec: dprobes.lang(8) "callk"; decisions.txt C36
covers: callk
---
case: no hook
rpn: push 1; callk; log 1
record: 0 0 exit {w:1}
---
case: the stack stays as it is
rpn: push 1; push 2; callk; push 3; log 3
record: 0 0 exit {w:3}{w:2}{w:1}
