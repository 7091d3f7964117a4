/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entries and task switch, ARMv5 and ARMv7-A.
 *
 * Each entry saves the interrupted task straight into task_current->context (first member of
 * struct task; layout in arch_cpu.h), runs the kernel on the stack of its own mode, and resumes
 * task_current, which may be another task by then. Entries do not nest, so each mode's stack is
 * empty, and aligned to 8, on entry.
 */
#include "arm_modes.h"

	.syntax unified
	.arm

	.equ	CONTEXT_PC, 60
	.equ	CONTEXT_CPSR, 64

	.macro	save_context offset
	.if	\offset
	sub	lr, lr, #\offset
	.endif
	push	{r0, lr}
	ldr	r0, =task_current
	ldr	r0, [r0]
	add	r0, r0, #4
	stmia	r0, {r1-r14}^
	nop				/* ARM926: no banked register right after STM ^ */
	pop	{r1, r2}
	str	r1, [r0, #-4]
	str	r2, [r0, #CONTEXT_PC - 4]
	mrs	r1, spsr
	str	r1, [r0, #CONTEXT_CPSR - 4]
	.endm

	.section .text.exception, "ax"

	.global	arch_irq_entry
	.type	arch_irq_entry, %function
arch_irq_entry:
	save_context 4
	bl	kernel_irq
	/* fall through */

	.type	resume, %function
resume:
	ldr	r0, =task_current
	ldr	r0, [r0]
	ldr	r1, [r0, #CONTEXT_CPSR]
	ldr	lr, [r0, #CONTEXT_PC]
	msr	spsr_cxsf, r1
#if __ARM_ARCH >= 7
	clrex
#endif
	ldmia	r0, {r0-r14}^
	nop				/* as above, after LDM ^ */
	movs	pc, lr

/* SVC of any number: a task asks for a scheduling decision. From another mode it is semihosting
 * that nobody answered: go on behind it. */
	.global	arch_svc_entry
	.type	arch_svc_entry, %function
arch_svc_entry:
	push	{r0, lr}
	mrs	r0, spsr
	and	r0, r0, #MODE_MASK
	cmp	r0, #MODE_SYS
	pop	{r0, lr}
	movsne	pc, lr
	save_context 0
	bl	kernel_trap
	b	resume

/* Undefined instruction, prefetch abort, data abort. LR adjustment to the faulting instruction is
 * left to fault_arm.c, because it depends on the instruction set for the first. */
	.macro	fault_entry name, kind
	.global	\name
	.type	\name, %function
\name:
	push	{r0, lr}
	mrs	r0, spsr
	and	r0, r0, #MODE_MASK
	cmp	r0, #MODE_SYS
	pop	{r0, lr}
	bne	1f
	save_context 0
	/* On in supervisor mode, so that a probe there finds its own link register: one in
	 * undefined mode would overwrite lr. */
	msr	cpsr_c, #MODE_SVC | PSR_I | PSR_F
	sub	r0, r0, #4
	mov	r1, #\kind
	bl	arch_fault_task
	b	resume
1:	push	{lr}
	push	{r0-r12, lr}		/* lr is a place holder that keeps 8-byte alignment */
	mrs	r2, spsr
	str	r2, [sp, #13 * 4]
	mov	r0, sp
	mov	r1, #\kind
	b	arch_fault_fatal
	.endm

	fault_entry arch_undef_entry, FAULT_UNDEF
	fault_entry arch_pabort_entry, FAULT_PREFETCH
	fault_entry arch_dabort_entry, FAULT_DATA
	fault_entry arch_fiq_entry, FAULT_FIQ

	.ltorg

	.section .text.exception, "ax"

	.global	arch_start
	.type	arch_start, %function
arch_start:
	msr	cpsr_c, #MODE_SVC | PSR_I | PSR_F
	b	resume

	.text

	.global	arch_trap
	.type	arch_trap, %function
arch_trap:
	svc	#0
	bx	lr

/* The locks of the kernel can be probed. What the agent calls in a hit masks interrupts too, by
 * functions of its own: BOARD_HIT_PATH. */
	.macro irq_locks name
	.global	\name\()_save
	.type	\name\()_save, %function
\name\()_save:
	mrs	r0, cpsr
	orr	r1, r0, #PSR_I
	msr	cpsr_c, r1
	bx	lr

	.global	\name\()_restore
	.type	\name\()_restore, %function
\name\()_restore:
	mrs	r1, cpsr
	bic	r1, r1, #PSR_I
	and	r0, r0, #PSR_I
	orr	r1, r1, r0
	msr	cpsr_c, r1
	bx	lr
	.endm

	.section dprobes_text, "ax"
	irq_locks arch_hit_irq

	.text
	irq_locks arch_irq

	.global	arch_irq_masked
	.type	arch_irq_masked, %function
arch_irq_masked:
	mrs	r0, cpsr
	and	r0, r0, #PSR_I
	lsr	r0, r0, #7
	bx	lr

	.global	arch_wait
	.type	arch_wait, %function
arch_wait:
#if __ARM_ARCH >= 7
	dsb
	wfi
#else
	mov	r0, #0
	mcr	p15, 0, r0, c7, c10, 4	/* drain the write buffer */
	mcr	p15, 0, r0, c7, c0, 4	/* wait for interrupt */
#endif
	bx	lr

/* bool arch_peek32(uintptr_t address, uint32_t *value): fault_arm.c moves the PC from _try to
 * _fixup when the load aborts. */
	.global	arch_peek32
	.type	arch_peek32, %function
arch_peek32:
	.global	arch_peek_try
arch_peek_try:
	ldr	r2, [r0]
	str	r2, [r1]
	mov	r0, #1
	bx	lr
	.global	arch_peek_fixup
arch_peek_fixup:
	mov	r0, #0
	bx	lr
