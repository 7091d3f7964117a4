# SPDX-License-Identifier: BSD-2-Clause
claim: push ticks and push ns read the clock; in the simulator a tick is a hit, and 1000 ns
spec: RPN.md 5.8
covers: push ticks; push ns
---
case: 32 bits, little-endian
boards: no, a board has a clock of its own
word: 32
endian: little
hits: 2
rpn: push ns; push ticks; log 4
record: 0 0 exit {w:0}{w:0}{w:0}{w:0}
record: 0 0 exit {w:1}{w:0}{w:1000}{w:0}
---
case: 32 bits, big-endian
boards: no, a board has a clock of its own
word: 32
endian: big
hits: 2
rpn: push ns; push ticks; log 4
record: 0 0 exit {w:0}{w:0}{w:0}{w:0}
record: 0 0 exit {w:0}{w:1}{w:0}{w:1000}
---
case: 64 bits
word: 64
hits: 2
rpn: push ns; push ticks; log 2
record: 0 0 exit {w:0}{w:0}
record: 0 0 exit {w:1}{w:1000}
---
case: the clock does not go back
header: vars = 4
rpn: push ticks; push ticks; lltu; log 1; push ns; push ns; lltu; log 1
boards: no, a board's clock may go on between two instructions
record: 0 0 exit {w:0}{w:0}
