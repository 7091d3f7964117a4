/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up, and the guest's own fault handler: the "firmware" that the port must hand exceptions to
 * with nothing changed. */
#include "guest.h"

	.syntax unified
#ifdef GUEST_FP
	.fpu	fpv4-sp-d16
#endif
	.thumb

	.macro	function name
	.global	\name
	.thumb_func
	.type	\name, %function
\name:
	.endm

	.section .vectors, "a"
	.global	vectors
vectors:
	.word	__stack_end, _start, other
	.word	fault_handler, fault_handler, fault_handler, fault_handler
	.word	0, 0, 0, 0, svc_handler, 0, 0, other, other
	.rept	32
	.word	other
	.endr

	.text
	function _start
	ldr	r0, =__data_load
	ldr	r1, =__data_start
	ldr	r2, =__data_end
1:	cmp	r1, r2
	bhs	2f
	ldmia	r0!, {r3}
	stmia	r1!, {r3}
	b	1b
2:	ldr	r1, =__bss_start
	ldr	r2, =__bss_end
	movs	r3, #0
3:	cmp	r1, r2
	bhs	4f
	stmia	r1!, {r3}
	b	3b
4:
#ifdef GUEST_FP
	ldr	r0, =0xe000ed88
	ldr	r1, =0x00f00000
	str	r1, [r0]
	dsb
	isb
#endif
	bl	guest_main
	b	.

	function other
	b	.

