# SPDX-License-Identifier: BSD-2-Clause
claim: procs may stand before, between and after the probes; every probe can call every proc
spec: dprobes.lang(8) "Format of Procedure"; RPN.md 2, C08
covers: proc; endproc; call P
---
case: between and after
full: |
  name = "t"
  offset = 0x1000
  minor = 1
  call one
  call two
  log 2
  exit
  proc one
  push 1
  ret
  endproc
  offset = 0x1004
  minor = 2
  call two
  call one
  log 2
  exit
  proc two
  push 2
  ret
  endproc
hits: 1:1
hits: 2:1
record: 0 1 exit {w:2}{w:1}
record: 0 2 exit {w:1}{w:2}
---
case: names of procs are not case-sensitive
rpn: call MyProc; log 1
procs: |
  Proc myproc
  push 3
  Ret
  EndProc
record: 0 0 exit {w:3}
---
case: before the first probe
note: "may stand anywhere between probes"; a proc after the file header and before the first probe is taken to be allowed, as a library pulled in by #include would be
full: |
  name = "t"
  proc one
  push 1
  ret
  endproc
  offset = 0x1000
  call one
  log 1
record: 0 0 exit {w:1}
---
case: a proc and its caller may use the same label name
rpn: jmp out; push 9; out: call p; log 1
procs: |
  proc p
  jmp out
  push 8
  out: push 7
  ret
  endproc
record: 0 0 exit {w:7}
