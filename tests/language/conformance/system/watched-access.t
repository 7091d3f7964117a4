# SPDX-License-Identifier: BSD-2-Clause
claim: push wpaddr, wpold and wpnew tell a handler of a watchpoint the address of the access, the watched range before it and now
spec: RPN.md 5.5
covers: push wpaddr; push wpold; push wpnew
raises: push wpold: INVALID_ADDR; push wpnew: INVALID_ADDR
---
case: a word
boards: no, the boards of the conformance cases use no comparators
word: 32
mem: 0x2000={w:0x12345678}
full: |
  name = "t"
  address = 0x2000 : 0x2003
  watchpoint = w
  push wpnew
  push wpold
  push wpaddr
  log 3
  exit
record: 0 0 exit {w:0x2000}{w:0x12345678}{w:0x12345678}
---
case: a byte, extended with zeros
boards: no, the boards of the conformance cases use no comparators
mem: 0x2001=ff
full: |
  name = "t"
  address = 0x2001
  watchpoint = rw
  push wpold
  log 1
  exit
record: 0 0 exit {w:0xff}
---
case: eight bytes are a pair of 32-bit words, the word at the lower address on top
boards: no, the boards of the conformance cases use no comparators
word: 32
mem: 0x2000={w:0x11}{w:0x22}
full: |
  name = "t"
  address = 0x2000 : 0x2007
  watchpoint = r
  push wpold
  log 2
  exit
record: 0 0 exit {w:0x11}{w:0x22}
---
case: the old value is the one behind the last hit
boards: no, the boards of the conformance cases use no comparators
word: 32
hits: 2
mem: 0x2000={w:5}
full: |
  name = "t"
  address = 0x2000 : 0x2003
  watchpoint = w
  push wpold
  log 1
  push 0x2000
  push 6
  pop mem, u32
  exit
record: 0 0 exit {w:5}
record: 0 0 exit {w:6}
---
case: memory that cannot be read
boards: no, the boards of the conformance cases use no comparators
word: 32
full: |
  name = "t"
  address = 0x2000 : 0x2003
  watchpoint = w
  sx out
  push wpnew
  exit
  out:
  log 3
  exit
record: 0 0 exit {w:1}{w:0x2000}{w:0}
---
case: memory that could not be read
boards: no, the boards of the conformance cases use no comparators
word: 32
full: |
  name = "t"
  address = 0x2000 : 0x2003
  watchpoint = w
  sx out
  push wpold
  exit
  out:
  log 3
  exit
record: 0 0 exit {w:1}{w:0x2000}{w:0}
