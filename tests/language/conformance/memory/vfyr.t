# SPDX-License-Identifier: BSD-2-Clause
claim: vfyr replaces an address by 0 if a byte there can be read, else by 1; it raises nothing
spec: dprobes.lang(8) "vfyr"; decisions.txt C89
covers: vfyr; vfa
---
case: readable
mem: 0x2000=aa
rpn: push 9; push 0x2000; vfyr; log 2
record: 0 0 exit {w:0}{w:9}
---
case: read-only
mem-ro: 0x2000=aa
rpn: push 0x2000; vfyr; log 1
record: 0 0 exit {w:0}
---
case: not readable
mem: 0x2000=aa
rpn: push 0x2001; vfyr; push 0x1fff; vfyr; log 2
record: 0 0 exit {w:1}{w:1}
---
case: not readable, with a handler set: no exception
rpn: sx h; push 0x2000; vfyr; log 1; exit; h: log 3
record: 0 0 exit {w:1}
---
case: the old name vfa
mem: 0x2000=aa
rpn: push 0x2000; vfa; push 0x3000; vfa; log 2
record: 0 0 exit {w:1}{w:0}
