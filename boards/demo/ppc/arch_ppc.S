/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and task switch, PowerPC, BookE and classic.
 *
 * All vectors lead to arch_exception, with r3 and r4 in SPRG0 and SPRG1; other SPRGs are not used.
 * It saves the interrupted context where arch_save says: into task_current->context (first member of
 * struct task), or, in the kernel, where an exception is the end, into arch_fatal_context. Then SRR0
 * and SRR1 are free, so that the rest can be probed, and the kernel runs on one stack. Exceptions do
 * not nest.
 *
 * Classic CPUs arrive with translation off; RAM is mapped one to one, so that this works up to the
 * point where it is turned on again.
 */
#include "arch_cpu.h"

#define SRR0  26
#define SRR1  27
#define SPRG0 272
#define SPRG1 273

#define MSR_WE 0x00040000	/* POW on classic CPUs */
#define MSR_RI 0x00000002
#define MSR_IRDR 0x00000030

	.section .text.exception, "ax"

	/* Copied to each vector by start.S; none of the words depends on where it is. */
	.global	arch_vectors
arch_vectors:
	.set	n, 0
	.rept	VECTORS
	mtspr	SPRG0, 3
	mtspr	SPRG1, 4
	li	3, n
	ba	arch_exception
	.set	n, n + 1
	.endr
	.global	arch_vectors_end
arch_vectors_end:

	.global	arch_exception
	.type	arch_exception, @function
arch_exception:
	lis	4, arch_save@ha
	lwz	4, arch_save@l(4)
	stw	0, 0(4)
	stw	1, 4(4)
	stw	2, 8(4)
	stmw	5, 20(4)
	mfspr	5, SPRG0
	mfspr	6, SPRG1
	stw	5, 12(4)
	stw	6, 16(4)
	mfcr	5
	mflr	6
	mfctr	7
	mfxer	8
	mfspr	9, SRR0
	mfspr	10, SRR1
	rlwinm	10, 10, 0, 14, 12	/* awake: WE off */
	stw	5, CONTEXT_CR(4)
	stw	6, CONTEXT_LR(4)
	stw	7, CONTEXT_CTR(4)
	stw	8, CONTEXT_XER(4)
	stw	9, CONTEXT_PC(4)
	stw	10, CONTEXT_MSR(4)
	mr	6, 4
	mfspr	4, SPR_ADDRESS
	mfspr	5, SPR_SYNDROME
#if !DP_PPC_BOOKE
	mfmsr	7
	ori	7, 7, MSR_IRDR | MSR_RI
	mtmsr	7
	isync
#endif
	lis	8, arch_save@ha
	lis	9, arch_fatal_context@ha
	addi	9, 9, arch_fatal_context@l
	cmplw	6, 9
	beq	fatal
	stw	9, arch_save@l(8)
	lis	1, (__stack_exception_end - 16)@ha
	addi	1, 1, (__stack_exception_end - 16)@l
	li	0, 0
	stw	0, 0(1)
	cmpwi	3, VECTOR_EXTERNAL
	beq	interrupt
	cmpwi	3, VECTOR_DECREMENTER
	beq	interrupt
	cmpwi	3, VECTOR_SYSTEM_CALL
	beq	system_call
	bl	arch_fault_task
	b	resume
system_call:
	bl	kernel_trap
	b	resume
interrupt:
	bl	kernel_irq
	/* fall through */

	.type	resume, @function
resume:
	lis	3, task_current@ha
	lwz	3, task_current@l(3)
	lis	4, arch_save@ha
	stw	3, arch_save@l(4)
	lwz	5, CONTEXT_CR(3)
	lwz	6, CONTEXT_LR(3)
	lwz	7, CONTEXT_CTR(3)
	lwz	8, CONTEXT_XER(3)
	mtcr	5
	mtlr	6
	mtctr	7
	mtxer	8
#if !DP_PPC_BOOKE
	mfmsr	7
	rlwinm	7, 7, 0, 31, 29		/* RI off */
	mtmsr	7
	isync
#endif
	lwz	9, CONTEXT_PC(3)
	lwz	10, CONTEXT_MSR(3)
	mtspr	SRR0, 9
	mtspr	SRR1, 10
	lwz	0, 0(3)
	lwz	1, 4(3)
	lwz	2, 8(3)
	lmw	4, 16(3)
	lwz	3, 12(3)
	rfi

	/* Not in a task: tell, on a stack that is surely there. */
fatal:
	lis	1, (__stack_boot_end - 16)@ha
	addi	1, 1, (__stack_boot_end - 16)@l
	li	0, 0
	stw	0, 0(1)
	bl	arch_fault_fatal

	.global	arch_start
	.type	arch_start, @function
arch_start:
	b	resume

	.text

	.global	arch_trap
	.type	arch_trap, @function
arch_trap:
	sc
	blr

/* The locks of the kernel can be probed. What the agent calls in a hit masks interrupts too, by
 * functions of its own: BOARD_HIT_PATH. */
	.macro irq_locks name
	.global	\name\()_save
	.type	\name\()_save, @function
\name\()_save:
	mfmsr	3
#if DP_PPC_BOOKE
	wrteei	0
#else
	rlwinm	4, 3, 0, 17, 15
	mtmsr	4
#endif
	rlwinm	3, 3, 0, 16, 16
	blr

	.global	\name\()_restore
	.type	\name\()_restore, @function
\name\()_restore:
#if DP_PPC_BOOKE
	wrtee	3
#else
	mfmsr	4
	rlwimi	4, 3, 0, 16, 16
	mtmsr	4
#endif
	blr
	.endm

	.section dprobes_text, "ax"
	irq_locks arch_hit_irq

	.text
	irq_locks arch_irq

	.global	arch_irq_masked
	.type	arch_irq_masked, @function
arch_irq_masked:
	mfmsr	3
	rlwinm	3, 3, 17, 31, 31
	xori	3, 3, 1
	blr

	.global	arch_wait
	.type	arch_wait, @function
arch_wait:
	mfmsr	3
	oris	3, 3, MSR_WE >> 16
	sync
	mtmsr	3
	isync
	blr

/* bool arch_peek32(uintptr_t address, uint32_t *value): fault_ppc.c moves the PC from _try to
 * _fixup when the load faults. */
	.global	arch_peek32
	.type	arch_peek32, @function
arch_peek32:
	.global	arch_peek_try
arch_peek_try:
	lwz	5, 0(3)
	stw	5, 0(4)
	li	3, 1
	blr
	.global	arch_peek_fixup
arch_peek_fixup:
	li	3, 0
	blr

	.data
	.align	2
	/* In the kernel, where an exception is the end. */
	.global	arch_save
arch_save:
	.long	arch_fatal_context

	.bss
	.align	3
	.global	arch_fatal_context
arch_fatal_context:
	.space	CONTEXT_BYTES
