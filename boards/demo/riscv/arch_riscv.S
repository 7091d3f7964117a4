/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and task switch, RISC-V in M mode, RV32 and RV64.
 *
 * mtvec leads to arch_exception. It keeps two registers on the stack of the interrupted code, and saves the
 * context where arch_save says: into task_current->context (first member of struct task), or, in the kernel,
 * where an exception is the end, into arch_fatal_context. Then mepc, mcause, mtval and mstatus are free, so that
 * the rest can be probed, and the kernel runs on one stack. Exceptions do not nest. mscratch is not used.
 */
#include "arch_cpu.h"

#if __riscv_xlen == 64
#define L ld
#define S sd
#define WORD 8
#define DATA .dword
#else
#define L lw
#define S sw
#define WORD 4
#define DATA .word
#endif

#define MIE         8
#define CAUSE_ECALL 11	/* from M mode */

	.section .text.exception, "ax"
	.balign	64
	.global	arch_exception
	.type	arch_exception, @function
arch_exception:
	addi	sp, sp, -2*WORD
	S	t0, 0(sp)
	S	t1, WORD(sp)
	la	t0, arch_save
	L	t0, 0(t0)
	.irp	n, 1,3,4,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	S	x\n, WORD*\n(t0)
	.endr
	L	t1, 0(sp)
	S	t1, WORD*5(t0)
	L	t1, WORD(sp)
	S	t1, WORD*6(t0)
	addi	t1, sp, 2*WORD
	S	t1, WORD*2(t0)
	csrr	t1, mepc
	S	t1, CONTEXT_PC*WORD(t0)
	csrr	t2, mstatus
	S	t2, CONTEXT_MSTATUS*WORD(t0)
	csrr	a0, mcause
	csrr	a1, mtval
	mv	a2, t0
	la	t2, arch_fatal_context
	beq	t0, t2, fatal
	la	t3, arch_save
	S	t2, 0(t3)
	la	sp, __stack_exception_end
	bltz	a0, interrupt
	li	t2, CAUSE_ECALL
	beq	a0, t2, system_call
	call	arch_fault_task
	j	resume
system_call:
	addi	t1, t1, 4
	S	t1, CONTEXT_PC*WORD(t0)
	call	kernel_trap
	j	resume
interrupt:
	call	kernel_irq
	/* fall through */

	.type	resume, @function
resume:
	la	t0, task_current
	L	t0, 0(t0)
	la	t1, arch_save
	S	t0, 0(t1)
	L	t1, CONTEXT_PC*WORD(t0)
	L	t2, CONTEXT_MSTATUS*WORD(t0)
	csrw	mepc, t1
	csrw	mstatus, t2
	.irp	n, 1,2,3,4,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	L	x\n, WORD*\n(t0)
	.endr
	L	t0, WORD*5(t0)
	mret

	/* Not in a task: tell, on a stack that is surely there. */
fatal:
	la	sp, __stack_boot_end
	call	arch_fault_fatal

	.global	arch_start
	.type	arch_start, @function
arch_start:
	j	resume

	.text

	.global	arch_trap
	.type	arch_trap, @function
arch_trap:
	ecall
	ret

/* The locks of the kernel can be probed. What the agent calls in a hit masks interrupts too, by
 * functions of its own: BOARD_HIT_PATH. */
	.macro irq_locks name
	.global	\name\()_save
	.type	\name\()_save, @function
\name\()_save:
	csrrci	a0, mstatus, MIE
	andi	a0, a0, MIE
	ret

	.global	\name\()_restore
	.type	\name\()_restore, @function
\name\()_restore:
	andi	a0, a0, MIE
	csrs	mstatus, a0
	ret
	.endm

	.section dprobes_text, "ax"
	irq_locks arch_hit_irq

	.text
	irq_locks arch_irq

	.global	arch_irq_masked
	.type	arch_irq_masked, @function
arch_irq_masked:
	csrr	a0, mstatus
	andi	a0, a0, MIE
	seqz	a0, a0
	ret

	.global	arch_wait
	.type	arch_wait, @function
arch_wait:
	wfi
	ret

/* bool arch_peek32(uintptr_t address, uint32_t *value): fault_riscv.c moves the PC from _try to
 * _fixup when the load faults. */
	.global	arch_peek32
	.type	arch_peek32, @function
arch_peek32:
	.global	arch_peek_try
arch_peek_try:
	lw	a2, 0(a0)
	sw	a2, 0(a1)
	li	a0, 1
	ret
	.global	arch_peek_fixup
arch_peek_fixup:
	li	a0, 0
	ret

	.data
	.balign	WORD
	/* In the kernel, where an exception is the end. */
	.global	arch_save
arch_save:
	DATA	arch_fatal_context

	.bss
	.balign	16
	.global	arch_fatal_context
arch_fatal_context:
	.space	CONTEXT_WORDS*WORD

	.section .note.GNU-stack, "", @progbits
