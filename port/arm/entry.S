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
	.equ	DP_VENEER_HANDLER, 32
	.equ	DP_VENEER_STACK_FRAME, 36
	.equ	DP_VENEER_STACK_BOTTOM, 40
	.equ	DP_VENEER_SLOTS, 44
	.equ	DP_VENEER_SLOT_BYTES, 48

	.equ	DP_MASKED, DP_PSR_I | DP_PSR_F
	.equ	DP_ABT, DP_MODE_ABT | DP_MASKED
	.equ	DP_UND, DP_MODE_UND | DP_MASKED

	.section .text.dp_arm_entry, "ax"

	.global	dp_arm_entry_prefetch
	.type	dp_arm_entry_prefetch, %function
dp_arm_entry_prefetch:
	stmib	r0, {r1-r7}
	mrs	r2, spsr
	mov	r6, #DP_CLASS_PREFETCH
	sub	r1, lr, #4
	b	slots_only

	.global	dp_arm_entry_data
	.type	dp_arm_entry_data, %function
dp_arm_entry_data:
	stmib	r0, {r1-r7}
	mrs	r2, spsr
	mov	r6, #DP_CLASS_DATA
	sub	r1, lr, #8
	ldr	r4, =dp_arm_access_begin
	ldr	r5, =dp_arm_access_end
	cmp	r1, r4
	cmphs	r5, r1
	bls	slots_only
	ldr	lr, =dp_arm_access_failed
	ldmia	r0, {r0-r7}
	movs	pc, lr

	/* An abort is ours in a slot only; otherwise the firmware gets it untouched. */
slots_only:
#if DP_ARM_WITH_WATCH
	/* Or a debug event: 2 in bits 10 and 3 to 0 of DFSR, IFSR. */
	cmp	r6, #DP_CLASS_DATA
	mrceq	p15, 0, r4, c5, c0, 0
	mrcne	p15, 0, r4, c5, c0, 1
	mov	r5, #0x400
	orr	r5, r5, #15
	and	r4, r4, r5
	cmp	r4, #2
	beq	build
#endif
	ldr	r4, [r0, #DP_VENEER_SLOTS]
	ldr	r5, [r0, #DP_VENEER_SLOT_BYTES]
	sub	r4, r1, r4
	cmp	r4, r5
	ldmhs	r0, {r0-r7, pc}		/* pc = handler */
	b	build

	/* An undefined instruction: our trap, a second trap, or the firmware's. */
	.global	dp_arm_entry_undefined
	.type	dp_arm_entry_undefined, %function
dp_arm_entry_undefined:
	stmib	r0, {r1-r7}
	mrs	r2, spsr
	mov	r6, #DP_CLASS_UNDEFINED
	tst	r2, #DP_PSR_T
	subeq	r1, lr, #4
	subne	r1, lr, #2

	/* r0 saved words, r1 pc and r2 cpsr of the interrupted context, r6 class. Then r4 cpsr with which
	 * r8 to r14 of the context are read and written, r5 frame. */
build:
	and	r4, r2, #DP_PSR_MODE
	ldr	r5, [r0, #DP_VENEER_STACK_FRAME]
	msr	cpsr_c, #DP_ABT
	/* In a callback of the agent already, or in what it called (an SVC)? Then go on below, and
	 * below what a push of it that is emulated may store. So too after a callback that never came
	 * back, until dp_port_recover. */
	ldr	r3, [r0, #DP_VENEER_STACK_BOTTOM]
	cmp	sp, r3
	cmphi	r5, sp
	bichi	r5, sp, #7
	subhi	r5, r5, #64 + DP_FRAME_BYTES
	/* User mode's registers are system mode's. */
	cmp	r4, #DP_MODE_USR
	moveq	r4, #DP_MODE_SYS
	orr	r4, r4, #DP_MASKED
	msr	cpsr_c, r4
	add	r3, r5, #DP_FRAME_R8
	stmia	r3!, {r8-r14}
	msr	cpsr_c, #DP_ABT
	stmia	r3, {r1, r2, sp, lr}	/* DP_FRAME_PC, CPSR, ABT_SP, ABT_LR */
	mrs	r3, spsr
	str	r3, [r5, #DP_FRAME_ABT_SPSR]
	mov	sp, r5
	ldmia	r0, {r1, r2, r8-r12, lr}
	stmia	r5, {r1, r2, r8-r12, lr}
	mov	r7, r0
	mov	r0, r6
	mov	r1, r5
	bl	dp_port_exception

	/* The context's registers but for r0 to r7; r1 pc, r2 cpsr. */
	.macro	restore_context
	add	r3, r5, #DP_FRAME_PC
	ldmia	r3, {r1, r2, sp, lr}
	ldr	r3, [r5, #DP_FRAME_ABT_SPSR]
	msr	spsr_cxsf, r3
	add	r3, r5, #DP_FRAME_R8
	msr	cpsr_c, r4
	ldmia	r3, {r8-r14}
	.endm

	cmp	r0, #DP_ARM_RESUME
	bne	not_ours
	restore_context
	msr	cpsr_c, #DP_UND
	mov	lr, r1
	msr	spsr_cxsf, r2
	ldmia	r5, {r0-r7}
	movs	pc, lr

	/* Enter the firmware's handler as the exception would have: mode, link and saved status,
	 * everything else as it was. The handler's address goes behind r7 for the last load. */
not_ours:
	ldr	r0, [r7, #DP_VENEER_HANDLER]
	str	r0, [r5, #DP_FRAME_CHAIN]
	mov	r0, r6
	mov	r1, r5
	bl	dp_arm_chain
	mov	r6, r0
	restore_context
	cmp	r6, #DP_CLASS_UNDEFINED
	bne	2f
	msr	cpsr_c, #DP_UND
	b	3f
2:	msr	cpsr_c, #DP_ABT
#if __ARM_ARCH >= 6
	cpsid	a
#endif
3:	msr	spsr_cxsf, r2
	ldr	lr, [r5, #DP_FRAME_CHAIN_LR]
	ldr	r4, [r5, #DP_FRAME_CHAIN]
	str	r4, [r5, #DP_FRAME_R8]
	/* The F bit is as the exception leaves it: as it was. */
	tst	r2, #DP_PSR_F
	bne	4f
	mrs	r4, cpsr
	bic	r4, r4, #DP_PSR_F
	msr	cpsr_c, r4
4:	ldmia	r5, {r0-r7, pc}

	/* arm_port.h */
	.global	dp_arm_leave_stack
	.type	dp_arm_leave_stack, %function
dp_arm_leave_stack:
	mrs	r2, cpsr
	and	r3, r2, #DP_PSR_MODE
	cmp	r3, #DP_MODE_ABT
	bxeq	lr
	msr	cpsr_c, #DP_ABT
	cmp	sp, r0
	cmphi	r1, sp
	ldrhi	sp, [r1, #DP_FRAME_ABT_SP]
	msr	cpsr_c, r2
	bx	lr
	.ltorg
