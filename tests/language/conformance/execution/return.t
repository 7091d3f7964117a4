# SPDX-License-Identifier: BSD-2-Clause
claim: return pops its words, and the handler goes on to its end
spec: RPN.md 5.5 "return"
covers: return n
raises: return n: INVALID_OPERAND
---
case: one word
boards: no, the places of the cases on boards are no functions
probe: function = 16
rpn: push 1; push 2; push 7; return 1; log 2
record: 0 0 exit {w:2}{w:1}
---
case: no word
boards: no, the places of the cases on boards are no functions
probe: function = 16
rpn: push 1; return 0; log 1
record: 0 0 exit {w:1}
---
case: a pair
boards: no, the places of the cases on boards are no functions
word: 32
probe: function = 16
rpn: push 1; push 2; push 7; return 2; log 1
record: 0 0 exit {w:1}
---
case: a second return pops, too
boards: no, the places of the cases on boards are no functions
probe: function = 16
rpn: push 1; push 2; return 1; push 7; return 1; log 1
record: 0 0 exit {w:1}
---
case: behind the handler the probes of phase returned run, with the result
boards: no, the places of the cases on boards are no functions
hits: 1:1
full: |
  name = "t"
  offset = 0x1000
  minor = 1
  function = 16
  push 7
  return 1
  abort
  offset = 0x1000
  minor = 2
  phase = returned
  push r, retval
  log 1
  exit
record: 0 2 exit {w:7}
---
case: without a caller
boards: no, the places of the cases on boards are no functions
reg: lr=-1
probe: function = 16
rpn: sx out; push 3; push 7; return 1; abort; out: log 3
record: 0 0 exit {w:0x40}{w:6}{w:0}
