# SPDX-License-Identifier: BSD-2-Clause
claim: the program counter of a hit is the address of the probed instruction
spec: decisions.txt C78
covers: push r, name; push u, name
---
case: pc
rpn: push r, pc; log 1
record: 0 0 exit {w:0x1000}
---
case: r15 and the u context
rpn: push r, r15; push u, pc; log 2
record: 0 0 exit {w:0x1000}{w:0x1000}
---
case: each probe its own
full: |
  name = "t"
  offset = 0x1000
  minor = 1
  push r, pc
  log 1
  offset = 0x2000
  minor = 2
  push r, pc
  log 1
hits: 2:1
hits: 1:1
record: 0 2 exit {w:0x2000}
record: 0 1 exit {w:0x1000}
