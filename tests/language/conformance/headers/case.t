# SPDX-License-Identifier: BSD-2-Clause
claim: keywords and their fixed values are not case-sensitive
spec: dprobes.lang(8) "PROBE PROGRAM FILE FORMAT"; decisions.txt C08
covers: name; modtype; autostacktrace
---
case: upper case
full: |
  NAME = t
  MODTYPE = KERNEL
  Vars = 1
  AutoStackTrace = YES
  OFFSET = 0x1000
  Minor = 3
  MaxHits = 1
  INC LV, 0
  push lv, 0
  LOG 1
hits: 2
record: 0 3 exit {w:1}
