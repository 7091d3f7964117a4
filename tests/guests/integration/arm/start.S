/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody's firmware on vexpress-a9, MMU off: vectors, modes, and with OWN_VECTORS the handlers that
 * call firmware_exception of agent/README.md. Everything runs in SVC mode, exceptions in their own. */
	.syntax unified
	.arm

	/* struct saved of the guide, then the class */
	.equ	SP_LR, 52
	.equ	PC, 60
	.equ	CPSR, 64
	.equ	ABT, 68
	.equ	CLASS, 80
	.equ	BYTES, 88

	.section .vectors, "ax"
	.global	vectors
vectors:
	ldr	pc, =_start
	ldr	pc, =undefined
	ldr	pc, =stop_svc
	ldr	pc, =prefetch
	ldr	pc, =data
	ldr	pc, =stop_reserved
	ldr	pc, =firmware_irq
	ldr	pc, =stop_fiq
	.ltorg

	.section .text.start, "ax"
	.global	_start
_start:
	msr	cpsr_c, #0xdb
	ldr	sp, =__ram_end - 0x1000
	msr	cpsr_c, #0xd7
	ldr	sp, =__ram_end - 0x2000
	msr	cpsr_c, #0xd2
	ldr	sp, =__ram_end - 0x3000
	msr	cpsr_c, #0xd3
	ldr	sp, =__ram_end
	ldr	r0, =vectors
	mcr	p15, 0, r0, c12, c0, 0
	ldr	r0, =__bss_start
	ldr	r1, =__bss_end
	mov	r2, #0
1:	cmp	r0, r1
	strlo	r2, [r0], #4
	blo	1b
	bl	main
stop_svc:
stop_reserved:
	.weak	firmware_irq	/* of a firmware that takes interrupts */
firmware_irq:
stop_fiq:
	b	.

#ifdef OWN_VECTORS
	/* In the exception's mode: the context's registers to its stack, the guide's function, back. */
	.macro	handler class, link_arm, link_thumb
	sub	sp, sp, #BYTES
	stmia	sp, {r0-r12}
	mov	r0, sp
	mrs	r1, spsr
	str	r1, [r0, #CPSR]
	tst	r1, #0x20
	subeq	r2, lr, #\link_arm
	subne	r2, lr, #\link_thumb
	str	r2, [r0, #PC]
	mov	r2, #\class
	str	r2, [r0, #CLASS]
	mrs	r3, cpsr
	orr	r1, r1, #0xc0
	bic	r1, r1, #0x20
	msr	cpsr_c, r1
	mov	r4, sp
	mov	r5, lr
	msr	cpsr_c, #0xd7
	mov	r6, sp
	mov	r7, lr
	mrs	r8, spsr
	msr	cpsr_c, r3
	add	r9, r0, #SP_LR
	stmia	r9, {r4-r5}
	add	r9, r0, #ABT
	stmia	r9, {r6-r8}
	mov	r1, r0
	add	r0, r0, #CLASS
	bl	firmware_exception
	movs	r0, r0
	beq	.
	mov	r0, sp
	ldr	r1, [r0, #CPSR]
	msr	spsr_cxsf, r1
	ldr	lr, [r0, #PC]
	mrs	r3, cpsr
	orr	r1, r1, #0xc0
	bic	r1, r1, #0x20
	add	r9, r0, #SP_LR
	ldmia	r9, {r4-r5}
	msr	cpsr_c, r1
	mov	sp, r4
	mov	lr, r5
	msr	cpsr_c, r3
	ldmia	sp, {r0-r12}
	add	sp, sp, #BYTES
	movs	pc, lr
	.endm
undefined:
	handler	1, 4, 2
prefetch:
	handler	2, 4, 4
data:
	handler	3, 8, 8
#else
undefined:
prefetch:
data:
	b	.
#endif
	.ltorg
	.space	64	/* not probed behind a handler of undefined instructions: port/arm/README.md */

	/* counter += r0: an instruction of each treatment (literal, load, plain, store, return). */
	.text
	.global	work
	.type	work, %function
work:
	ldr	r1, =counter
	ldr	r2, [r1]
	add	r2, r2, r0
	str	r2, [r1]
	bx	lr
	.size	work, . - work
	.ltorg
