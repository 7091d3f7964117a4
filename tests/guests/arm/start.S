/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up, a flat map with holes, and the guest's own exception handlers: the "firmware" that the
 * port must hand exceptions to with nothing changed. */
#include "guest.h"

	.syntax unified
	.arm
#if __ARM_ARCH >= 7
	.fpu	neon
#endif
	.section .text.start, "ax"
	.global	_start
_start:
#if __ARM_ARCH >= 7
	mrc	p15, 0, r0, c0, c0, 5
	tst	r0, #0xff
1:	wfine
	bne	1b
#endif
	.macro	mode number, stack
	msr	cpsr_c, #\number | 0xc0
	ldr	sp, =\stack
	.endm
	mode	0x1b, und_stack
	mode	0x17, abt_stack
	mode	0x13, svc_stack
	ldr	r0, =__bss_start
	ldr	r1, =__bss_end
	mov	r2, #0
1:	cmp	r0, r1
	strlo	r2, [r0], #4
	blo	1b
	/* vectors and their literals */
	ldr	r0, =vector_image
	ldr	r1, =vectors
#if __ARM_ARCH >= 7
	mcr	p15, 0, r1, c12, c0, 0
#else
	mov	r1, #0
#endif
	ldmia	r0!, {r2-r9}
	stmia	r1!, {r2-r9}
	ldmia	r0!, {r2-r9}
	stmia	r1!, {r2-r9}
	/* sections: RAM cached, all else not there, except the UARTs' megabytes nobody touches */
	ldr	r0, =table
	ldr	r1, =RAM_BASE
	add	r2, r0, r1, lsr #18
	ldr	r3, =0xc1e			/* AP 3, C, B, bit 4 (v5: should be one) */
#if __ARM_ARCH >= 7
	bic	r3, r3, #0x10
#endif
	orr	r3, r3, r1
	ldr	r5, =0xd00f			/* megabytes 0-3: all but what is probed, 12: that */
