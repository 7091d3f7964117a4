# SPDX-License-Identifier: BSD-2-Clause
claim: log pops a count k and logs k words, TOS first, behind 07 and the number of words
spec: dprobes.lang(8) "log"; RPN.md 5, C42
covers: log (stack)
---
case: two of three
rpn: push 1; push 2; push 3; push 2; log
record: 0 0 exit 07{h:2}{w:3}{w:2}
---
case: the rest stays
rpn: push 1; push 2; push 3; push 2; log; log 1
record: 0 0 exit 07{h:2}{w:3}{w:2}{w:1}
---
case: none
rpn: push 5; push 0; log; log 1
record: 0 0 exit 07{h:0}{w:5}
---
case: the length field counts words, not bytes
word: 64
endian: little
rpn: push 5; push 1; log
record: 0 0 exit 0701000500000000000000
