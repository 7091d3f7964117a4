# SPDX-License-Identifier: BSD-2-Clause
claim: ldiv and lidiv push the remainder first; the quotient is on top
spec: RPN.md 5.8
covers: ldiv; lidiv
raises: ldiv: DIVIDE_BY_ZERO; lidiv: DIVIDE_BY_ZERO
---
case: unsigned, le
word: 32
endian: little
rpn: push 256; push 7; push 0; push 10; ldiv; log 4
record: 0 0 exit {w:2576980378}{w:25}{w:3}{w:0}
---
case: all ones, le
word: 32
endian: little
rpn: push 4294967295; push 4294967295; push 0; push 2; ldiv; log 4
record: 0 0 exit {w:4294967295}{w:2147483647}{w:1}{w:0}
---
case: unsigned, be
word: 32
endian: big
rpn: push 7; push 256; push 10; push 0; ldiv; log 4
record: 0 0 exit {w:25}{w:2576980378}{w:0}{w:3}
---
case: all ones, be
word: 32
endian: big
rpn: push 4294967295; push 4294967295; push 2; push 0; ldiv; log 4
record: 0 0 exit {w:2147483647}{w:4294967295}{w:0}{w:1}
---
case: unsigned, 64
word: 64
rpn: push 1099511627783; push 10; ldiv; log 2
record: 0 0 exit {w:109951162778}{w:3}
---
case: all ones, 64
word: 64
rpn: push 18446744073709551615; push 2; ldiv; log 2
record: 0 0 exit {w:9223372036854775807}{w:1}
---
case: toward zero, le
word: 32
endian: little
rpn: push 4294967295; push 4294967289; push 0; push 2; lidiv; log 4
record: 0 0 exit {w:4294967293}{w:4294967295}{w:4294967295}{w:4294967295}
---
case: the largest negative by -1, le
word: 32
endian: little
rpn: push 2147483648; push 0; push 4294967295; push 4294967295; lidiv; log 4
record: 0 0 exit {w:0}{w:2147483648}{w:0}{w:0}
---
case: toward zero, be
word: 32
endian: big
rpn: push 4294967289; push 4294967295; push 2; push 0; lidiv; log 4
record: 0 0 exit {w:4294967295}{w:4294967293}{w:4294967295}{w:4294967295}
---
case: the largest negative by -1, be
word: 32
endian: big
rpn: push 0; push 2147483648; push 4294967295; push 4294967295; lidiv; log 4
record: 0 0 exit {w:2147483648}{w:0}{w:0}{w:0}
---
case: toward zero, 64
word: 64
rpn: push 18446744073709551609; push 2; lidiv; log 2
record: 0 0 exit {w:18446744073709551613}{w:18446744073709551615}
---
case: the largest negative by -1, 64
word: 64
rpn: push 9223372036854775808; push 18446744073709551615; lidiv; log 2
record: 0 0 exit {w:9223372036854775808}{w:0}
---
case: unsigned by zero
rpn: sx h; push 5; lext; push 0; lext; ldiv; exit; h: log 3
record: 0 0 exit {w:0x20}{w:0}{w:0}
---
case: signed by zero
rpn: sx h; push 5; lext; push 0; lext; lidiv; exit; h: log 3
record: 0 0 exit {w:0x20}{w:0}{w:0}
