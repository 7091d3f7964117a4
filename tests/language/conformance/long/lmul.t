# SPDX-License-Identifier: BSD-2-Clause
claim: lmul multiplies pairs, modulo 2^64
spec: RPN.md 5.8
covers: lmul
---
case: across the halves, le
word: 32
endian: little
rpn: push 1; push 591751049; push 9; push 2882400001; lmul; log 2
record: 0 0 exit {w:1520651913}{w:15355516}
---
case: negative, le
word: 32
endian: little
rpn: push 4294967295; push 4294967293; push 2; push 0; lmul; log 2
record: 0 0 exit {w:0}{w:4294967290}
---
case: across the halves, be
word: 32
endian: big
rpn: push 591751049; push 1; push 2882400001; push 9; lmul; log 2
record: 0 0 exit {w:15355516}{w:1520651913}
---
case: negative, be
word: 32
endian: big
rpn: push 4294967293; push 4294967295; push 0; push 2; lmul; log 2
record: 0 0 exit {w:4294967290}{w:0}
---
case: across the halves, 64
word: 64
rpn: push 4886718345; push 41537105665; lmul; log 1
record: 0 0 exit {w:65951440553856649}
---
case: negative, 64
word: 64
rpn: push 18446744073709551613; push 8589934592; lmul; log 1
record: 0 0 exit {w:18446744047939747840}
