# SPDX-License-Identifier: BSD-2-Clause
claim: dfltexit = 0 of the ALS 2000 paper is accepted and ignored (with a warning)
spec: RPN.md 10
covers: dfltexit
---
case: dfltexit=0
header: dfltexit=0
rpn: push 1; log 1
record: 0 0 exit {w:1}
