# SPDX-License-Identifier: BSD-2-Clause
claim: any other exit code raises INVALID_OPERAND(4, n)
spec: dprobes.lang(8) "exit <n>"; RPN.md 5, C106
covers: exit n
raises: exit n: INVALID_OPERAND
---
case: exit 4
rpn: sx h; exit 4; h: log 3
record: 0 0 exit {w:0x40}{w:4}{w:4}
---
case: exit 0
rpn: sx h; exit 0; h: log 3
record: 0 0 exit {w:0x40}{w:4}{w:0}
---
case: exit 255
rpn: sx h; exit 255; h: log 3
record: 0 0 exit {w:0x40}{w:4}{w:255}
---
case: not caught
rpn: push 1; log 1; exit 9
record: 0 0 exception {w:1}
