# SPDX-License-Identifier: BSD-2-Clause
claim: push pushes a value of one word
spec: dprobes.lang(8) "push <value>"; decisions.txt C12
covers: push n
---
case: decimal and hexadecimal
rpn: push 16; push 0x10; push 0XfF; log 3
record: 0 0 exit {w:255}{w:16}{w:16}
---
case: negative
rpn: push -1; push -16; log 2
record: 0 0 exit {w:-16}{w:-1}
---
case: largest, 32-bit
word: 32
rpn: push 0xffffffff; push 4294967295; log 2
record: 0 0 exit {w:-1}{w:-1}
---
case: smallest, 32-bit
word: 32
rpn: push -2147483648; log 1
record: 0 0 exit {w:0x80000000}
---
case: 32 ones are not sign-extended in a 64-bit word
word: 64
rpn: push 0xffffffff; log 1
record: 0 0 exit {w:0xffffffff}
---
case: largest, 64-bit
word: 64
rpn: push 0xffffffffffffffff; log 1
record: 0 0 exit {w:-1}
---
case: leading zeros are decimal
rpn: push 010; push 0x0010; log 2
record: 0 0 exit {w:16}{w:10}
