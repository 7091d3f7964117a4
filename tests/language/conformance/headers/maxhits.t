# SPDX-License-Identifier: BSD-2-Clause
claim: a probe is disabled after maxhits hits
spec: dprobes.lang(8) "maxhits ="; decisions.txt C120, C121, C122
covers: maxhits; max_hits
---
case: two of four
probe: maxhits = 2
hits: 4
rpn: push 1; log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:1}
---
case: 0 is the default, not none
probe: maxhits = 0
hits: 2
rpn: push 1; log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:1}
---
case: the old name max_hits
probe: max_hits = 1
hits: 3
rpn: push 1; log 1
record: 0 0 exit {w:1}
---
case: ignored hits do not count
header: vars = 1
probe: ignore = 1; maxhits = 2
hits: 5
rpn: inc lv, 0; push lv, 0; log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:2}
---
case: aborted ones count
header: vars = 1
probe: maxhits = 2
hits: 4
rpn: inc lv, 0; push lv, 0; push 1; sub; jnz go; abort; go: push lv, 0; log 1
record: 0 0 exit {w:2}
---
case: large values are not cut
probe: maxhits = 0x7fffffff; ignore = 0
hits: 1
rpn: exit
record: 0 0 exit -
---
case: each probe counts for itself
full: |
  name = "t"
  offset = 0x1000
  minor = 1
  maxhits = 1
  exit
  offset = 0x1004
  minor = 2
  maxhits = 1
  exit
hits: 1:2
hits: 2:2
record: 0 1 exit -
record: 0 2 exit -
