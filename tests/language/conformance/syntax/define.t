# SPDX-License-Identifier: BSD-2-Clause
claim: #define replaces names as in C; macro names are case-sensitive
spec: dprobes.lang(8) "PREPROCESSOR DIRECTIVES"; decisions.txt C08
covers: #define
---
case: values
full: |
  #define COUNT 3
  #define WHERE 0x1000
  name = "t"
  vars = COUNT
  offset = WHERE
  push COUNT
  log 1
record: 0 0 exit {w:3}
---
case: an instruction
full: |
  #define LOGONE log 1
  name = "t"
  offset = 0x1000
  push 4
  LOGONE
record: 0 0 exit {w:4}
---
case: case-sensitive
full: |
  #define exit push
  #define Log 9
  name = "t"
  offset = 0x1000
  exit 5
  log 1
record: 0 0 exit {w:5}
---
case: of one another
full: |
  #define A B
  #define B 6
  name = "t"
  offset = 0x1000
  push A
  log 1
record: 0 0 exit {w:6}
