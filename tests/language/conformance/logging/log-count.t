# SPDX-License-Identifier: BSD-2-Clause
claim: log n takes n whole words from the stack, TOS first, without a prefix
spec: dprobes.lang(8) "log <count>"; RPN.md 5, C40
covers: log n
---
case: two words, in the target's byte order
rpn: push 1; push 2; log 2
record: 0 0 exit {w:2}{w:1}
---
case: literal bytes, 32-bit little-endian
word: 32
endian: little
rpn: push 0x11223344; log 1
record: 0 0 exit 44332211
---
case: literal bytes, 32-bit big-endian
word: 32
endian: big
rpn: push 0x11223344; log 1
record: 0 0 exit 11223344
---
case: literal bytes, 64-bit little-endian
word: 64
endian: little
rpn: push 0x1122334455667788; log 1
record: 0 0 exit 8877665544332211
---
case: literal bytes, 64-bit big-endian
word: 64
endian: big
rpn: push 0x1122334455667788; log 1
record: 0 0 exit 1122334455667788
---
case: the words are popped
rpn: push 1; push 2; push 3; log 2; log 1
record: 0 0 exit {w:3}{w:2}{w:1}
---
case: log 0
rpn: push 1; log 0; log 1
record: 0 0 exit {w:1}
---
case: logs follow each other without padding
rpn: push 1; log 1; push 2; log 1
record: 0 0 exit {w:1}{w:2}