2:	tst	r5, #1
	strne	r3, [r2]
	add	r2, r2, #4
	add	r3, r3, #0x100000
	movs	r5, r5, lsr #1
	bne	2b
	ldr	r3, [r2, #-8]			/* the last but one: AP 1, not for user mode */
	bic	r3, r3, #0x800
	str	r3, [r2, #-8]
#if __ARM_ARCH >= 7
	ldr	r4, =0xf3af8000			/* nop.w: its second half, in the last one */
	ldr	r3, =RAM_BASE + 0x00f00000
	strh	r4, [r3]
	ldr	r3, [r2, #-4]			/* the last one: AP 3, APX, read-only */
	orr	r3, r3, #0x8000
	str	r3, [r2, #-4]
#endif
	mcr	p15, 0, r0, c2, c0, 0
	mov	r1, #1
	mcr	p15, 0, r1, c3, c0, 0
	mcr	p15, 0, r1, c8, c7, 0
	mrc	p15, 0, r1, c1, c0, 0
	orr	r1, r1, #1
#if __ARM_ARCH >= 7
	bic	r1, r1, #0x2			/* A: unaligned words are fine */
#endif
	mcr	p15, 0, r1, c1, c0, 0
#if __ARM_ARCH >= 7
	isb
	mov	r0, #0xf00000			/* VFP and NEON */
	mcr	p15, 0, r0, c1, c0, 2
	isb
	mov	r0, #0x40000000
	vmsr	fpexc, r0
#endif
	bl	guest_main
1:	b	1b

	/* Go to the mode of a status word, masked; user mode's registers are system mode's. */
	.macro	enter_mode status, scratch
	and	\scratch, \status, #0x1f
	cmp	\scratch, #0x10
	moveq	\scratch, #0x1f
	orr	\scratch, \scratch, #0xc0
	msr	cpsr_c, \scratch
	.endm

	/* void run(const struct state *in, struct state *out). Through undefined mode, so that the
	 * instruction can run in any other. */
	.text
	.global	run
	.type	run, %function
run:	push	{r4-r12, lr}
	ldr	r2, =runner
	str	sp, [r2]
	str	r1, [r2, #4]
#if __ARM_ARCH >= 7
	add	r3, r0, #STATE_VFP
	vldmia	r3, {d0-d7}
	mov	r3, #0
	vmsr	fpscr, r3
#endif
	mov	r3, #0
	mcr	p15, 0, r3, c5, c0, 0
	mcr	p15, 0, r3, c6, c0, 0
	msr	cpsr_c, #0xd7
	ldr	sp, [r0, #STATE_ABT_SP]
	ldr	lr, [r0, #STATE_ABT_LR]
	ldr	r3, [r0, #STATE_ABT_SPSR]
	msr	spsr_cxsf, r3
	ldr	r4, [r0, #STATE_CPSR]
	enter_mode	r4, r3
	add	r3, r0, #32
	ldmia	r3, {r8-r14}
	msr	cpsr_c, #0xdb
	ldr	lr, [r0, #STATE_PC]
	msr	spsr_cxsf, r4
	ldmia	r0, {r0-r7}
	.global	run_go
run_go:	movs	pc, lr

	/* On the stack of undefined mode, where no instruction of the tests runs. */
	.macro	handler name, class, mode
\name:	msr	cpsr_c, #0xdb
	push	{r0-r3}
	msr	cpsr_c, #\mode | 0xc0
	ldr	r0, =runner
	ldr	r0, [r0, #4]
	add	r0, r0, #16
	stmia	r0!, {r4-r7}			/* r0: at r8 */
	str	lr, [r0, #STATE_PC - 32]
	mrs	r1, spsr
	str	r1, [r0, #STATE_CPSR - 32]
	mrs	r3, cpsr
	enter_mode	r1, r2
	stmia	r0, {r8-r14}
	msr	cpsr_c, r3
	sub	r0, r0, #32
	mov	r4, r0
	msr	cpsr_c, #0xdb
	pop	{r0-r3}
	stmia	r4, {r0-r3}
	mov	r0, r4
	mov	r1, #\class
	b	finish
	.endm
	handler	und_handler, 1, 0x1b
	handler	svc_handler, 2, 0x13
	handler	pabt_handler, 3, 0x17
	handler	dabt_handler, 4, 0x17
	handler	irq_handler, 6, 0x12
	handler	fiq_handler, 7, 0x11

finish:	str	r1, [r0, #STATE_CLASS]
	mrc	p15, 0, r1, c5, c0, 0
	str	r1, [r0, #STATE_DFSR]
	mrc	p15, 0, r1, c6, c0, 0
	str	r1, [r0, #STATE_DFAR]
#if __ARM_ARCH >= 7
	add	r1, r0, #STATE_VFP
	vstmia	r1, {d0-d7}
	vmrs	r1, fpscr
	str	r1, [r0, #STATE_FPSCR]
	cpsie	a
#endif
	msr	cpsr_c, #0xdb
	str	sp, [r0, #STATE_UND_SP]
	msr	cpsr_c, #0xd7
	str	sp, [r0, #STATE_ABT_SP]
	str	lr, [r0, #STATE_ABT_LR]
	mrs	r1, spsr
	str	r1, [r0, #STATE_ABT_SPSR]
	ldr	sp, =abt_stack
	msr	cpsr_c, #0xd3
	ldr	r2, =runner
	ldr	sp, [r2]
	pop	{r4-r12, pc}

	.align	5
vector_image:
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	.word	_start
	.word	und_handler
	.word	svc_handler
	.word	pabt_handler
	.word	dabt_handler
	.word	_start
	.word	irq_handler
	.word	fiq_handler

	/* void say(const char *) and stop(status): semihosting */
	.global	und_handler
	.global	dabt_handler
	.global	say
	.type	say, %function
say:	mov	r1, r0
	mov	r0, #4
	svc	#0x123456
	bx	lr
	.global	stop
	.type	stop, %function
stop:	ldr	r1, =stop_block
	str	r0, [r1, #4]
	mov	r0, #0x20
	svc	#0x123456
1:	b	1b

	.text
	.global	get_abt_sp
	.type	get_abt_sp, %function
get_abt_sp:
	msr	cpsr_c, #0xd7
	mov	r0, sp
	msr	cpsr_c, #0xd3
	bx	lr
	.global	set_abt_sp
	.type	set_abt_sp, %function
set_abt_sp:
	msr	cpsr_c, #0xd7
	mov	sp, r0
	msr	cpsr_c, #0xd3
	bx	lr

	/* A function of the firmware that a callback calls: probed at its first instruction, and at
	 * its second, which takes a second trap, and at its return. */
	.text
	.global	callee
	.global	callee_second
	.global	callee_third
	.type	callee, %function
	.type	callee_second, %function
	.type	callee_third, %function
callee:	add	r0, r0, #1
callee_second:
	push	{r0-r9, lr}
callee_third:
	pop	{r0-r9, pc}

	/* uint32_t callee_by_svc(uint32_t): the same in supervisor mode, as when a callback asks the
	 * kernel for something. What that mode holds is another's. */
	.global	callee_by_svc
	.type	callee_by_svc, %function
callee_by_svc:
	push	{r4-r8, lr}
	mrs	r4, cpsr
	msr	cpsr_c, #0xd3
	mov	r5, sp
	mov	r6, lr
	mrs	r7, spsr
	ldr	sp, =nested_stack
	bl	callee
	mov	sp, r5
	mov	lr, r6
	msr	spsr_cxsf, r7
	msr	cpsr_c, r4
	pop	{r4-r8, pc}
	.ltorg

	.data
stop_block:
	.word	0x20026, 0
	.bss
	.align	14
table:	.space	16384
	.align	12
	.global	vectors
vectors:
	.space	4096
	.global	abt_stack
runner:	.space	8
	.align	3
	.space	512
nested_stack:
	.space	512
und_stack:
	.space	512
abt_stack:
	.space	8192
svc_stack:
