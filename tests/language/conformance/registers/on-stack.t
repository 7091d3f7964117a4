# SPDX-License-Identifier: BSD-2-Clause
claim: where the calling convention passes them on the stack, lr and arg0 to arg3 are words above sp
spec: RPN.md 4 (aliases such as arg0..arg3 and retval)
covers: push r, name; push u, name; pop r, name; pop u, name
---
case: return address and four arguments
cpu: ia32
word: 32
endian: little
reg: esp=0x8000
mem: 0x8000=10000000aa000000bb000000cc000000dd000000
rpn: push r, lr; push r, arg0; push r, arg1; push r, arg2; push r, arg3; log 5
record: 0 0 exit dd000000cc000000bb000000aa00000010000000
---
case: pc, sp and retval are registers
cpu: ia32
word: 32
endian: little
reg: esp=0x8000
reg: eax=7
rpn: push r, pc; push r, sp; push r, retval; log 3
record: 0 0 exit 070000000080000000100000
---
case: in the user context, by upper case
cpu: ia32
word: 32
endian: little
reg: esp=0x8000
mem: 0x8000=1000000022000000
rpn: push u, ARG0; push u, LR; log 2
record: 0 0 exit 1000000022000000
---
case: what is below on the stack stays, a fault names the word and leaves nothing on top
cpu: ia32
word: 32
endian: little
reg: esp=0x8000
mem: 0x8000=1000000022000000
rpn: push 9; sx h; push r, arg0; push r, arg1; exit; h: log 5
record: 0 0 exit 010000000880000000000000{d:0x22}{d:9}
---
case: a return address that is not there
cpu: ia32
word: 32
endian: little
reg: esp=0x8000
rpn: push r, lr; log 1
record: 0 0 exception -
---
case: three bytes of the word are there
cpu: ia32
word: 32
endian: little
reg: esp=0x8000
mem: 0x8004=220000
rpn: sx h; push r, arg0; exit; h: log 3
record: 0 0 exit {d:1}{d:0x8004}{d:0}
---
case: the address wraps at the end of the address space
cpu: ia32
word: 32
endian: little
reg: esp=0xfffffffc
mem: 0=05000000
rpn: push r, arg0; log 1
record: 0 0 exit {d:5}
---
case: a write goes to memory, and is read back by either context
cpu: ia32
word: 32
endian: little
reg: esp=0x8000
mem: 0x8000=1000000022000000
rpn: push 1; push 0x11223344; pop r, arg0; push 8; pop u, lr; push r, arg0; push u, lr; log 3
record: 0 0 exit {d:8}{d:0x11223344}{d:1}
---
case: a write to a word that cannot be written
cpu: ia32
word: 32
endian: little
reg: esp=0x8000
mem-ro: 0x8000=1000000022000000
rpn: sx h; push 5; pop r, arg0; exit; h: log 3
record: 0 0 exit {d:1}{d:0x8004}{d:0}
---
case: behind a label, in a procedure, as one instruction of a loop
cpu: ia32
word: 32
endian: little
reg: esp=0x8000
mem: 0x8000=1000000022000000
rpn: push 2; l: call p; loop l; log 1
procs: |
  proc p
  jmp over
  over: push r, arg0
  log 1
  ret
  endproc
record: 0 0 exit {d:0x22}{d:0x22}{d:0}
---
case: given by name, wherever the stack is
cpu: ia32
word: 32
endian: little
reg: arg1=0x77
reg: arg0=0x66
reg: esp=0x9000
rpn: push r, arg0; push r, arg1; push r, esp; push 8; add; push mem, u32; log 3
record: 0 0 exit {d:0x77}{d:0x77}{d:0x66}
---
case: a register of that name has the word on other processors
cpu: s390
word: 32
endian: big
reg: arg0=0x66
reg: lr=0x77
rpn: push r, lr; push r, arg0; push r, gpr2; log 3
record: 0 0 exit {d:0x66}{d:0x66}{d:0x77}
