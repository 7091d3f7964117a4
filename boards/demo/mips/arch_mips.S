/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and task switch, MIPS32 release 1 and 2.
 *
 * All vectors lead to arch_exception. It saves the interrupted task straight into
 * task_current->context (first member of struct task), clears EXL with interrupts off, so that the
 * rest can be probed, and runs the kernel on one stack. Exceptions do not nest.
 */
#include "arch_cpu.h"

#define STATUS    $12
#define CAUSE     $13
#define EPC       $14
#define BADVADDR  $8
#define EXL       2
#define MODE_BITS 0x1f	/* KSU, ERL, EXL, IE */
#define FRAME     160	/* arguments, then struct arch_context */

	.set	noreorder
	.set	noat

	.macro	hazard
	ssnop
	ssnop
	ssnop
	ehb
	.endm

	.section .text.exception, "ax"

	/* Copied to each vector. */
	.global	arch_vector
arch_vector:
	lui	$26, %hi(arch_exception)
	addiu	$26, $26, %lo(arch_exception)
	jr	$26
	nop
	.global	arch_vector_end
arch_vector_end:

	/* r1..r31 but k0, k1; hi, lo, pc, status. k0: struct arch_context. Uses k1, $1 after saving. */
	.macro	save_context
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
	sw	$\n, 4*\n($26)
	.endr
	mfhi	$1
	sw	$1, CONTEXT_HI($26)
	mflo	$1
	sw	$1, CONTEXT_LO($26)
	mfc0	$1, EPC
	sw	$1, CONTEXT_PC($26)
	mfc0	$27, STATUS
	ori	$1, $27, EXL
	xori	$1, $1, EXL
	sw	$1, CONTEXT_STATUS($26)
	.endm

	.global	arch_exception
	.type	arch_exception, @function
arch_exception:
	lui	$26, %hi(arch_depth)
	lw	$27, %lo(arch_depth)($26)
	bnez	$27, fatal
	addiu	$27, $27, 1
	sw	$27, %lo(arch_depth)($26)
	lui	$26, %hi(task_current)
	lw	$26, %lo(task_current)($26)
	save_context
	mfc0	$4, CAUSE
	mfc0	$5, BADVADDR
	lui	$sp, %hi(__stack_exception_end - 32)
	addiu	$sp, $sp, %lo(__stack_exception_end - 32)
	ori	$1, $27, MODE_BITS
	xori	$1, $1, MODE_BITS
	mtc0	$1, STATUS
	hazard
	andi	$8, $4, 0x7c
	beqz	$8, interrupt
	addiu	$8, $8, -4 * 8
	beqz	$8, system_call
	lw	$9, CONTEXT_PC($26)
	lui	$10, %hi(arch_fault_task)
	addiu	$10, $10, %lo(arch_fault_task)
	jalr	$10
	move	$6, $26
	b	resume
	nop
system_call:
	addiu	$9, $9, 4
	jal	kernel_trap
	sw	$9, CONTEXT_PC($26)
	b	resume
	nop
interrupt:
	jal	kernel_irq
	nop
	/* fall through */

	.type	resume, @function
resume:
	mfc0	$4, STATUS
	ori	$4, $4, EXL
	mtc0	$4, STATUS
	hazard
	lui	$26, %hi(arch_depth)
	sw	$0, %lo(arch_depth)($26)
	lui	$26, %hi(task_current)
	lw	$26, %lo(task_current)($26)
	lw	$4, CONTEXT_HI($26)
	lw	$5, CONTEXT_LO($26)
	mthi	$4
	mtlo	$5
	lw	$4, CONTEXT_PC($26)
	lw	$5, CONTEXT_STATUS($26)
	mtc0	$4, EPC
	ori	$5, $5, EXL
	mtc0	$5, STATUS
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
	lw	$\n, 4*\n($26)
	.endr
	hazard
	eret

	/* Not in a task: registers onto the stack that is in use, and tell. */
fatal:
	addiu	$26, $sp, -FRAME
	addiu	$26, $26, 16
	save_context
	addiu	$sp, $26, -16
	mfc0	$4, CAUSE
	mfc0	$5, BADVADDR
	ori	$1, $27, MODE_BITS
	xori	$1, $1, MODE_BITS
	mtc0	$1, STATUS
	hazard
	lui	$10, %hi(arch_fault_fatal)
	addiu	$10, $10, %lo(arch_fault_fatal)
	jalr	$10
	move	$6, $26

	.global	arch_start
	.type	arch_start, @function
arch_start:
	b	resume
	nop

	.text

	.global	arch_trap
	.type	arch_trap, @function
arch_trap:
	syscall
	jr	$31
	nop

/* The locks of the kernel can be probed. What the agent calls in a hit masks interrupts too, by
 * functions of its own: BOARD_HIT_PATH. */
	.macro irq_locks name
	.global	\name\()_save
	.type	\name\()_save, @function
\name\()_save:
	mfc0	$2, STATUS
	ori	$3, $2, 1
	xori	$3, $3, 1
	mtc0	$3, STATUS
	hazard
	jr	$31
	andi	$2, $2, 1

	.global	\name\()_restore
	.type	\name\()_restore, @function
\name\()_restore:
	mfc0	$3, STATUS
	ori	$3, $3, 1
	xori	$3, $3, 1
	andi	$4, $4, 1
	or	$3, $3, $4
	mtc0	$3, STATUS
	hazard
	jr	$31
	nop
	.endm

	.section dprobes_text, "ax"
	irq_locks arch_hit_irq

	.text
	irq_locks arch_irq

	.global	arch_irq_masked
	.type	arch_irq_masked, @function
arch_irq_masked:
	mfc0	$2, STATUS
	andi	$2, $2, 1
	jr	$31
	xori	$2, $2, 1

	.global	arch_wait
	.type	arch_wait, @function
arch_wait:
	wait
	jr	$31
	nop

/* bool arch_peek32(uintptr_t address, uint32_t *value): fault_mips.c moves the PC from _try to
 * _fixup when the load faults. */
	.global	arch_peek32
	.type	arch_peek32, @function
arch_peek32:
	.global	arch_peek_try
arch_peek_try:
	lw	$8, 0($4)
	sw	$8, 0($5)
	jr	$31
	li	$2, 1
	.global	arch_peek_fixup
arch_peek_fixup:
	jr	$31
	li	$2, 0

	.data
	/* Not 0: in the kernel, where an exception is the end. */
	.global	arch_depth
arch_depth:
	.word	1
