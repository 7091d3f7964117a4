# SPDX-License-Identifier: BSD-2-Clause
claim: push pid, push procid and push task push 0 on the simulator
spec: dprobes.lang(8) "System Variable Group"; decisions.txt C91
covers: push pid; push procid; push task
---
case: pid
rpn: push 9; push pid; log 2
record: 0 0 exit {w:0}{w:9}
---
case: procid
rpn: push 9; push procid; log 2
note: the core number; the simulator has one core
record: 0 0 exit {w:0}{w:9}
---
case: task
rpn: push 9; push task; log 2
record: 0 0 exit {w:0}{w:9}
---
case: as the address of log mrf
word: 32
rpn: push 40; push task; log mrf
note: no memory at address 0 in this case
record: 0 0 exception ff{h:4}{w:0}
