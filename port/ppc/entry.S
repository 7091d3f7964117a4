/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and exit.
 *
 * A hooked vector branches to its code in slot memory (struct dp_ppc_vector), which keeps r3 in the
 * port's SPRG, r4 and CTR in the vector's struct dp_ppc_block, and comes here with r3 = the block.
 * No other interrupt passes through here.
 *
 * As soon as the frame is complete SRR0 and SRR1 may be overwritten: by the agent's own faults.
 */
#include "dp_port_cpu.h"

#define DP_ARGUMENTS 16	/* back chain and LR of the first C function */

	.macro	restore_few		/* all but r3 and CTR, from the block; leaves r4 for last */
	lwz	5, DP_BLOCK_CR(3)
	mtcrf	0xff, 5
	lwz	5, DP_BLOCK_R5(3)
	.endm

	/* The running address of a symbol of this image, whose linked address is another one in an image
	 * that moves itself. LR becomes that of this place. */
	.macro	here to, symbol
	bcl	20, 31, 1f
1:	mflr	\to
	addis	\to, \to, (\symbol - 1b)@ha
	addi	\to, \to, (\symbol - 1b)@l
	.endm

	/* Compare r4, the pc of an exception, with the accesses that may fault: r5 is the place where such an
	 * access goes on, CTR the LR of the context. Another pc leads to chain. */
	.macro	access_or_chain
	mflr	5
	mtctr	5
	here	5, dp_ppc_access_begin
	cmplw	4, 5
	blt	chain_lr
	here	5, dp_ppc_access_end
	cmplw	4, 5
	bge	chain_lr
	here	5, dp_ppc_access_failed
	.endm

	.macro	restore_lr		/* and CTR */
	mfctr	4
	mtlr	4
	lwz	4, DP_BLOCK_CTR(3)
	mtctr	4
	.endm

	.section .text.dp_ppc_entry, "ax"

	/* Any exception but the program interrupt is ours in two places only. */
	.global	dp_ppc_entry_fault
	.type	dp_ppc_entry_fault, @function
dp_ppc_entry_fault:
	mfcr	4
	stw	4, DP_BLOCK_CR(3)
	stw	5, DP_BLOCK_R5(3)
	mfspr	4, DP_SPR_SRR0
	lwz	5, DP_BLOCK_SLOTS(3)
	subf	4, 5, 4
	lwz	5, DP_BLOCK_SLOT_BYTES(3)
	cmplw	4, 5
	blt	build
	mfspr	4, DP_SPR_SRR0
	access_or_chain
	mtspr	DP_SPR_SRR0, 5
	restore_few
	restore_lr
	lwz	4, DP_BLOCK_R4(3)
	mfspr	3, DP_PPC_SPRG
	rfi

chain_lr:
	mfctr	4
	mtlr	4
	restore_few
	lwz	4, DP_BLOCK_CHAIN(3)
	mtctr	4
	bctr

#if DP_PPC_BOOKE && DP_PPC_MACHINE_SRR0
	/* Its level is above all others, and has registers of its own to return by: only the pc is
	 * looked at. What MCSR has recorded is cleared: by ones on some CPUs, by zero on others. */
	.global	dp_ppc_entry_machine
	.type	dp_ppc_entry_machine, @function
dp_ppc_entry_machine:
	mfcr	4
	stw	4, DP_BLOCK_CR(3)
	stw	5, DP_BLOCK_R5(3)
	mfspr	4, DP_PPC_MACHINE_SRR0
	access_or_chain
	mtspr	DP_PPC_MACHINE_SRR0, 5
	mfspr	5, DP_SPR_MCSR
	mtspr	DP_SPR_MCSR, 5
	li	5, 0
	mtspr	DP_SPR_MCSR, 5
	restore_few
	restore_lr
	lwz	4, DP_BLOCK_R4(3)
	mfspr	3, DP_PPC_SPRG
#if DP_PPC_MACHINE_SRR0 == 58
	.long	0x4c000066	/* rfci */
#else
	.long	0x4c00004c	/* rfmci */
#endif
#endif

	.global	dp_ppc_entry_program
	.type	dp_ppc_entry_program, @function
dp_ppc_entry_program:
	mfcr	4
	stw	4, DP_BLOCK_CR(3)
	stw	5, DP_BLOCK_R5(3)

	/* In a callback of the agent already? Then go on below. */
