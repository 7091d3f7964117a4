# SPDX-License-Identifier: BSD-2-Clause
claim: name is the module's name, quoted if it holds anything but a-zA-Z0-9, and case-sensitive
spec: dprobes.lang(8) "name ="; decisions.txt C08, C16
covers: name
---
case: unquoted
full: |
  name = TestApp1
  offset = 0x1000
  log st
record: 0 0 exit -
record: 0 0 trace 01{h:8}5465737441707031{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: quoted path
full: |
  name = "/a/B.c"
  offset = 0x1000
  log st
record: 0 0 exit -
record: 0 0 trace 01{h:6}2f612f422e63{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: quoted, with a blank and a plus
full: |
  name = "a+b/t x"
  offset = 0x1000
  log st
record: 0 0 exit -
record: 0 0 trace 01{h:7}612b622f742078{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: quoted, with // inside
full: |
  name = "a//b"
  offset = 0x1000
  log st
note: a comment does not start inside of quotes
record: 0 0 exit -
record: 0 0 trace 01{h:4}612f2f62{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: unquoted minus, dot and underscore are accepted (with a warning)
full: |
  name = a-b_c.o
  offset = 0x1000
  log st
record: 0 0 exit -
record: 0 0 trace 01{h:7}612d625f632e6f{q:0x1000}{d:0}{h:0}{h:0}02{h:1}{w:0}{w:-1}{w:0}{w:0}03{h:0}
---
case: it need not be the first statement
full: |
  major = 2
  name = t
  offset = 0x1000
  exit
record: 2 0 exit -
