# SPDX-License-Identifier: BSD-2-Clause
claim: rx respects the mask: raised if any bit of the x-field is in it, else ended if any bit is in 0x0fff, else without effect
spec: decisions.txt C96, C98, C99
covers: rx
---
case: masked USER_EX has no effect
rpn: sx h; push 3; push 2; push 0x8000; rx; log 3; exit; h: setmin 1
record: 0 0 exit {w:0x8000}{w:2}{w:3}
---
case: masked LOG_OVERFLOW has no effect
rpn: sx h; push 3; push 2; push 0x1000; rx; log 3; exit; h: setmin 1
record: 0 0 exit {w:0x1000}{w:2}{w:3}
---
case: code 0, as push x gives when nothing happened
rpn: sx h; push x; rx; log 3; exit; h: setmin 1
record: 0 0 exit {w:0}{w:0}{w:0}
---
case: x-field 0 with a u-field
probe: excpt_mask = 0xffff
rpn: sx h; push 3; push 2; push 0x70000; rx; log 3; exit; h: setmin 1
record: 0 0 exit {w:0x70000}{w:2}{w:3}
---
case: several bits, one of them unmasked
rpn: sx h; push 3; push 2; push 0x8020; rx; exit; h: log 3
record: 0 0 exit {w:0x8020}{w:2}{w:3}
---
case: an unknown bit inside the mask
rpn: sx h; push 3; push 2; push 0x0100; rx; exit; h: log 3
record: 0 0 exit {w:0x100}{w:2}{w:3}
---
case: an unknown bit outside the mask and of 0x0fff
rpn: sx h; push 3; push 2; push 0x4000; rx; log 3; exit; h: setmin 1
record: 0 0 exit {w:0x4000}{w:2}{w:3}
---
case: a masked non-maskable one ends the run
probe: excpt_mask = 0x0fdf
rpn: sx h; push 1; log 1; push 3; push 2; push 0x20; rx; log 3; h: setmin 1
record: 0 0 exception {w:1}
---
case: several bits, all masked, one non-maskable
probe: excpt_mask = 0x0fdf
rpn: sx h; push 1; log 1; push 3; push 2; push 0x8020; rx; log 3; h: setmin 1
record: 0 0 exception {w:1}
