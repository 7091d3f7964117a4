# SPDX-License-Identifier: BSD-2-Clause
claim: the first n hits of a probe with ignore = n do not run the handler
spec: dprobes.lang(8) "ignore ="; RPN.md 6, C120
covers: ignore; pass_count
---
case: two of four
header: vars = 1
probe: ignore = 2
hits: 4
rpn: inc lv, 0; push lv, 0; log 1
record: 0 0 exit {w:1}
record: 0 0 exit {w:2}
---
case: all
probe: ignore = 3
hits: 3
rpn: push 1; log 1
record: none
---
case: 0
probe: ignore = 0
hits: 1
rpn: push 1; log 1
record: 0 0 exit {w:1}
---
case: the old name pass_count
probe: pass_count = 1
hits: 2
rpn: push 1; log 1
record: 0 0 exit {w:1}
---
case: each probe counts for itself
full: |
  name = "t"
  offset = 0x1000
  minor = 1
  ignore = 1
  exit
  offset = 0x1004
  minor = 2
  ignore = 1
  exit
hits: 1:1
hits: 2:1
hits: 1:1
record: 0 1 exit -
