# SPDX-License-Identifier: BSD-2-Clause
claim: lext makes a pair of a word, with its sign
spec: RPN.md 5.8
covers: lext
---
case: negative, le
word: 32
endian: little
rpn: push -5; lext; log 2
record: 0 0 exit {w:4294967291}{w:4294967295}
---
case: negative, be
word: 32
endian: big
rpn: push -5; lext; log 2
record: 0 0 exit {w:4294967295}{w:4294967291}
---
case: negative, 64
word: 64
rpn: push -5; lext; log 1
record: 0 0 exit {w:18446744073709551611}
---
case: positive, le
word: 32
endian: little
rpn: push 5; lext; log 2
record: 0 0 exit {w:5}{w:0}
---
case: positive, be
word: 32
endian: big
rpn: push 5; lext; log 2
record: 0 0 exit {w:0}{w:5}
---
case: positive, 64
word: 64
rpn: push 5; lext; log 1
record: 0 0 exit {w:5}
