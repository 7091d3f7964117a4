# SPDX-License-Identifier: BSD-2-Clause
claim: a proc that reaches endproc returns
spec: decisions.txt C22
covers: proc; endproc
---
case: no ret
rpn: call p; push 2; log 2
procs: |
  proc p
  push 1
  endproc
  proc q
  push 9
  log 1
  ret
  endproc
record: 0 0 exit {w:2}{w:1}
