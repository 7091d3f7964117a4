# SPDX-License-Identifier: BSD-2-Clause
claim: remove ends the handler, keeps the log and removes this probe
spec: dprobes.lang(8) "remove"; decisions.txt C35, 1.4
covers: remove
---
case: first hit only
hits: 3
rpn: push 1; log 1; remove; push 2; log 1
record: 0 0 exit {w:1}
---
case: empty log is sent too
hits: 2
rpn: remove
record: 0 0 exit -
---
case: the other probes stay
full: |
  name = "t"
  offset = 0x1000
  minor = 1
  push 1
  log 1
  remove
  offset = 0x1004
  minor = 2
  push 2
  log 1
  exit
hits: 1:1
hits: 2:1
hits: 1:1
hits: 2:1
record: 0 1 exit {w:1}
record: 0 2 exit {w:2}
record: 0 2 exit {w:2}
