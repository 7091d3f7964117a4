# SPDX-License-Identifier: BSD-2-Clause
claim: jmpmax is 256 unless the header says otherwise
spec: dprobes.lang(8) "jmpmax"; decisions.txt C25
covers: loop L
---
case: a loop with 256 taken branches ends
rpn: push 257; a: loop a; log 1
record: 0 0 exit {w:0}
---
case: the 257th raises
rpn: sx h; push 258; a: loop a; exit; h: log 3
record: 0 0 exit {w:4}{w:256}{w:0}
---
case: a larger jmpmax allows more
header: jmpmax = 1000
rpn: push 900; a: loop a; log 1
record: 0 0 exit {w:0}
