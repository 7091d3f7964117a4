# SPDX-License-Identifier: BSD-2-Clause
claim: push spec opens a free buffer; commit and discard free it; log spec takes the end of the log away
spec: RPN.md 5.1; PROTOCOL.md 2.6
covers: push spec, n; log spec, n; commit n; discard n
---
case: ids count from 1; 0 where no buffer is free
header: map = speculation 64 2 0
rpn: push spec, 0; push spec, 0; push spec, 0; log 3
record: 0 0 exit {w:0}{w:2}{w:1}
---
case: a discarded buffer is free
header: map = speculation 64 1 0
rpn: push spec, 0; discard 0; push spec, 0; log 1
record: 0 0 exit {w:1}
---
case: a buffer that is committed without a record is free
header: map = speculation 64 1 0
rpn: push spec, 0; commit 0; push spec, 0; log 1
record: 0 0 exit {w:1}
---
case: the record leaves the log, what was there before stays
header: map = speculation 64 1 0
rpn: push 1; log 1; push lp; push spec, 0; push 7; log 1; log spec, 0; push 5; log 1
record: 0 0 exit {w:1}{w:5}
---
case: an id without a buffer takes the end of the log away, too
header: map = speculation 64 1 1
rpn: push 9; log 1; push 0; push 3; log spec, 0; push 2; commit 0; push -1; discard 0; push 5; log 1
record: 0 0 exit {w:5}
---
case: a number of bytes beyond the log changes nothing
header: map = speculation 64 1 0
rpn: push 9; log 1; push 400; push spec, 0; log spec, 0
record: 0 0 exit {w:9}
---
case: a full buffer drops the record, and the log goes on
header: vars = 1; map = speculation 64 1 0
rpn: push spec, 0; pop lv, 0; push 3; push 2; push 1; log 3; push 0; push lv, 0; log spec, 0; push 1; log 1; push 0; push lv, 0; log spec, 0; push 1; log 1; push 0; push lv, 0; log spec, 0; push 6; log 1
record: 0 0 exit {w:6}
