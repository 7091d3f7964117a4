# SPDX-License-Identifier: BSD-2-Clause
claim: a kernel program may give the absolute address instead of the offset
spec: dprobes.lang(8) "address ="; decisions.txt C125, C127
covers: address; modtype
---
case: address
full: |
  name = "t"
  modtype = kernel
  address = 0x2000
  minor = 1
  push r, pc
  log 1
record: 0 1 exit {w:0x2000}
---
case: kernel is the default module type
full: |
  name = "t"
  address = 0x2000 + 8
  push r, pc
  log 1
record: 0 0 exit {w:0x2008}
---
case: offset and address probes in one program
full: |
  name = "t"
  address = 0x2000
  minor = 1
  exit
  offset = 0x1000
  minor = 2
  exit
hits: 1:1
hits: 2:1
record: 0 1 exit -
record: 0 2 exit -
