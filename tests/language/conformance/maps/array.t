# SPDX-License-Identifier: BSD-2-Clause
claim: an array keeps the values of a key from hit to hit; a key without values has zeros
spec: RPN.md 5.8; PROTOCOL.md 2.3
covers: push map, n; pop map, n
---
case: one key, one value
header: map = array 1 1 4
hits: 2
rpn: push 7; push map, 0; log 1; push 7; push 5; pop map, 0; push 7; push map, 0; log 1
record: 0 0 exit {w:0}{w:5}
record: 0 0 exit {w:5}{w:5}
---
case: two keys, three values: the last value is on top
header: map = array 2 3 4
rpn: push 1; push 2; push 10; push 11; push 12; pop map, 0; push 1; push 2; push map, 0; log 3; push 2; push 1; push map, 0; log 3
record: 0 0 exit {w:12}{w:11}{w:10}{w:0}{w:0}{w:0}
---
case: no key: one entry
header: map = array 0 1 1
rpn: push 4; pop map, 0; push map, 0; log 1
record: 0 0 exit {w:4}
---
case: pops keys and values, and nothing else
header: map = array 1 1 4
rpn: push 77; push 1; push 2; pop map, 0; log 1
record: 0 0 exit {w:77}
---
case: two keys of one mark, by the hash of the agent
header: map = array 1 1 4
rpn: push 3; push 5; pop map, 0; push 10949; push 6; pop map, 0; push 3; push map, 0; push 10949; push map, 0; log 2
record: 0 0 exit {w:6}{w:5}
