# SPDX-License-Identifier: BSD-2-Clause
claim: lv are zero at first, keep their values across hits and are common to all probes of the program
spec: dprobes.lang(8) "vars ="; decisions.txt C66
covers: inc lv, n; push lv, n
---
case: across hits
header: vars = 1
hits: 3
rpn: inc lv, 0; push lv, 0; log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:2}
record: 0 0 exit {w:3}
---
case: across probes
full: |
  name = "t"
  vars = 1
  offset = 0x1000
  minor = 1
  inc lv, 0
  abort
  offset = 0x1004
  minor = 2
  push lv, 0
  log 1
hits: 2:1
hits: 1:3
hits: 2:1
record: 0 2 exit {w:0}
record: 0 2 exit {w:3}
---
case: a change made before an exception stays
header: vars = 1
hits: 2
rpn: inc lv, 0; push lv, 0; log 1; push 1; push 0; div
record: 0 0 exception {w:1}
record: 0 0 exception {w:2}
