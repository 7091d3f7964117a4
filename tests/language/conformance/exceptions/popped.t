# SPDX-License-Identifier: BSD-2-Clause
claim: an instruction that raises has popped its operands and pushed no result; the exception's three words lie above what is left
spec: decisions.txt C140; RPN.md 8
covers: div; idiv; pbl (stack); pbr (stack); pbl n; move lv (stack); pop lv (stack); inc lv (stack); push lv (stack); push mem, u8; pop lp; pop stp; log lv; jz; loop; ret; exit n; rx
---
case: div: divisor and dividend
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 5; push 0; div; exit; h: log 6
record: 0 0 exit {w:0x20}{w:0}{w:0}{w:9}{w:8}{w:7}
---
case: idiv: the same
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 5; push 0; idiv; exit; h: log 6
record: 0 0 exit {w:0x20}{w:0}{w:0}{w:9}{w:8}{w:7}
---
case: pbl: the bit; the value that it would change stays
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 5; push 0; pbl; exit; h: log 6
record: 0 0 exit {w:0x40}{w:3}{w:0}{w:5}{w:9}{w:8}
---
case: pbr: the same
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 5; push 99; pbr; exit; h: log 6
record: 0 0 exit {w:0x40}{w:3}{w:99}{w:5}{w:9}{w:8}
---
case: pbl n: the value stays
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 5; pbl 0; exit; h: log 6
record: 0 0 exit {w:0x40}{w:3}{w:0}{w:5}{w:9}{w:8}
---
case: move lv: the index; the value stays, as without an exception
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 5; push 9; move lv; exit; h: log 6
record: 0 0 exit {w:0x40}{w:1}{w:9}{w:5}{w:9}{w:8}
---
case: pop lv: index and value
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 9; push 5; pop lv; exit; h: log 6
record: 0 0 exit {w:0x40}{w:1}{w:9}{w:9}{w:8}{w:7}
---
case: inc lv: the index
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 9; inc lv; exit; h: log 6
record: 0 0 exit {w:0x40}{w:1}{w:9}{w:9}{w:8}{w:7}
---
case: push lv: the index
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 9; push lv; exit; h: log 6
record: 0 0 exit {w:0x40}{w:1}{w:9}{w:9}{w:8}{w:7}
---
case: push mem: the address
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 0x2000; push mem, u8; exit; h: log 6
record: 0 0 exit {w:1}{w:0x2000}{w:0}{w:9}{w:8}{w:7}
---
case: pop mem: address and value
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 0x2000; push 5; pop mem, u8; exit; h: log 6
record: 0 0 exit {w:1}{w:0x2000}{w:0}{w:9}{w:8}{w:7}
---
case: pop lp: the value
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 50; pop lp; exit; h: log 6
record: 0 0 exit {w:0x40}{w:5}{w:50}{w:9}{w:8}{w:7}
---
case: pop stp: the value
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 50; pop stp; exit; h: log 6
record: 0 0 exit {w:0x40}{w:5}{w:50}{w:9}{w:8}{w:7}
---
case: log mrf: address and count
word: 32
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 4; push 0x2000; log mrf; exit; h: log 6
record: 0 0 exit ff{h:4}{w:0x2000}{w:1}{w:0x2000}{w:0}{w:9}{w:8}{w:7}
---
case: log str: address and count
word: 32
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 4; push 0x2000; log str; exit; h: log 6
record: 0 0 exit ff{h:4}{w:0x2000}{w:1}{w:0x2000}{w:0}{w:9}{w:8}{w:7}
---
case: log lv: range and start
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 1; push 4; log lv; exit; h: log 6
record: 0 0 exit 05{h:1}{w:0}{w:0x40}{w:1}{w:2}{w:9}{w:8}{w:7}
---
case: a conditional jump takes nothing
header: jmpmax = 3
rpn: sx h; push 7; push 8; push 9; push 0; a: jz a; exit; h: log 6
record: 0 0 exit {w:4}{w:3}{w:0}{w:0}{w:9}{w:8}
---
case: loop has counted down
header: jmpmax = 3
rpn: sx h; push 7; push 8; push 9; push 300; a: loop a; exit; h: log 6
record: 0 0 exit {w:4}{w:3}{w:0}{w:296}{w:9}{w:8}
---
case: jmp takes nothing
header: jmpmax = 3
rpn: sx h; push 7; push 8; push 9; push 5; a: jmp a; exit; h: log 6
record: 0 0 exit {w:4}{w:3}{w:0}{w:5}{w:9}{w:8}
---
case: ret without a call takes nothing
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 5; ret; exit; h: log 6
record: 0 0 exit {w:0x10}{w:0}{w:0}{w:5}{w:9}{w:8}
---
case: exit n takes nothing
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 5; exit 9; exit; h: log 6
record: 0 0 exit {w:0x40}{w:4}{w:9}{w:5}{w:9}{w:8}
---
case: rx takes its three words, which come back as those of the exception
header: vars = 2
rpn: sx h; push 7; push 8; push 9; push 3; push 2; push 0x40; rx; exit; h: log 6
record: 0 0 exit {w:0x40}{w:2}{w:3}{w:9}{w:8}{w:7}
