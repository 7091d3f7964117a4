# SPDX-License-Identifier: BSD-2-Clause
claim: logonfault takes yes or no, in the file and in a probe; without a faulting instruction it changes nothing
spec: dprobes.lang(8) "logonfault ="; decisions.txt C128
covers: logonfault
---
case: yes for the file
header: logonfault = yes
rpn: push 1; log 1
record: 0 0 exit {w:1}
---
case: no for the probe
header: logonfault = yes
probe: logonfault = no
rpn: push 1; log 1
record: 0 0 exit {w:1}
