# SPDX-License-Identifier: BSD-2-Clause
claim: and, or, xor combine two words bit by bit
spec: dprobes.lang(8) "and", "or", "xor"
covers: and; or; xor
---
case: and
rpn: push 9; push 0xf0f0; push 0xff00; and; log 2
record: 0 0 exit {w:0xf000}{w:9}
---
case: or
rpn: push 9; push 0xf0f0; push 0xff00; or; log 2
record: 0 0 exit {w:0xfff0}{w:9}
---
case: xor
rpn: push 9; push 0xf0f0; push 0xff00; xor; log 2
record: 0 0 exit {w:0x0ff0}{w:9}
---
case: the whole word
rpn: push -1; push 0; or; push -1; push 0; and; push -1; push -1; xor; log 3
record: 0 0 exit {w:0}{w:0}{w:-1}
