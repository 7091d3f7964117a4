# SPDX-License-Identifier: BSD-2-Clause
claim: the old names of log instructions that kept their meaning are accepted
spec: dprobes.lang(8) "log arf", "log d"; RPN.md 10
covers: log arf; log d, n
---
case: log arf is log str
mem: 0x2000=616200
rpn: push 9; push 0x2000; log arf
record: 0 0 exit 01{h:2}6162
---
case: log d, n is log n in a 32-bit word
word: 32
rpn: push 1; push 2; log d, 2
record: 0 0 exit {w:2}{w:1}
---
case: without a blank after the comma
word: 32
rpn: push 1; push 2; log d,1
record: 0 0 exit {w:2}
