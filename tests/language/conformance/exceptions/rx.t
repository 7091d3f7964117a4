# SPDX-License-Identifier: BSD-2-Clause
claim: rx raises the exception whose three words are on the stack and does not pop them
spec: dprobes.lang(8) "rx"; decisions.txt C97
covers: rx
---
case: the handler finds them on top, once
probe: excpt_mask = 0xffff
rpn: push 99; push 3; push 2; push 0x8000; sx h; rx; exit; h: log 4
record: 0 0 exit {w:0x8000}{w:2}{w:3}{w:99}
---
case: not caught
probe: excpt_mask = 0xffff
rpn: push 1; log 1; push 3; push 2; push 0x8000; rx; push 4; log 1
record: 0 0 exception {w:1}
---
case: up the call chain
probe: excpt_mask = 0xffff
rpn: push 99; sx h; call p; exit; h: log 4
procs: |
  proc p
  push 3
  push 2
  push 0x8000
  rx
  ret
  endproc
record: 0 0 exit {w:0x8000}{w:2}{w:3}{w:99}
---
case: the u-field is the user's and is kept
probe: excpt_mask = 0xffff
rpn: push 3; push 2; push 0x12348000; sx h; rx; exit; h: log 3
record: 0 0 exit {w:0x12348000}{w:2}{w:3}
---
case: a code the interpreter generates too
rpn: push 3; push 2; push 0x20; sx h; rx; exit; h: log 3
record: 0 0 exit {w:0x20}{w:2}{w:3}
---
case: re-raise to the caller from a handler
rpn: sx h; call p; exit; h: log 3
procs: |
  proc p
  sx g
  push 0x2000
  push mem, u8
  ret
  g: push 7
  log 1
  rx
  ret
  endproc
record: 0 0 exit {w:7}{w:1}{w:0x2000}{w:0}
---
case: re-raise with push x
rpn: sx h; call p; exit; h: log 3
procs: |
  proc p
  sx g
  push 0x2000
  push mem, u8
  ret
  g: ros 3
  push x
  rx
  ret
  endproc
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: re-raise with nobody above
rpn: sx h; push 1; push 0; div; exit; h: push 7; log 1; rx; push 8; log 1
record: 0 0 exception {w:7}
