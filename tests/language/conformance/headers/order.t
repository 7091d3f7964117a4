# SPDX-License-Identifier: BSD-2-Clause
claim: file header statements and, after offset, probe header statements may come in any order
spec: dprobes.lang(8) "PROBE PROGRAM FILE HEADER", "Probe-Point Header"; RPN.md 2, C117
covers: name; major; id; vars; gvars; logmax; jmpmax; logonfault; groupdef; typedef; modtype; minor; group; type; opcode; excpt_mask; excpt_log; autostacktrace
---
case: everything once
full: |
  typedef = enter leave
  logmax = 100
  id = 9
  autostacktrace = no
  vars = 1
  modtype = kernel
  groupdef = a b c
  gvars = 1
  jmpmax = 10
  name = "t"
  excpt_log = 200
  logonfault = no
  major = 1
  offset = 0x1000
  type = leave
  excpt_mask = 0x0fff
  maxhits = 3
  logonfault = yes
  minor = 2
  group = b
  ignore = 0
  opcode = 0
  push 1
  log 1
record: 1 2 exit {w:1}
---
case: another order
full: |
  name = "t"
  major = 1
  groupdef = a
  typedef = enter
  offset = 0x1000
  minor = 2
  group = a
  type = enter
  exit
record: 1 2 exit -
---
case: group and type names are not case-sensitive
full: |
  name = "t"
  groupdef = FileSys
  typedef = Enter
  offset = 0x1000
  group = filesys
  type = ENTER
  exit
record: 0 0 exit -
