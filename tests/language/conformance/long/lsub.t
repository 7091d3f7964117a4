# SPDX-License-Identifier: BSD-2-Clause
claim: lsub takes the pair below from the top
spec: RPN.md 5.8
covers: lsub
---
case: with a borrow, le
word: 32
endian: little
rpn: push 0; push 1; push 1; push 0; lsub; log 2
record: 0 0 exit {w:4294967295}{w:0}
---
case: negative, le
word: 32
endian: little
rpn: push 0; push 5; push 0; push 3; lsub; log 2
record: 0 0 exit {w:4294967294}{w:4294967295}
---
case: with a borrow, be
word: 32
endian: big
rpn: push 1; push 0; push 0; push 1; lsub; log 2
record: 0 0 exit {w:0}{w:4294967295}
---
case: negative, be
word: 32
endian: big
rpn: push 5; push 0; push 3; push 0; lsub; log 2
record: 0 0 exit {w:4294967295}{w:4294967294}
---
case: with a borrow, 64
word: 64
rpn: push 1; push 4294967296; lsub; log 1
record: 0 0 exit {w:4294967295}
---
case: negative, 64
word: 64
rpn: push 5; push 3; lsub; log 1
record: 0 0 exit {w:18446744073709551614}
