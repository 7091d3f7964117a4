# SPDX-License-Identifier: BSD-2-Clause
claim: numbers are decimal or, behind 0x, hexadecimal; leading zeros are decimal
spec: dprobes.lang(8) "PROBE PROGRAM FILE FORMAT"; decisions.txt C12
covers: push n; minor
---
case: in headers
header: major = 0x10
probe: minor = 16
rpn: exit
record: 16 16 exit -
---
case: 010 is ten (with a warning)
probe: minor = 010
rpn: push 0010; log 1
record: 0 10 exit {w:10}
---
case: 08 and 09 are numbers
rpn: push 08; push 09; log 2
record: 0 0 exit {w:9}{w:8}
---
case: upper and lower case digits
rpn: push 0xaBcD; push 0XABCD; sub; log 1
record: 0 0 exit {w:0}
---
case: immediates of instructions
rpn: push 1; shl 0x4; setmin 0x20; log 0x1
record: 0 32 exit {w:16}
---
case: negative sbp and tsp operands
rpn: push 5; push 6; ros 1; push tsp, -0x1; push sbp, -0x1; log 2
record: 0 0 exit {w:5}{w:6}
