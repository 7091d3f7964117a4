# SPDX-License-Identifier: BSD-2-Clause
claim: small whole programs give what their text says
spec: dprobes.lang(8) "INSTRUCTION SET"; RPN.md 5
covers: jz L; loop L; call P; div; push mem, u8; pop mem, u8; inc gv (stack)
---
case: greatest common divisor of 48 and 36
header: vars = 1
rpn: |
  push 48
  push 36
  again: jz done
  push tsp, 0
  pop lv, 0
  div
  ros 1
  push lv, 0
  xchg
  jmp again
  done: ros 1
  log 1
record: 0 0 exit {w:12}
---
case: factorial of 10, recursive
rpn: push 10; call fact; log 1
procs: |
  proc fact
  jnz more
  ros 1
  push 1
  ret
  more: dup 1
  push -1
  add
  call fact
  mul
  ret
  endproc
record: 0 0 exit {w:3628800}
---
case: factorial of 31 calls 32 deep, modulo 2^32
word: 32
rpn: push 31; call fact; log 1
procs: |
  proc fact
  jnz more
  ros 1
  push 1
  ret
  more: dup 1
  push -1
  add
  call fact
  mul
  ret
  endproc
note: 31! has 26 factors of two; 31! mod 2^32 = 738197504
record: 0 0 exit {w:738197504}
---
case: factorial of 32 would need 33 calls
rpn: sx h; push 32; call fact; log 1; exit; h: log 3
procs: |
  proc fact
  jnz more
  ros 1
  push 1
  ret
  more: dup 1
  push -1
  add
  call fact
  mul
  ret
  endproc
record: 0 0 exit {w:0x10}{w:32}{w:0}
---
case: walking a linked list
endian: little
mem: 0x2000=0030000007
mem: 0x3000=0040000008
mem: 0x4000=0000000009
rpn: |
  push 0x2000
  again: jz done
  dup 1
  push 4
  add
  push mem, u8
  log 1
  push mem, u32
  jmp again
  done: exit
record: 0 0 exit {w:7}{w:8}{w:9}
---
case: a broken list ends with the fault, what was logged stays
endian: little
mem: 0x2000=0030000007
rpn: |
  push 0x2000
  again: jz done
  dup 1
  push 4
  add
  push mem, u8
  log 1
  push mem, u32
  jmp again
  done: exit
record: 0 0 exception {w:7}
---
case: length of a string
header: vars = 1
mem: 0x2000=68656c6c6f00
rpn: |
  push 0x2000
  again: dup 1
  push mem, u8
  jz end
  ros 1
  push 1
  add
  inc lv, 0
  jmp again
  end: push lv, 0
  log 1
record: 0 0 exit {w:5}
---
case: copying memory
header: vars = 1
mem: 0x2000=01020304
mem: 0x3000=0000000000
rpn: |
  push 4
  again: move lv, 0
  push 0x2fff
  push lv, 0
  add
  push 0x1fff
  push lv, 0
  add
  push mem, u8
  pop mem, u8
  loop again
  push 5
  push 0x3000
  log mrf
record: 0 0 exit 00{h:5}0102030400
---
case: a histogram over hits
header: gvars = 4
reg: r0=6
hits: 2
rpn: push r, r0; push 3; and; inc gv; push 0; push 4; log gv
record: 0 0 exit 06{h:4}{w:0}{w:0}{w:1}{w:0}
record: 0 0 exit 06{h:4}{w:0}{w:0}{w:2}{w:0}
---
case: a proc with arguments, reached by the base pointer
rpn: push 6; push 7; call mult; ros 1; log 1
procs: |
  proc mult
  save tsp
  restore sbp
  push sbp, 0
  push sbp, 1
  mul
  pop sbp, 1
  ret
  endproc
record: 0 0 exit {w:42}
---
case: logging every third hit only
header: vars = 1
hits: 7
rpn: inc lv, 0; push lv, 0; push 3; div; ros 1; jz yes; abort; yes: push lv, 0; log 1
record: 0 0 exit {w:3}
record: 0 0 exit {w:6}
---
case: the first readable one of three addresses
mem: 0x4000=aa
rpn: push 0x2000; vfyr; jz one; push 0x3000; vfyr; jz two; push 0x4000; vfyr; jz three; abort; one: exit; two: setmin 2; exit; three: setmin 3
record: 0 3 exit -
---
case: a default instead of a fault
rpn: sx h; push 0x2000; push mem, u32; jmp out; h: ros 3; push -1; out: log 1
record: 0 0 exit {w:-1}
