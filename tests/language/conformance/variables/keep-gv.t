# SPDX-License-Identifier: BSD-2-Clause
claim: gv are zero at first, keep their values across hits and are common to all probes of the program
spec: dprobes.lang(8) "gvars ="; decisions.txt C66
covers: inc gv, n; push gv, n
---
case: across hits
header: gvars = 1
hits: 3
rpn: inc gv, 0; push gv, 0; log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:2}
record: 0 0 exit {w:3}
---
case: across probes
full: |
  name = "t"
  gvars = 1
  offset = 0x1000
  minor = 1
  inc gv, 0
  abort
  offset = 0x1004
  minor = 2
  push gv, 0
  log 1
hits: 2:1
hits: 1:3
hits: 2:1
record: 0 2 exit {w:0}
record: 0 2 exit {w:3}
---
case: a change made before an exception stays
header: gvars = 1
hits: 2
rpn: inc gv, 0; push gv, 0; log 1; push 1; push 0; div
record: 0 0 exception {w:1}
record: 0 0 exception {w:2}
