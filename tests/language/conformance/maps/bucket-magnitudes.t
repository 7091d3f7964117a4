# SPDX-License-Identifier: BSD-2-Clause
# proves: R2.33
claim: llquantize: each power of the factor has its steps, whose bounds are round
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: bucket n
---
case: factor 10, magnitudes 1 to 2, 10 steps
header: map = magnitudes 10 1 2 10 signed
rpn: push 9; bucket 0; push 10; bucket 0; push 19; bucket 0; push 20; bucket 0; push 99; bucket 0; push 100; bucket 0; push 999; bucket 0; push 1000; bucket 0; log 8
record: 0 0 exit {w:19}{w:18}{w:10}{w:9}{w:2}{w:1}{w:1}{w:0}
---
case: fewer steps than the factor
header: map = magnitudes 10 0 1 5 signed
rpn: push -1; bucket 0; push 1; bucket 0; push 3; bucket 0; push 9; bucket 0; push 10; bucket 0; push 99; bucket 0; push 100; bucket 0; log 7
record: 0 0 exit {w:11}{w:10}{w:6}{w:5}{w:2}{w:1}{w:0}
---
case: more steps than numbers: a bucket each
header: map = magnitudes 2 0 2 4
rpn: push 0; bucket 0; push 1; bucket 0; push 2; bucket 0; push 3; bucket 0; push 4; bucket 0; push 5; bucket 0; push 7; bucket 0; push 8; bucket 0; log 8
record: 0 0 exit {w:6}{w:5}{w:4}{w:4}{w:3}{w:2}{w:1}{w:0}