build:
	lwz	5, DP_BLOCK_STACK_TOP(3)
	lwz	4, DP_BLOCK_STACK_BOTTOM(3)
	cmplw	1, 4
	mr	4, 5
	ble	1f
	cmplw	1, 5
	bgt	1f
	rlwinm	4, 1, 0, 0, 27
1:	addi	4, 4, -DP_FRAME_BYTES
	stmw	0, 0(4)
	mfspr	0, DP_PPC_SPRG
	stw	0, 12(4)
	lwz	0, DP_BLOCK_R4(3)
	stw	0, 16(4)
	lwz	0, DP_BLOCK_R5(3)
	stw	0, 20(4)
	lwz	5, DP_BLOCK_CR(3)
	lwz	6, DP_BLOCK_CTR(3)
	mflr	7
	mfxer	8
	mfspr	9, DP_SPR_SRR0
	mfspr	10, DP_SPR_SRR1
	mfspr	11, DP_SPR_ADDRESS
	mfspr	12, DP_SPR_SYNDROME
	mfmsr	0
	stw	5, DP_FRAME_CR(4)
	stw	6, DP_FRAME_CTR(4)
	stw	7, DP_FRAME_LR(4)
	stw	8, DP_FRAME_XER(4)
	stw	9, DP_FRAME_PC(4)
	stw	10, DP_FRAME_MSR(4)
	stw	11, DP_FRAME_ADDRESS(4)
	stw	12, DP_FRAME_SYNDROME(4)
	stw	0, DP_FRAME_ENTRY_MSR(4)
	lwz	2, DP_BLOCK_R2(3)
	lwz	13, DP_BLOCK_R13(3)
#if DP_PPC_BOOKE
	/* Critical and debug interrupts off too: nothing may come between two traps. */
	rlwinm	0, 0, 0, ~DP_MSR_CE
	rlwinm	0, 0, 0, ~DP_MSR_DE
#else
	/* Translation as in the context; this code is where it was. */
	andi.	10, 10, DP_MSR_IR | DP_MSR_DR
	or	0, 0, 10
	ori	0, 0, DP_MSR_RI
#endif
	mtmsr	0
	isync
	addi	1, 4, -DP_ARGUMENTS
	mr	14, 3
	li	0, 0
	stw	0, 0(1)
	lwz	3, DP_BLOCK_CLASS(3)
	bl	dp_port_exception

	/* r3: resume, or the firmware goes on. r1: the frame, less DP_ARGUMENTS. r14: the block. */
	addi	4, 1, DP_ARGUMENTS
#if !DP_PPC_BOOKE
	lwz	0, DP_FRAME_ENTRY_MSR(4)
	mtmsr	0
	isync
#endif
	lwz	5, DP_FRAME_PC(4)
	lwz	6, DP_FRAME_MSR(4)
	lwz	7, DP_FRAME_LR(4)
	lwz	8, DP_FRAME_XER(4)
	lwz	9, DP_FRAME_CTR(4)
	lwz	10, DP_FRAME_CR(4)
	mtspr	DP_SPR_SRR0, 5
	mtspr	DP_SPR_SRR1, 6
	mtlr	7
	mtxer	8
	cmplwi	3, DP_PPC_RESUME
	bne	firmware
	mtctr	9
	mtcrf	0xff, 10
	lwz	0, 0(4)
	lwz	1, 4(4)
	lwz	2, 8(4)
	lmw	5, 20(4)
	lwz	3, 12(4)
	lwz	4, 16(4)
	rfi

	/* As the exception came: r3, r4 and CTR where the vector's code looks for them. */
firmware:
#if DP_PPC_BOOKE
	lwz	0, DP_FRAME_ENTRY_MSR(4)
	mtmsr	0
	isync
#endif
	stw	9, DP_BLOCK_CTR(14)
	lwz	5, 12(4)
	mtspr	DP_PPC_SPRG, 5
	lwz	5, 16(4)
	stw	5, DP_BLOCK_R4(14)
	mr	3, 14
	lwz	5, DP_BLOCK_CHAIN(14)
	mtctr	5
	mtcrf	0xff, 10
	lwz	0, 0(4)
	lwz	1, 4(4)
	lwz	2, 8(4)
	lmw	5, 20(4)
	bctr

	.section .note.GNU-stack, "", @progbits
