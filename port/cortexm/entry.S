/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and exit. One text for ARMv6-M and later: no wide instruction but mrs, msr and
 * barriers.
 *
 * A fault of the agent's own access inside HardFault would be a lockup, and each hit comes as
 * HardFault on ARMv6-M, and wherever UsageFault is not enabled or not above the interrupted level.
 * So the entry leaves the exception again: it returns to the interrupted level, with PRIMASK set,
 * on the private stack, into dp_cortexm_run. There a fault is taken as HardFault and caught. The
 * code comes back by an undefined instruction (dp_cortexm_back_at), which PRIMASK makes a HardFault,
 * and this resumes the context or enters the firmware's handler.  DDI 0403E B1.5
 *
 *   firmware  trap --> fault handler          fault handler --> firmware
 *                        | return                ^ undefined instruction
 *                        v                       |
 *                      dp_cortexm_run: the interrupted level, PRIMASK set, private stack
 *
 * Exceptions that are not the agent's go to the firmware's handler at once: r4 to r11, lr and the
 * stacks as the CPU has left them.
 */
#include "dp_port_cpu.h"

	.syntax unified
	.thumb

	.section .text.dp_cortexm_entry, "ax"
	.balign	4

	.macro	entry name
	.global	\name
	.thumb_func
	.type	\name, %function
\name:
	.endm

	.macro	load to, address
	ldr	\to, =\address
	ldr	\to, [\to]
	.endm

	/* Without an agent the firmware's handler goes on. */
	.macro	load_state to
	load	\to, dp_cortexm
	cmp	\to, #0
	beq	enter
	.endm

	/* r2: the pc of the CPU's frame. The agent's own code comes back. */
	.macro	take_back
	ldr	r3, =dp_cortexm_back_at
	cmp	r2, r3
	beq	back
	.endm

#if DP_CORTEXM_WITH_DWT
	/* As dp_cortexm_entry, for DebugMonitor: its handler is the last word in front of the table. */
	entry dp_cortexm_monitor
	load	r0, dp_cortexm
	cmp	r0, #0
	bne	1f
	load	r0, DP_SCS_VTOR
	subs	r0, #4
	ldr	r0, [r0]
	b	dprobes_cortexm_exception
