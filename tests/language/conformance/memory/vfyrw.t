# SPDX-License-Identifier: BSD-2-Clause
claim: vfyrw replaces an address by 0 if a byte there can be read and written, else by 1; it changes nothing
spec: dprobes.lang(8) "vfyrw"; decisions.txt C90
covers: vfyrw
---
case: writable
mem: 0x2000=aa
rpn: push 9; push 0x2000; vfyrw; log 2; push 1; push 0x2000; log mrf
record: 0 0 exit {w:0}{w:9}00{h:1}aa
---
case: read-only
mem-ro: 0x2000=aa
rpn: push 0x2000; vfyrw; log 1
record: 0 0 exit {w:1}
---
case: nothing there
rpn: push 0x2000; vfyrw; log 1
record: 0 0 exit {w:1}
