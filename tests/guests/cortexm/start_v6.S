/* SPDX-License-Identifier: BSD-2-Clause */
/* run() and the fault handler of start.S for ARMv6-M, which has HardFault alone, and no status of
 * faults. */
#include "dp_port_cpu.h"
#include "guest.h"

#ifdef __ARM_ARCH_6M__
	.syntax unified
	.thumb

	.macro	function name
	.global	\name
	.thumb_func
	.type	\name, %function
\name:
	.endm

	.text
	function run
	push	{r3-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	push	{r4-r7}
	ldr	r2, =runner
	mov	r3, sp
	str	r3, [r2]
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
	mrs	r0, msp
	mov	r1, lr
	lsls	r1, r1, #29		/* SPSEL */
	bpl	1f
	mrs	r0, psp
1:	ldr	r1, [r0, #24]
	ldr	r2, =run_go_at
	cmp	r1, r2
	beq	go

	ldr	r3, =runner
	ldr	r3, [r3, #4]
	mov	r2, r3
	adds	r2, #16
	stmia	r2!, {r4-r7}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	stmia	r2!, {r4-r7}
	mov	r2, r0
	mov	r1, r3
	ldmia	r2!, {r4-r7}
	stmia	r1!, {r4-r7}
	ldmia	r2!, {r4-r7}
	str	r4, [r3, #48]
	str	r5, [r3, #STATE_LR]
	str	r6, [r3, #STATE_PC]
	ldr	r4, =DP_XPSR_PADDED
	mov	r5, r7
	bics	r5, r4
	str	r5, [r3, #STATE_XPSR]
	tst	r7, r4
	beq	1f
	movs	r6, #4
	orrs	r2, r6
1:	str	r2, [r3, #STATE_SP]
	mrs	r4, ipsr
	str	r4, [r3, #STATE_CLASS]
	mrs	r4, primask
	str	r4, [r3, #STATE_PRIMASK]
	mrs	r4, control
	movs	r5, #1
	ands	r4, r5
	str	r4, [r3, #STATE_CONTROL]
	mov	r4, lr
	str	r4, [r3, #STATE_EXC_RETURN]

	/* To run_done in a thread. The handler of SVC, if it has been interrupted, returns first. */
	movs	r4, #0
	msr	control, r4
	msr	primask, r4
	isb
	ldr	r0, =runner
	ldr	r0, [r0]
	subs	r0, #32
	ldr	r4, =run_done
	str	r4, [r0, #24]
	ldr	r4, =DP_XPSR_T
	str	r4, [r0, #28]
	lsls	r7, r7, #23		/* exception number */
	beq	1f
	lsrs	r7, r7, #23
	orrs	r4, r7
	subs	r0, #32
	str	r4, [r0, #28]
	ldr	r4, =end_handler
	str	r4, [r0, #24]
	ldr	r4, =0xfffffff1
	msr	msp, r0
	bx	r4
1:	msr	msp, r0
end_handler:
	ldr	r4, =0xfffffff9
	bx	r4
run_done:
	pop	{r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	pop	{r3-r7, pc}

	/* Begin with the state that `runner` has. */
go:	ldr	r3, =runner
	ldr	r3, [r3, #8]
	ldr	r0, [r3, #STATE_SP]
	movs	r2, #4
	ands	r2, r0
	subs	r0, #32
	subs	r0, r0, r2
	mov	r1, r0
	ldmia	r3!, {r4-r7}
	stmia	r1!, {r4-r7}
	subs	r3, #16
	ldr	r4, [r3, #48]
	ldr	r5, [r3, #STATE_LR]
	ldr	r6, [r3, #STATE_PC]
	ldr	r7, [r3, #STATE_XPSR]
	lsls	r2, r2, #7
	orrs	r7, r2
	ldr	r2, [r3, #STATE_HANDLER]
	cmp	r2, #0
	beq	1f
	movs	r2, #11			/* SVC */
	orrs	r7, r2
1:	stmia	r1!, {r4-r7}
	mov	r1, lr
	movs	r4, #4
	bics	r1, r4
	ldr	r2, [r3, #STATE_CONTROL]
	lsrs	r2, r2, #2
	bcc	1f
	orrs	r1, r4
	msr	psp, r0
	ldr	r0, =other_stack_end
1:	msr	msp, r0
	ldr	r2, [r3, #STATE_PRIMASK]
	msr	primask, r2
	isb
	adds	r3, #32
	ldmia	r3!, {r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	subs	r3, #32
	ldmia	r3!, {r4-r7}
	bx	r1
	.ltorg
#endif