1:	ldr	r0, [r0, #DP_STATE_MONITOR]
	b	dprobes_cortexm_exception
#endif

	/* From the agent's table: find the firmware's handler. Without an agent (a warm restart) the
	 * words in front of the table have it. */
	entry dp_cortexm_entry
	load	r0, dp_cortexm
	mrs	r1, ipsr
	lsls	r1, r1, #2
	cmp	r0, #0
	bne	1f
	load	r0, DP_SCS_VTOR
	subs	r0, #DP_VECTORS_HEAD - 4 + 4 * DP_CLASS_HARD
	ldr	r0, [r0, r1]
	b	dprobes_cortexm_exception
1:	adds	r0, r0, r1
	ldr	r0, [r0, #DP_STATE_HANDLERS - 4 * DP_CLASS_HARD]

	/* r0: the firmware's handler. Then r12 handler, r1 the CPU's frame, r2 its pc. */
	entry dprobes_cortexm_exception
	mov	r12, r0
	mrs	r1, msp
	mov	r3, lr
	lsls	r3, r3, #29		/* SPSEL */
	bpl	1f
	mrs	r1, psp
1:
#if DP_CORTEXM_HAS_FAULTS
	/* HardFault or UsageFault, and the CPU tells an undefined instruction and nothing else: most
	 * often a trap. */
	mrs	r0, ipsr
	lsls	r0, r0, #31 - DP_CLASS_EXECUTED_BIT
	bpl	1f
	load	r3, DP_SCS_CFSR
	ldr	r0, =DP_CFSR_UNDEF
	cmp	r3, r0
	bne	1f
	ldr	r2, [r1, #24]
	take_back
	load_state r3
	ldr	r0, [r3, #DP_STATE_PASSING]
	cmp	r0, r2
	bne	save
1:
	/* The CPU may have failed to store its frame. Bits stay until they are written: those of an
	 * earlier failure do not count, and the agent's own stack does not fail. */
	load	r3, DP_SCS_CFSR
	ldr	r2, =DP_CFSR_STACKING
	ands	r3, r2
	beq	1f
	load_state r2
	ldr	r0, [r2, #DP_STATE_UNSTACKED]
	bics	r3, r0
	beq	1f
	ldr	r0, [r2, #DP_STATE_STACK_BOTTOM]
	cmp	r1, r0
	bls	unstacked
	ldr	r0, [r2, #DP_STATE_STACK_FRAME]
	cmp	r1, r0
	bhs	unstacked
1:
#endif
	ldr	r2, [r1, #24]
#if DP_CORTEXM_WITH_DWT
	/* DebugMonitor: the agent's accesses have no part in it. The agent looks at each while it
	 * watches. */
	mrs	r3, ipsr
	cmp	r3, #DP_CLASS_USAGE
	bls	1f
	load_state r3
	ldr	r0, [r3, #DP_STATE_WATCHES]
	cmp	r0, #0
	beq	enter
	b	3f
1:
#endif

	/* An access of the agent that failed goes on at its label. */
	ldr	r3, =dp_cortexm_access_begin
	subs	r3, r2, r3
	ldr	r0, =dp_cortexm_access_bytes
	cmp	r3, r0
	bhs	1f
	ldr	r3, =dp_cortexm_access_failed
	str	r3, [r1, #24]
	bx	lr
1:	take_back

	load_state r3
	/* Ours: in a slot, or perhaps an undefined instruction. */
	ldr	r0, [r3, #DP_STATE_SLOTS]
	cmp	r2, r0
	blo	1f
	ldr	r0, [r3, #DP_STATE_SLOTS + 4]	/* their end */
	cmp	r2, r0
	blo	ours
1:
#if DP_CORTEXM_HAS_FAULTS
	load	r0, DP_SCS_CFSR
	mrs	r3, ipsr
	cmp	r3, #DP_CLASS_USAGE
	beq	1f
#if DP_CORTEXM_WITH_MPU
	/* Perhaps an access to what the MPU watches. */
	cmp	r3, #DP_CLASS_BUS
	beq	chain
	cmp	r3, #DP_CLASS_MEMORY
	beq	2f
	lsls	r3, r0, #31 - DP_CFSR_UNDEF_BIT
	bmi	ours
2:	lsls	r3, r0, #31 - DP_CFSR_DACCVIOL_BIT
	bpl	chain
	load	r3, dp_cortexm
	ldr	r0, [r3, #DP_STATE_WATCHES]
	cmp	r0, #0
	beq	chain
	b	3f
#else
	cmp	r3, #DP_CLASS_HARD
	bne	chain
	lsls	r0, r0, #31 - DP_CFSR_UNDEF_BIT
	bmi	ours
	b	chain
#endif

	/* A hit in a more urgent interrupt may have cleared UNDEFINSTR since: the word at pc decides.
	 * But a failed return from an exception cannot be left. */
1:	lsls	r3, r0, #31 - DP_CFSR_INVPC_BIT
	bpl	1f
	lsls	r3, r0, #31 - DP_CFSR_UNDEF_BIT
	bpl	chain
1:	load	r3, dp_cortexm
3:	ldr	r0, [r3, #DP_STATE_PASSING]
	cmp	r0, r2
	bne	ours
	/* It has been the agent's already, which has pended it for the firmware. */
	movs	r0, #1
	str	r0, [r3, #DP_STATE_PASSING]
	b	chain

	/* r2 the state, r3 the new bits. A step that ends so gives the interrupt mask back; the core
	 * hears of it in the next hit. */
unstacked:
	ldr	r0, [r2, #DP_STATE_UNSTACKED]
	orrs	r0, r3
	str	r0, [r2, #DP_STATE_UNSTACKED]
	adds	r2, #DP_STATE_PENDING
	ldrb	r0, [r2, #DP_PENDING_ACTIVE]
	cmp	r0, #0
	beq	enter
	movs	r0, #DP_STEP_LOST
	strb	r0, [r2, #DP_PENDING_ACTIVE]
	ldrb	r0, [r2, #DP_PENDING_PRIMASK]
	msr	primask, r0
	b	enter
#else
	b	ours
#endif

	/* r1 the CPU's frame. A callback of the agent has failed, and may never end: the firmware
	 * goes on with the masks that the hit has found. */
chain:	load	r3, dp_cortexm
	ldr	r2, [r3, #DP_STATE_STACK_BOTTOM]
	cmp	r1, r2
	bls	enter
	ldr	r2, [r3, #DP_STATE_STACK_FRAME]
	cmp	r1, r2
	bhs	enter
	ldr	r0, [r2, #DP_FRAME_PRIMASK]
	msr	primask, r0
	ldr	r0, [r2, #DP_FRAME_CONTROL]
	msr	control, r0
	isb
enter:	bx	r12

	/* r1 the CPU's frame, r12 handler. r3 the state, r2 becomes the frame. In a callback of the
	 * agent, or in what it called, the stack is the private one: go on below it. */
ours:	load	r3, dp_cortexm
save:	ldr	r2, [r3, #DP_STATE_STACK_FRAME]
	cmp	r1, r2
	bhs	1f
	ldr	r0, [r3, #DP_STATE_STACK_BOTTOM]
	cmp	r1, r0
	bls	1f
	mov	r2, r1
	subs	r2, #64 + DP_FRAME_BYTES
	lsrs	r2, r2, #3
	lsls	r2, r2, #3
1:	mrs	r0, primask
	cpsid	i
	adds	r2, #16
	stmia	r2!, {r4-r7}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	stmia	r2!, {r4-r7}
	/* r12, sp, lr, pc: the CPU's frame has 8 words or, with FP, 26, and perhaps one below sp. */
	ldr	r3, [r1, #28]
	mov	r5, r1
	adds	r5, #32
	mov	r6, lr
	lsls	r6, r6, #27
	bmi	1f
	adds	r5, #72
1:	lsls	r6, r3, #31 - DP_XPSR_PADDED_BIT
	bpl	1f
	movs	r6, #4
	orrs	r5, r6
	lsls	r6, r6, #DP_XPSR_PADDED_BIT - 2
	bics	r3, r6
1:	ldr	r4, [r1, #16]
	ldr	r6, [r1, #20]
	ldr	r7, [r1, #24]
	stmia	r2!, {r4-r7}
	/* xpsr, primask, control, exc_return */
	mov	r4, r0
	mrs	r5, control
	mov	r6, lr
	stmia	r2!, {r3-r6}
	/* hardware, handler, exception, limit */
	mov	r4, r12
	mrs	r5, ipsr
	mov	r0, r5			/* class */
	movs	r6, #0
#if DP_CORTEXM_HAS_LIMITS
	mov	r3, lr
	lsls	r3, r3, #29
	bmi	1f
	mrs	r6, msplim
	movs	r3, #0
	msr	msplim, r3
	b	2f
1:	mrs	r6, psplim
	movs	r3, #0
	msr	psplim, r3
2:
#endif
	mov	r3, r1
	stmia	r2!, {r3-r6}
	subs	r2, #DP_FRAME_BYTES
	mov	r4, r2
	ldmia	r1!, {r3, r5-r7}
	stmia	r2!, {r3, r5-r7}

	/* Return to dp_cortexm_run(class, frame), privileged. r4, the frame, stays. */
	mrs	r1, control
	lsrs	r3, r1, #1
	bcc	1f
	lsls	r3, r3, #1
	msr	control, r3
	isb
1:	subs	r2, #16 + 32
	str	r0, [r2]
	str	r4, [r2, #4]
	ldr	r0, =run_at
	str	r0, [r2, #24]
	ldr	r0, [r4, #DP_FRAME_XPSR]
	lsls	r0, r0, #23
	lsrs	r0, r0, #23
	ldr	r1, =DP_XPSR_T
	orrs	r0, r1
	str	r0, [r2, #28]
	mov	r0, lr
	movs	r1, #0x10		/* a frame without FP */
	orrs	r1, r0
	lsls	r0, r0, #29
	bmi	1f
	msr	msp, r2
	bx	r1
1:	msr	psp, r2
	bx	r1

	/* At the interrupted level. Then back into the exception. */
run_at:	bl	dp_cortexm_run
dp_cortexm_back_at:
	udf	#0x1e

	/* r4 frame, r1 the CPU's frame with what dp_cortexm_run has returned. */
back:	ldr	r0, [r1]
#if DP_CORTEXM_HAS_FAULTS
	ldr	r3, =DP_SCS_CFSR
	lsls	r2, r0, #31 - DP_CFSR_UNDEF_BIT /* to stay */
	bmi	1f
	ldr	r2, =DP_CFSR_UNDEF
	str	r2, [r3]
1:	lsls	r2, r0, #31 - DP_HFSR_FORCED_BIT
	bmi	1f
	ldr	r2, =DP_HFSR_FORCED
	str	r2, [r3, #DP_SCS_HFSR - DP_SCS_CFSR]
1:
#endif
	ldr	r1, [r4, #DP_FRAME_HARDWARE]
	ldr	r2, [r4, #DP_FRAME_EXC_RETURN]
	mov	lr, r2
	lsls	r2, r2, #29
	bmi	3f
	msr	msp, r1
#if DP_CORTEXM_HAS_LIMITS
	ldr	r3, [r4, #DP_FRAME_LIMIT]
	msr	msplim, r3
#endif
	b	4f
3:	msr	psp, r1
#if DP_CORTEXM_HAS_LIMITS
	ldr	r3, [r4, #DP_FRAME_LIMIT]
	msr	psplim, r3
#endif
4:	ldr	r2, [r4, #DP_FRAME_CONTROL]
	msr	control, r2
	isb
	ldr	r2, [r4, #DP_FRAME_PRIMASK]
	msr	primask, r2
	ldr	r2, [r4, #DP_FRAME_HANDLER]
	mov	r12, r2
	mov	r3, r4
	adds	r3, #32
	ldmia	r3!, {r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	subs	r3, #32
	ldmia	r3!, {r4-r7}
	uxtb	r0, r0
	cmp	r0, #DP_CLASS_HARD
	bne	5f
	b	chain
5:	bhi	1f
	bx	lr
	/* Another fault is pended, and the CPU takes it as soon as the context is back. */
1:
#if DP_CORTEXM_HAS_FAULTS
	movs	r1, #1			/* USGFAULTPENDED 12, MEMFAULTPENDED 13, BUSFAULTPENDED 14 */
	lsls	r1, r1, #12
	cmp	r0, #DP_CLASS_USAGE
	beq	2f
	lsls	r1, r1, #1
	cmp	r0, #DP_CLASS_MEMORY
	beq	2f
	lsls	r1, r1, #1
2:	ldr	r2, =DP_SCS_SHCSR
	ldr	r3, [r2]
	orrs	r3, r1
	str	r3, [r2]
	dsb
#endif
	bx	lr

	/* cortexm_port.h */
	.balign	4
	entry dp_cortexm_return
	bx	lr
	.balign	4
	.ltorg
