# SPDX-License-Identifier: BSD-2-Clause
# proves: R2.33
claim: lquantize: below the base is 0, each step is a bucket, the rest is the last one
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: bucket n
---
case: base -10, step 5, 4 levels
header: map = linear -10 5 4 signed
rpn: push -11; bucket 0; push -10; bucket 0; push -6; bucket 0; push -5; bucket 0; push 9; bucket 0; push 10; bucket 0; push 1000; bucket 0; log 7
record: 0 0 exit {w:5}{w:5}{w:4}{w:2}{w:1}{w:1}{w:0}
---
case: unsigned: a large word is not negative
header: map = linear 5 10 3
rpn: push -1; bucket 0; push 4; bucket 0; push 5; bucket 0; log 3
record: 0 0 exit {w:1}{w:0}{w:4}
