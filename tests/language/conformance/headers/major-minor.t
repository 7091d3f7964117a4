# SPDX-License-Identifier: BSD-2-Clause
claim: major is the file's, minor the probe's number in the log; both are 0 if not given
spec: dprobes.lang(8) "major =", "minor ="; RPN.md 2
covers: major; minor
---
case: neither
rpn: exit
record: 0 0 exit -
---
case: both
header: major = 5
probe: minor = 6
rpn: exit
record: 5 6 exit -
---
case: the largest
header: major = 65535
probe: minor = 0xffff
rpn: exit
record: 65535 65535 exit -
---
case: minors of several probes
full: |
  name = "t"
  major = 1
  offset = 0x1000
  minor = 1
  exit
  offset = 0x1004
  minor = 2
  exit
  offset = 0x1008
  minor = 3
  exit
hits: 3:1
hits: 1:2
hits: 2:1
record: 1 3 exit -
record: 1 1 exit -
record: 1 1 exit -
record: 1 2 exit -
