# SPDX-License-Identifier: BSD-2-Clause
claim: log mrf takes an address from the top and a length below it and logs 00, the length and the bytes
spec: dprobes.lang(8) "log mrf"; decisions.txt C38, C41
covers: log mrf
---
case: four bytes
mem: 0x2000=0011223344
rpn: push 4; push 0x2000; log mrf
record: 0 0 exit 00{h:4}00112233
---
case: memory is logged as it lies, whatever the byte order
endian: big
mem: 0x2000=01020304
rpn: push 4; push 0x2000; log mrf
record: 0 0 exit 00000401020304
---
case: odd address, odd length
mem: 0x2000=0011223344
rpn: push 3; push 0x2001; log mrf
record: 0 0 exit 00{h:3}112233
---
case: read-only memory
mem-ro: 0x2000=aabb
rpn: push 2; push 0x2000; log mrf
record: 0 0 exit 00{h:2}aabb
---
case: no bytes
mem: 0x2000=00
rpn: push 0; push 0x2000; log mrf
record: 0 0 exit 00{h:0}
---
case: no bytes from an unreadable address
rpn: push 0; push 0x5000; log mrf
note: no byte is read, so none can fault
record: 0 0 exit 00{h:0}
---
case: both operands are popped
mem: 0x2000=aa
rpn: push 7; push 1; push 0x2000; log mrf; log 1
record: 0 0 exit 00{h:1}aa{w:7}
---
case: 300 bytes need both bytes of the length
mem: 0x2000=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
mem: 0x2100=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b
note: the log pointer is set back so that only the prefix is left to compare
rpn: push 300; push 0x2000; log mrf; push 3; pop lp
record: 0 0 exit 00{h:300}
