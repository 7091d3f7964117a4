/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and exit.
 *
 * A hooked vector leads to a veneer in slot memory (struct dp_arm_vector), which saves r0 beside
 * itself and comes here with r0 pointing at the saved words: no register of the interrupted
 * context and no stack of the firmware is needed to begin.
 *
 * The agent runs in abort mode, on its private stack. Not in undefined mode: a trap inside a
 * callback would overwrite lr_und. What the firmware keeps in the abort bank (its abort handler
 * may be what is probed) is saved in the frame with the rest. Interrupts, FIQ too, are masked.
 * Exceptions enter in ARM state (SCTLR.TE = 0).
 */
#include "dp_port_cpu.h"

	.syntax unified
	.arm

	/* struct dp_arm_vector, from `saved` on */
	.equ	HANDLER, 32
	.equ	STACK_FRAME, 36
	.equ	STACK_BOTTOM, 40
	.equ	SLOTS, 44
	.equ	SLOT_BYTES, 48

	.equ	MASKED, DP_PSR_I | DP_PSR_F
	.equ	ABT, DP_MODE_ABT | MASKED
	.equ	UND, DP_MODE_UND | MASKED

	.section .text.dp_arm_entry, "ax"

	/* An undefined instruction: our trap, a second trap, or the firmware's. */
	.global	dp_arm_entry_undefined
	.type	dp_arm_entry_undefined, %function
dp_arm_entry_undefined:
	stmib	r0, {r1-r7}
	mrs	r1, spsr
	mov	r3, #DP_CLASS_UNDEFINED
	tst	r1, #DP_PSR_T
	subeq	r2, lr, #4
	subne	r2, lr, #2
	b	build

	.global	dp_arm_entry_prefetch
	.type	dp_arm_entry_prefetch, %function
dp_arm_entry_prefetch:
	stmib	r0, {r1-r7}
	mrs	r1, spsr
	mov	r3, #DP_CLASS_PREFETCH
	sub	r2, lr, #4
	b	slots_only

	.global	dp_arm_entry_data
	.type	dp_arm_entry_data, %function
dp_arm_entry_data:
	stmib	r0, {r1-r7}
	mrs	r1, spsr
	mov	r3, #DP_CLASS_DATA
	sub	r2, lr, #8
	ldr	r4, =dp_arm_access_begin
	ldr	r5, =dp_arm_access_end
	cmp	r2, r4
	cmphs	r5, r2
	bls	slots_only
	ldr	lr, =dp_arm_access_failed
	ldmia	r0, {r0-r7}
	movs	pc, lr

	/* An abort is ours in a slot only; otherwise the firmware gets it untouched. */
slots_only:
	ldr	r4, [r0, #SLOTS]
	ldr	r5, [r0, #SLOT_BYTES]
	sub	r4, r2, r4
	cmp	r4, r5
	ldmhs	r0, {r0-r7, pc}		/* pc = handler */

	/* r0 saved words, r1 cpsr and r2 pc of the interrupted context, r3 class. */
build:
	and	r4, r1, #DP_PSR_MODE
	ldr	r5, [r0, #STACK_FRAME]
	msr	cpsr_c, #ABT
	/* In a callback of the agent already, or in what it called (an SVC)? Then go on below, and
	 * below what a push of it that is emulated may store. So too after a callback that never came
	 * back, until dp_port_recover. */
	ldr	r6, [r0, #STACK_BOTTOM]
	cmp	sp, r6
	cmphi	r5, sp
	bichi	r5, sp, #7
	subhi	r5, r5, #64 + DP_FRAME_BYTES
	str	sp, [r5, #DP_FRAME_ABT_SP]
	str	lr, [r5, #DP_FRAME_ABT_LR]
	mrs	r6, spsr
	str	r6, [r5, #DP_FRAME_ABT_SPSR]
	ldr	r6, [r0, #HANDLER]
	str	r6, [r5, #DP_FRAME_CHAIN]
	str	r1, [r5, #DP_FRAME_CPSR]
	/* r8 to r14 as the interrupted mode sees them; user mode's are system mode's. */
	cmp	r4, #DP_MODE_USR
	moveq	r4, #DP_MODE_SYS
	orr	r4, r4, #MASKED
	str	r4, [r5, #DP_FRAME_MODE]
	msr	cpsr_c, r4
	add	r6, r5, #DP_FRAME_R8
	stmia	r6, {r8-r14}
	msr	cpsr_c, #ABT
	str	r2, [r5, #DP_FRAME_PC]
	mov	sp, r5
	ldmia	r0, {r6-r12, lr}
	stmia	r5, {r6-r12, lr}
	mov	r4, r3
	mov	r0, r3
	mov	r1, r5
	bl	dp_port_exception

	/* sp: the frame. r4: class. */
	cmp	r0, #DP_ARM_RESUME
	bne	not_ours
	/* Flags: eq resumes; else r4 is the class of the firmware's handler to enter. */
leave:
	mov	r0, sp
	ldr	r1, [r0, #DP_FRAME_CPSR]
	ldr	r2, [r0, #DP_FRAME_MODE]
	ldr	r3, [r0, #DP_FRAME_ABT_SPSR]
	msr	spsr_cxsf, r3
	ldr	sp, [r0, #DP_FRAME_ABT_SP]
	ldr	lr, [r0, #DP_FRAME_ABT_LR]
	add	r3, r0, #DP_FRAME_R8
	bne	firmware
	msr	cpsr_c, r2
	ldmia	r3, {r8-r14}
	msr	cpsr_c, #UND
	ldr	lr, [r0, #DP_FRAME_PC]
	msr	spsr_cxsf, r1
	ldmia	r0, {r0-r7}
	movs	pc, lr

not_ours:
	mov	r0, r4
	mov	r1, sp
	bl	dp_arm_chain
	movs	r4, r0
	b	leave

	/* As the exception would have come: mode, link and saved status, everything else as it was.
	 * The handler's address goes behind r7 for the last load. */
firmware:
	msr	cpsr_c, r2
	ldmia	r3, {r8-r14}
	cmp	r4, #DP_CLASS_UNDEFINED
	bne	2f
	msr	cpsr_c, #UND
	b	3f
2:	msr	cpsr_c, #ABT
#if __ARM_ARCH >= 6
	cpsid	a
#endif
3:	msr	spsr_cxsf, r1
	ldr	lr, [r0, #DP_FRAME_CHAIN_LR]
	ldr	r4, [r0, #DP_FRAME_CHAIN]
	str	r4, [r0, #DP_FRAME_R8]
	/* The F bit is as the exception leaves it: as it was. */
	tst	r1, #DP_PSR_F
	bne	4f
	mrs	r4, cpsr
	bic	r4, r4, #DP_PSR_F
	msr	cpsr_c, r4
4:	ldmia	r0, {r0-r7, pc}

	/* arm_port.h */
	.global	dp_arm_leave_stack
	.type	dp_arm_leave_stack, %function
dp_arm_leave_stack:
	mrs	r2, cpsr
	and	r3, r2, #DP_PSR_MODE
	cmp	r3, #DP_MODE_ABT
	bxeq	lr
	msr	cpsr_c, #ABT
	cmp	sp, r0
	cmphi	r1, sp
	ldrhi	sp, [r1, #DP_FRAME_ABT_SP]
	msr	cpsr_c, r2
	bx	lr
	.ltorg