#ifndef __ARM_ARCH_6M__ /* start_v6.S */
	/* void run(const struct state *in, struct state *out). The fault handler gets the level that
	 * run_go runs at. */
	function run
	push	{r3-r11, lr}
	ldr	r2, =runner
	str	sp, [r2]
	str	r1, [r2, #4]
	str	r0, [r2, #8]
	ldr	r3, [r0, #STATE_HANDLER]
	cmp	r3, #0
	beq	run_go_at
	svc	#0
	function svc_handler
run_go_at:
	udf	#0x77
	b	.

	function fault_handler
	ldr	r12, =runner
	ldr	r1, [r12, #RUNNER_FLAGS]
	tst	r1, #RUNNER_NO_FRAME
	bne	no_frame
	mrs	r0, msp
	tst	lr, #4
	it	ne
	mrsne	r0, psp
	ldr	r1, [r0, #24]
	ldr	r2, =run_go_at
	cmp	r1, r2
	beq	go

	ldr	r12, =runner
	ldr	r3, [r12, #4]
	add	r2, r3, #16
	stmia	r2, {r4-r11}
	ldmia	r0, {r4-r7}
	stmia	r3, {r4-r7}
	ldr	r4, [r0, #16]
	str	r4, [r3, #48]
	ldr	r4, [r0, #20]
	str	r4, [r3, #STATE_LR]
	str	r1, [r3, #STATE_PC]
	ldr	r4, [r0, #28]
	bic	r5, r4, #0x200
	str	r5, [r3, #STATE_XPSR]
	add	r5, r0, #32
	tst	lr, #0x10
	it	eq
	addeq	r5, r5, #72
	tst	r4, #0x200
	it	ne
	orrne	r5, r5, #4
	str	r5, [r3, #STATE_SP]
	mrs	r4, ipsr
	str	r4, [r3, #STATE_CLASS]
	mrs	r4, primask
	str	r4, [r3, #STATE_PRIMASK]
	mrs	r4, basepri
	str	r4, [r3, #STATE_BASEPRI]
	mrs	r4, control
	and	r4, r4, #1
	str	r4, [r3, #STATE_CONTROL]
	str	lr, [r3, #STATE_EXC_RETURN]
	ldr	r4, =0xe000ed28
	ldr	r6, [r12, #RUNNER_FLAGS]
	tst	r6, #RUNNER_KEEP_STATUS
	ldr	r5, [r4]
	str	r5, [r3, #STATE_CFSR]
	it	eq
	streq	r5, [r4]
	ldr	r5, [r4, #4]
	str	r5, [r3, #STATE_HFSR]
	it	eq
	streq	r5, [r4, #4]
	ldr	r5, [r4, #12]
	str	r5, [r3, #STATE_MMFAR]
	ldr	r5, [r4, #16]
	str	r5, [r3, #STATE_BFAR]
	ldr	r5, [r4, #-4]			/* SHCSR */
	and	r6, r5, #0x70000
	str	r6, [r3, #STATE_ENABLED]
	bic	r5, r5, #0x80			/* SVCALLACT */
	str	r5, [r4, #-4]
	ldr	r5, [r4, #-16]			/* SHPR1 */
	str	r5, [r3, #STATE_PRIORITIES]
#ifdef GUEST_FP
	add	r5, r3, #STATE_S
	vstmia	r5, {s0-s15}
	vmrs	r5, fpscr
	str	r5, [r3, #STATE_FPSCR]
#endif
leave:	movs	r4, #0
	msr	control, r4
	msr	basepri, r4
	msr	primask, r4
	ldr	r0, [r12]
	subs	r0, #32
	ldr	r4, =run_done
	bic	r4, r4, #1
	str	r4, [r0, #24]
	mov	r4, #0x01000000
	str	r4, [r0, #28]
	msr	msp, r0
	ldr	lr, =0xfffffff9
	bx	lr
run_done:
	pop	{r3-r11, pc}

	/* The stack had no room for the CPU's frame. r1 the flags */
no_frame:
	bic	r1, r1, #RUNNER_NO_FRAME
	str	r1, [r12, #RUNNER_FLAGS]
	ldr	r3, [r12, #4]
	mrs	r4, ipsr
	str	r4, [r3, #STATE_CLASS]
	ldr	r4, =0xe000ed28
	ldr	r5, [r4]
	str	r5, [r3, #STATE_CFSR]
	ldr	r4, =other_stack_end
	msr	psp, r4
	b	leave

	/* r3 the state to begin with. */
go:	ldr	r12, =runner
	ldr	r3, [r12, #8]
	ldr	r4, =0xe000ed28
	ldr	r6, [r12, #RUNNER_FLAGS]
	tst	r6, #RUNNER_NO_STACK
	it	ne
	eorne	r6, r6, #RUNNER_NO_STACK | RUNNER_NO_FRAME
	str	r6, [r12, #RUNNER_FLAGS]
	mvn	r5, #0
	tst	r6, #RUNNER_KEEP_STATUS
	itt	eq
	streq	r5, [r4]
	streq	r5, [r4, #4]
	mov	r5, #0
	str	r5, [r4, #12]
	str	r5, [r4, #16]
	ldr	r5, [r4, #-4]
	bic	r5, r5, #0x70000
	ldr	r6, [r3, #STATE_ENABLED]
	orr	r5, r5, r6
	str	r5, [r4, #-4]
	ldr	r6, [r3, #STATE_PRIORITIES]
	str	r6, [r4, #-16]
	ldr	r0, [r3, #STATE_SP]
	and	r2, r0, #4
	subs	r0, r0, #32
	orr	lr, lr, #0x10
#ifdef GUEST_FP
	add	r5, r3, #STATE_S
	vldmia	r5, {s0-s15}
	ldr	r6, [r3, #STATE_FPSCR]
	vmsr	fpscr, r6
	ldr	r5, [r3, #STATE_FP_ACTIVE]
	cbz	r5, 1f
	bic	lr, lr, #0x10
	sub	r0, r0, #72
1:
#endif
	subs	r0, r0, r2
#ifdef GUEST_FP
	cbz	r5, 1f
	add	r7, r0, #32
	vstmia	r7, {s0-s15}
	str	r6, [r0, #96]
1:
#endif
	ldmia	r3, {r4-r7}
	stmia	r0, {r4-r7}
	ldr	r4, [r3, #48]
	str	r4, [r0, #16]
	ldr	r4, [r3, #STATE_LR]
	str	r4, [r0, #20]
	ldr	r4, [r3, #STATE_PC]
	str	r4, [r0, #24]
	ldr	r4, [r3, #STATE_XPSR]
	orr	r4, r4, r2, lsl #7
	ldr	r5, [r3, #STATE_HANDLER]
	cmp	r5, #0
	it	ne
	orrne	r4, r4, #11
	str	r4, [r0, #28]
	ldr	r4, [r3, #STATE_CONTROL]
	and	r5, r4, #1
	msr	control, r5
	tst	r4, #2
	ite	ne
	orrne	lr, lr, #4
	biceq	lr, lr, #4
	beq	1f
	msr	psp, r0
	ldr	r0, =other_stack_end
1:	msr	msp, r0
	ldr	r5, [r3, #STATE_BASEPRI]
	msr	basepri, r5
	ldr	r5, [r3, #STATE_PRIMASK]
	msr	primask, r5
	isb
	add	r3, r3, #16
	ldmia	r3, {r4-r11}
	bx	lr

	.ltorg
#endif

	/* void say(const char *) and stop(status): semihosting */
	function say
	mov	r1, r0
	movs	r0, #4
	bkpt	0xab
	bx	lr
	function stop
	ldr	r1, =stop_block
	str	r0, [r1, #4]
	movs	r0, #0x20
	bkpt	0xab
	b	.

	/* A function of the firmware that a callback calls: probed at its first instruction, and at
	 * its second, which takes a second trap, and at its return. In RAM, where text is written. */
	.ltorg
	.section .ramcode, "ax"
	.balign	4
	function callee
	.global	callee_first
callee_first:
	adds	r0, r0, #1
	.global	callee_second
callee_second:
	push	{r4-r7, lr}
	.global	callee_third
callee_third:
	pop	{r4-r7, pc}

	.data
	.balign	4
stop_block:
	.word	0x20026, 0
	.bss
	.balign	4
	.global	runner
runner:	.space	16
	.balign	8
	.space	512
	.global	other_stack_end
other_stack_end:
