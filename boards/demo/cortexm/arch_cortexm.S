/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entries and task switch, ARMv7-M and ARMv8-M.
 *
 * Tasks run on PSP, the kernel on MSP. Critical sections raise BASEPRI to the level of the
 * interrupts: SVC is more urgent, so a task may trap inside one. SVC and faults switch tasks by
 * themselves; an interrupt asks for PendSV, the least urgent exception. arch_running is the task
 * whose registers the CPU has; task_current may be another one already.
 */
#include "cortexm_modes.h"

	.syntax unified
	.thumb

	.equ	CONTEXT_PSP, 32
	.equ	CONTEXT_S, 56

	.macro	function name
	.global	\name
	.thumb_func
	.type	\name, %function
\name:
	.endm

	/* Save the interrupted task; r3: its context. */
	.macro	save_context
	ldr	r3, =arch_running
	ldr	r3, [r3]
	mrs	r0, psp
	mov	r1, lr
	mrs	r2, basepri
	stmia	r3, {r4-r11}
	add	r12, r3, #CONTEXT_PSP
	stmia	r12, {r0-r2}
#ifdef __ARM_FP
	tst	lr, #0x10
	bne	9f
	add	r1, r3, #CONTEXT_S
	vstmia	r1, {s16-s31}
9:
#endif
	.endm

	/* Tell where the interrupted task is; r0: its PSP, r12: the place of the PSP in the context. A fault
	 * may have come because the stack could not be written. */
	.macro	save_place
	ldrd	r1, r2, [r0, #20]
	strd	r1, r2, [r12, #12]
	.endm

	/* The task of task_current goes on. */
	.macro	resume_task
	ldr	r3, =task_current
	ldr	r3, [r3]
	ldr	r0, =arch_running
	str	r3, [r0]
	add	r12, r3, #CONTEXT_PSP
	ldmia	r12, {r0-r2}
	mov	lr, r1
#ifdef __ARM_FP
	tst	lr, #0x10
	bne	9f
	add	r12, r3, #CONTEXT_S
	vldmia	r12, {s16-s31}
9:
#endif
	ldmia	r3, {r4-r11}
	msr	psp, r0
	msr	basepri, r2
	clrex
	bx	lr
	.endm

	.section .text.fault, "ax"

	/* Faults: of a task, or of the kernel. A trap here may come at the level of HardFault, where the CPU
	 * locks up. */
	function arch_fault_entry
	tst	lr, #4
	beq	1f
	save_context
	mov	r0, r3
	mrs	r1, ipsr
	bl	arch_fault_task
	resume_task
1:	mrs	r0, msp
	mrs	r1, ipsr
	b	arch_fault_fatal

	.ltorg

	.section .text.exception, "ax"

	/* The context is a task's, or that of a handler below this one: arch_interrupted. */
	function arch_irq_entry
	tst	lr, #4
	ite	eq
	mrseq	r0, msp
	mrsne	r0, psp
	ldr	r1, =arch_irq_frame
	str	r0, [r1]
	ldr	r1, =arch_irq_return
	str	lr, [r1]
	beq	2f
	ldr	r3, =arch_running
	ldr	r3, [r3]
	cbz	r3, 2f
	add	r12, r3, #CONTEXT_PSP
	save_place
2:	push	{r4, lr}
	bl	kernel_irq
	ldr	r0, =arch_running
	ldr	r0, [r0]
	ldr	r1, =task_current
	ldr	r1, [r1]
	cmp	r0, r1
	beq	1f
	ldr	r0, =SCS_ICSR
	mov	r1, #ICSR_PENDSVSET
	str	r1, [r0]
1:	pop	{r4, pc}

	function arch_pendsv_entry
	save_context
	save_place
	/* Interrupts choose task_current. */
	mov	r0, #LEVEL_IRQ
	msr	basepri, r0
	b	resume

	/* A task asks for a scheduling decision. Without arch_running: the first task. */
	function arch_svc_entry
	ldr	r0, =arch_running
	ldr	r0, [r0]
	cbz	r0, first_task
	save_context
	save_place
	bl	kernel_trap
	b	resume
first_task:
	ldr	r0, =__stack_end
	msr	msp, r0

resume:	resume_task

	.ltorg

	function arch_start
	svc	#0
1:	b	1b

	.text

	function arch_trap
	svc	#0
	bx	lr

	/* The locks of the kernel can be probed. What the agent calls in a hit masks interrupts too, by
	 * functions of its own: BOARD_HIT_PATH. */
	.macro irq_locks name
	function \name\()_save
	mrs	r0, basepri
	mov	r1, #LEVEL_IRQ
	msr	basepri, r1
	bx	lr

	function \name\()_restore
	msr	basepri, r0
	bx	lr
	.endm

	.section dprobes_text, "ax"
	irq_locks arch_hit_irq

	.text
	irq_locks arch_irq

	function arch_irq_masked
	mrs	r0, basepri
	mrs	r1, primask
	orrs	r0, r1
	it	ne
	movne	r0, #1
	bx	lr

	function arch_wait
	dsb
	wfi
	bx	lr

/* bool arch_peek32(uintptr_t address, uint32_t *value): fault_cortexm.c moves the PC from _try to
 * _fixup when the load faults. */
	function arch_peek32
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
