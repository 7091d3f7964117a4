/* SPDX-License-Identifier: BSD-2-Clause */
/* Reach a site with every register as the case wants it, the stack pointer too, and come back. */
	.syntax unified
	.arm
	.text

	.global	cpu_hit
	.type	cpu_hit, %function
cpu_hit:				/* r0: r0..r14, r1: the site */
	push	{r4-r11, lr}
	ldr	r2, =saved_sp
	str	sp, [r2]
	str	r1, target
	ldr	sp, [r0, #13 * 4]
	ldr	lr, [r0, #14 * 4]
	ldm	r0, {r0-r12}
	ldr	pc, target
target:	.word	0

	.global	guest_return
	.type	guest_return, %function
guest_return:
	str	r0, left		/* in reach of the pc */
	ldr	r0, =guest_left
	stmib	r0, {r1-r12}
	str	sp, [r0, #13 * 4]
	str	lr, [r0, #14 * 4]
	ldr	r1, left
	str	r1, [r0]
	ldr	sp, =saved_sp
	ldr	sp, [sp]
	pop	{r4-r11, pc}
left:	.word	0

	.bss
	.align	2
saved_sp:
	.space	4
	.global	guest_left
guest_left:
	.space	32 * 4
