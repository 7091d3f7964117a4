# SPDX-License-Identifier: BSD-2-Clause
claim: cmp str compares two strings of n words by bytes without signs
spec: RPN.md 5.8
covers: cmp str, n
---
case: less, equal, more
mem: 0x2000=616200617a00ff00
rpn: |
  push 0x2000
  push str, 1
  push 0x2003
  push str, 1
  cmp str, 1
  push 0x2003
  push str, 1
  push 0x2003
  push str, 1
  cmp str, 1
  push 0x2006
  push str, 1
  push 0x2000
  push str, 1
  cmp str, 1
  log 3
record: 0 0 exit {w:1}{w:0}{w:-1}
---
case: the second word decides
word: 32
mem: 0x2000=6162636465006162636466
mem: 0x200b=00
rpn: push 0x2000; push str, 2; push 0x2006; push str, 2; cmp str, 2; log 1
record: 0 0 exit {w:-1}
---
case: a prefix is less
mem: 0x2000=616200616263ff00
rpn: push 9; push 0x2000; push str, 2; push 0x2003; push str, 2; cmp str, 2; log 2
record: 0 0 exit {w:-1}{w:9}
---
case: no word
rpn: push 9; push 8; cmp str, 0; log 3
record: 0 0 exit {w:0}{w:8}{w:9}
