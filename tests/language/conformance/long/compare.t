# SPDX-License-Identifier: BSD-2-Clause
claim: llt and lltu say whether the pair below is less than the top
spec: RPN.md 5.8
covers: llt; lltu
---
case: signed, le
word: 32
endian: little
rpn: push 4294967295; push 4294967295; push 0; push 1; llt; log 1
record: 0 0 exit {w:1}
---
case: signed, equal, le
word: 32
endian: little
rpn: push 0; push 5; push 0; push 5; llt; log 1
record: 0 0 exit {w:0}
---
case: signed, the high half decides, le
word: 32
endian: little
rpn: push 2; push 0; push 1; push 0; llt; log 1
record: 0 0 exit {w:0}
---
case: signed, be
word: 32
endian: big
rpn: push 4294967295; push 4294967295; push 1; push 0; llt; log 1
record: 0 0 exit {w:1}
---
case: signed, equal, be
word: 32
endian: big
rpn: push 5; push 0; push 5; push 0; llt; log 1
record: 0 0 exit {w:0}
---
case: signed, the high half decides, be
word: 32
endian: big
rpn: push 0; push 2; push 0; push 1; llt; log 1
record: 0 0 exit {w:0}
---
case: signed, 64
word: 64
rpn: push 18446744073709551615; push 1; llt; log 1
record: 0 0 exit {w:1}
---
case: signed, equal, 64
word: 64
rpn: push 5; push 5; llt; log 1
record: 0 0 exit {w:0}
---
case: signed, the high half decides, 64
word: 64
rpn: push 8589934592; push 4294967296; llt; log 1
record: 0 0 exit {w:0}
---
case: unsigned, le
word: 32
endian: little
rpn: push 4294967295; push 4294967295; push 0; push 1; lltu; log 1
record: 0 0 exit {w:0}
---
case: unsigned, the low half decides, le
word: 32
endian: little
rpn: push 1; push 1; push 1; push 2; lltu; log 1
record: 0 0 exit {w:1}
---
case: unsigned, be
word: 32
endian: big
rpn: push 4294967295; push 4294967295; push 1; push 0; lltu; log 1
record: 0 0 exit {w:0}
---
case: unsigned, the low half decides, be
word: 32
endian: big
rpn: push 1; push 1; push 2; push 1; lltu; log 1
record: 0 0 exit {w:1}
---
case: unsigned, 64
word: 64
rpn: push 18446744073709551615; push 1; lltu; log 1
record: 0 0 exit {w:0}
---
case: unsigned, the low half decides, 64
word: 64
rpn: push 4294967297; push 4294967298; lltu; log 1
record: 0 0 exit {w:1}
