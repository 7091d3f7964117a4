# SPDX-License-Identifier: BSD-2-Clause
claim: jz jumps if TOS is zero and leaves TOS where it is
spec: dprobes.lang(8) "jz"; decisions.txt C23
covers: jz L
---
case: zero jumps
rpn: push 0; jz yes; log 1; exit; yes: setmin 1; log 1
record: 0 1 exit {w:0}
---
case: one does not
rpn: push 1; jz yes; log 1; exit; yes: setmin 1; log 1
record: 0 0 exit {w:1}
---
case: the top bit alone is not zero
rpn: push 1; ror 1; jz yes; exit; yes: setmin 1
record: 0 0 exit -
