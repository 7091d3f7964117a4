# SPDX-License-Identifier: BSD-2-Clause
claim: jnz jumps if TOS is not zero and leaves TOS where it is
spec: dprobes.lang(8) "jnz"; decisions.txt C23
covers: jnz L
---
case: zero does not
rpn: push 0; jnz yes; log 1; exit; yes: setmin 1; log 1
record: 0 0 exit {w:0}
---
case: minus one jumps
rpn: push -1; jnz yes; log 1; exit; yes: setmin 1; log 1
record: 0 1 exit {w:-1}
---
case: the top bit alone jumps
rpn: push 1; ror 1; jnz yes; exit; yes: setmin 1
record: 0 1 exit -
