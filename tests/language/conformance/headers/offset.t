# SPDX-License-Identifier: BSD-2-Clause
claim: offset is an expression of numbers with + and -; it comes first in a probe and starts it
spec: dprobes.lang(8) "offset ="; RPN.md 2, C125
covers: offset
---
case: sum
full: |
  name = "t"
  offset = 0x1000 + 0x10
  push r, pc
  log 1
record: 0 0 exit {w:0x1010}
---
case: difference, without blanks
full: |
  name = "t"
  offset = 0x1000-8+4
  push r, pc
  log 1
record: 0 0 exit {w:0xffc}
---
case: decimal
full: |
  name = "t"
  offset = 4096
  push r, pc
  log 1
record: 0 0 exit {w:0x1000}
---
case: a macro in it
full: |
  #define BASE 0x1000
  name = "t"
  offset = BASE + 4
  push r, pc
  log 1
record: 0 0 exit {w:0x1004}
