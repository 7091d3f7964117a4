# SPDX-License-Identifier: BSD-2-Clause
claim: behind push a reserved word is an instruction, not a symbol
spec: decisions.txt C17
covers: push pid; push procid; push task; push x; push lp; push plp; push stp
---
case: all of one word
rpn: push stp; push plp; push lp; push task; push procid; push pid; add; add; add; add; add; push x; add; add; add; log 1
record: 0 0 exit {w:0}
