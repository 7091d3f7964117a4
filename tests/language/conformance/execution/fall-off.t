# SPDX-License-Identifier: BSD-2-Clause
claim: falling off the end of a handler is an exit
spec: decisions.txt C21, 1.4; dprobes.lang(8) complete examples 2 and 4
---
case: with a log
rpn: push 1; log 1
record: 0 0 exit {w:1}
---
case: without a log
rpn: nop
record: 0 0 exit -
---
case: a jump to the last instruction
rpn: push 0; jz end; push 1; log 1; end: nop
record: 0 0 exit -
---
case: the next probe's handler is not run on into
full: |
  name = "t"
  offset = 0x1000
  minor = 1
  push 1
  log 1
  offset = 0x1004
  minor = 2
  push 2
  log 1
hits: 1:1
record: 0 1 exit {w:1}
