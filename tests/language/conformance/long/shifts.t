# SPDX-License-Identifier: BSD-2-Clause
claim: lshl, lshr and lsar shift the top by the pair below; by 64 or more nothing is left
spec: RPN.md 5.8
covers: lshl; lshr; lsar
---
case: left 1, le
word: 32
endian: little
rpn: push 0; push 1; push 2147483648; push 2147483649; lshl; log 2
record: 0 0 exit {w:2}{w:1}
---
case: left 32, le
word: 32
endian: little
rpn: push 0; push 32; push 1; push 591751049; lshl; log 2
record: 0 0 exit {w:0}{w:591751049}
---
case: left 40, le
word: 32
endian: little
rpn: push 0; push 40; push 0; push 255; lshl; log 2
record: 0 0 exit {w:0}{w:65280}
---
case: left 0, le
word: 32
endian: little
rpn: push 0; push 0; push 0; push 77; lshl; log 2
record: 0 0 exit {w:77}{w:0}
---
case: left 64, le
word: 32
endian: little
rpn: push 0; push 64; push 0; push 77; lshl; log 2
record: 0 0 exit {w:0}{w:0}
---
case: left 1, be
word: 32
endian: big
rpn: push 1; push 0; push 2147483649; push 2147483648; lshl; log 2
record: 0 0 exit {w:1}{w:2}
---
case: left 32, be
word: 32
endian: big
rpn: push 32; push 0; push 591751049; push 1; lshl; log 2
record: 0 0 exit {w:591751049}{w:0}
---
case: left 40, be
word: 32
endian: big
rpn: push 40; push 0; push 255; push 0; lshl; log 2
record: 0 0 exit {w:65280}{w:0}
---
case: left 0, be
word: 32
endian: big
rpn: push 0; push 0; push 77; push 0; lshl; log 2
record: 0 0 exit {w:0}{w:77}
---
case: left 64, be
word: 32
endian: big
rpn: push 64; push 0; push 77; push 0; lshl; log 2
record: 0 0 exit {w:0}{w:0}
---
case: left 1, 64
word: 64
rpn: push 1; push 9223372039002259457; lshl; log 1
record: 0 0 exit {w:4294967298}
---
case: left 32, 64
word: 64
rpn: push 32; push 4886718345; lshl; log 1
record: 0 0 exit {w:2541551402828693504}
---
case: left 40, 64
word: 64
rpn: push 40; push 255; lshl; log 1
record: 0 0 exit {w:280375465082880}
---
case: left 0, 64
word: 64
rpn: push 0; push 77; lshl; log 1
record: 0 0 exit {w:77}
---
case: left 64, 64
word: 64
rpn: push 64; push 77; lshl; log 1
record: 0 0 exit {w:0}
---
case: right 1, le
word: 32
endian: little
rpn: push 0; push 1; push 2147483648; push 1; lshr; log 2
record: 0 0 exit {w:0}{w:1073741824}
---
case: right 32, le
word: 32
endian: little
rpn: push 0; push 32; push 4294967295; push 4294967295; lshr; log 2
record: 0 0 exit {w:4294967295}{w:0}
---
case: right 36, le
word: 32
endian: little
rpn: push 0; push 36; push 4294967295; push 4294967295; lshr; log 2
record: 0 0 exit {w:268435455}{w:0}
---
case: right 64, le
word: 32
endian: little
rpn: push 0; push 64; push 4294967295; push 4294967295; lshr; log 2
record: 0 0 exit {w:0}{w:0}
---
case: right 2^32, le
word: 32
endian: little
rpn: push 1; push 0; push 4294967295; push 4294967295; lshr; log 2
record: 0 0 exit {w:0}{w:0}
---
case: right 1, be
word: 32
endian: big
rpn: push 1; push 0; push 1; push 2147483648; lshr; log 2
record: 0 0 exit {w:1073741824}{w:0}
---
case: right 32, be
word: 32
endian: big
rpn: push 32; push 0; push 4294967295; push 4294967295; lshr; log 2
record: 0 0 exit {w:0}{w:4294967295}
---
case: right 36, be
word: 32
endian: big
rpn: push 36; push 0; push 4294967295; push 4294967295; lshr; log 2
record: 0 0 exit {w:0}{w:268435455}
---
case: right 64, be
word: 32
endian: big
rpn: push 64; push 0; push 4294967295; push 4294967295; lshr; log 2
record: 0 0 exit {w:0}{w:0}
---
case: right 2^32, be
word: 32
endian: big
rpn: push 0; push 1; push 4294967295; push 4294967295; lshr; log 2
record: 0 0 exit {w:0}{w:0}
---
case: right 1, 64
word: 64
rpn: push 1; push 9223372036854775809; lshr; log 1
record: 0 0 exit {w:4611686018427387904}
---
case: right 32, 64
word: 64
rpn: push 32; push 18446744073709551615; lshr; log 1
record: 0 0 exit {w:4294967295}
---
case: right 36, 64
word: 64
rpn: push 36; push 18446744073709551615; lshr; log 1
record: 0 0 exit {w:268435455}
---
case: right 64, 64
word: 64
rpn: push 64; push 18446744073709551615; lshr; log 1
record: 0 0 exit {w:0}
---
case: right 2^32, 64
word: 64
rpn: push 4294967296; push 18446744073709551615; lshr; log 1
record: 0 0 exit {w:0}
---
case: sign 4, le
word: 32
endian: little
rpn: push 0; push 4; push 4294967295; push 4294967040; lsar; log 2
record: 0 0 exit {w:4294967280}{w:4294967295}
---
case: sign 33, le
word: 32
endian: little
rpn: push 0; push 33; push 4294967040; push 0; lsar; log 2
record: 0 0 exit {w:4294967168}{w:4294967295}
---
case: sign 100, le
word: 32
endian: little
rpn: push 0; push 100; push 4294967295; push 4294967295; lsar; log 2
record: 0 0 exit {w:4294967295}{w:4294967295}
---
case: sign 63, le
word: 32
endian: little
rpn: push 0; push 63; push 1073741824; push 0; lsar; log 2
record: 0 0 exit {w:0}{w:0}
---
case: sign 4, be
word: 32
endian: big
rpn: push 4; push 0; push 4294967040; push 4294967295; lsar; log 2
record: 0 0 exit {w:4294967295}{w:4294967280}
---
case: sign 33, be
word: 32
endian: big
rpn: push 33; push 0; push 0; push 4294967040; lsar; log 2
record: 0 0 exit {w:4294967295}{w:4294967168}
---
case: sign 100, be
word: 32
endian: big
rpn: push 100; push 0; push 4294967295; push 4294967295; lsar; log 2
record: 0 0 exit {w:4294967295}{w:4294967295}
---
case: sign 63, be
word: 32
endian: big
rpn: push 63; push 0; push 0; push 1073741824; lsar; log 2
record: 0 0 exit {w:0}{w:0}
---
case: sign 4, 64
word: 64
rpn: push 4; push 18446744073709551360; lsar; log 1
record: 0 0 exit {w:18446744073709551600}
---
case: sign 33, 64
word: 64
rpn: push 33; push 18446742974197923840; lsar; log 1
record: 0 0 exit {w:18446744073709551488}
---
case: sign 100, 64
word: 64
rpn: push 100; push 18446744073709551615; lsar; log 1
record: 0 0 exit {w:18446744073709551615}
---
case: sign 63, 64
word: 64
rpn: push 63; push 4611686018427387904; lsar; log 1
record: 0 0 exit {w:0}
