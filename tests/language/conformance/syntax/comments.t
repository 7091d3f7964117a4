# SPDX-License-Identifier: BSD-2-Clause
claim: a comment runs from // to the end of the line; blank lines may stand anywhere
spec: dprobes.lang(8) "PROBE PROGRAM FILE FORMAT"; decisions.txt C07, C11
covers: comment
---
case: everywhere
full: |
  // before the header

  name = "t" // the name
  // between
  vars = 1// no blank before

  offset = 0x1000 // the probe

  // push 9
  push 1 // one
  log 1 // one // and again

  // the end
record: 0 0 exit {w:1}
---
case: behind a label
rpn: |
  jmp l
  l: // here
  push 1
  log 1
record: 0 0 exit {w:1}
