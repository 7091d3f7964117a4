# SPDX-License-Identifier: BSD-2-Clause
claim: raising an exception resets the handler; it is good for the first exception only
spec: dprobes.lang(8) "Exception handling - some rules" 3
covers: sx L
---
case: a second exception in the handler ends the run
rpn: sx h; push 1; push 0; div; exit; h: push 2; log 1; push 1; push 0; div; push 3; log 1
record: 0 0 exception {w:2}
---
case: set again in the handler
header: vars = 1
rpn: |
  sx h
  push 1
  push 0
  div
  exit
  h: inc lv, 0
  push lv, 0
  log 1
  sx h2
  push 1
  push 0
  idiv
  exit
  h2: push 9
  log 1
record: 0 0 exit {w:1}{w:9}
