# SPDX-License-Identifier: BSD-2-Clause
claim: jle jumps if TOS <= 0, signed, and leaves TOS where it is
spec: dprobes.lang(8) "jle"; decisions.txt C23, C24
covers: jle L
---
case: minus one jumps
rpn: push -1; jle yes; log 1; exit; yes: setmin 1; log 1
record: 0 1 exit {w:-1}
---
case: zero jumps
rpn: push 0; jle yes; log 1; exit; yes: setmin 1; log 1
record: 0 1 exit {w:0}
---
case: one does not
rpn: push 1; jle yes; log 1; exit; yes: setmin 1; log 1
record: 0 0 exit {w:1}
