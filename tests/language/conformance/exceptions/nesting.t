# SPDX-License-Identifier: BSD-2-Clause
claim: handlers do not nest: an inner sx replaces the outer one and ux clears it for good
spec: dprobes.lang(8) "Exception handling - some rules" 1; decisions.txt C104
covers: sx L; ux
---
case: the inner one is called
rpn: sx a; sx b; push 1; push 0; div; exit; a: push 10; log 1; exit; b: push 20; log 1
record: 0 0 exit {w:20}
---
case: after ux the outer one is not restored
rpn: sx a; sx b; ux; push 1; push 0; div; exit; a: push 10; log 1; exit; b: push 20; log 1
record: 0 0 exception -
---
case: after the inner one was called the outer one is not restored
rpn: sx a; sx b; push 1; push 0; div; exit; a: push 10; log 1; exit; b: push 20; log 1; push 1; push 0; div
record: 0 0 exception {w:20}
