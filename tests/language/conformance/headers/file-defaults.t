# SPDX-License-Identifier: BSD-2-Clause
claim: ignore and maxhits in the file header are the default of every probe (with a warning)
spec: decisions.txt C118; dprobes.lang(8) complete example 4
covers: ignore; maxhits
---
case: as in example 4
header: ignore = 1; maxhits = 2
hits: 5
rpn: push 1; log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:1}
---
case: the probe's own value wins
header: maxhits = 2
probe: maxhits = 1
hits: 5
rpn: push 1; log 1
record: 0 0 exit {w:1}
---
case: every probe gets it
full: |
  name = "t"
  maxhits = 1
  offset = 0x1000
  minor = 1
  exit
  offset = 0x1004
  minor = 2
  exit
hits: 1:2
hits: 2:2
record: 0 1 exit -
record: 0 2 exit -
