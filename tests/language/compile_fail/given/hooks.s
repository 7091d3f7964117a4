@ SPDX-License-Identifier: BSD-2-Clause
@ Firmware with static hooks: two places of work:begin, one of work:end, whose second argument nobody can read,
@ one of work:asked, which has a semaphore, and one of work:overwritten, which holds another instruction.
	.syntax unified
	.text
	.arm
	.global main
	.type main, %function
main:
first:	nop
second:	nop
third:	nop
fourth:	mov r3, #7
	bx lr
	.size main, . - main
	.section .note.stapsdt, "o", %note, main
	.4byte 8, 2f-1f, 3
	.asciz "stapsdt"
1:	.4byte first, 0, 0
	.asciz "work", "begin", "-4@r0"
	.balign 4
2:	.4byte 8, 4f-3f, 3
	.asciz "stapsdt"
3:	.4byte second, 0, 0
	.asciz "work", "begin", "-4@#7"
	.balign 4
4:	.4byte 8, 6f-5f, 3
	.asciz "stapsdt"
5:	.4byte third, 0, 0
	.asciz "work", "end", "-4@r0 4@[r1, r2]"
	.balign 4
6:	.4byte 8, 8f-7f, 3
	.asciz "stapsdt"
7:	.4byte third, 0, asked
	.asciz "work", "asked", ""
	.balign 4
8:	.4byte 8, 10f-9f, 3
	.asciz "stapsdt"
9:	.4byte fourth, 0, 0
	.asciz "work", "overwritten", ""
	.balign 4
10:
	.bss
asked:	.space 2
