# SPDX-License-Identifier: BSD-2-Clause
claim: without a less privileged frame the user context is the current context
spec: dprobes.lang(8) "Register Group"; decisions.txt C79
covers: push u, name; pop u, name
---
case: push u
reg: r0=0x1234
rpn: push u, r0; push u, sp; log 2
record: 0 0 exit {w:0}{w:0x1234}
---
case: pop u, then push u
rpn: push 7; push 5; pop u, r4; push u, r4; log 2
record: 0 0 exit {w:5}{w:7}
---
case: pop u, then push r
rpn: push 5; pop u, r4; push r, r4; log 1
record: 0 0 exit {w:5}
---
case: pop r, then push u
rpn: push 5; pop r, r4; push u, r4; log 1
record: 0 0 exit {w:5}
