# SPDX-License-Identifier: BSD-2-Clause
claim: jgt jumps if TOS > 0, signed, and leaves TOS where it is
spec: dprobes.lang(8) "jgt"; decisions.txt C23, C24
covers: jgt L
---
case: minus one does not
rpn: push -1; jgt yes; log 1; exit; yes: setmin 1; log 1
record: 0 0 exit {w:-1}
---
case: zero does not
rpn: push 0; jgt yes; log 1; exit; yes: setmin 1; log 1
record: 0 0 exit {w:0}
---
case: one jumps
rpn: push 1; jgt yes; log 1; exit; yes: setmin 1; log 1
record: 0 1 exit {w:1}
