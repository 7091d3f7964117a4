/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Vector table and entry of the Cortex-M boards: initialise RAM, set priorities, go to C with
 * interrupts masked by BASEPRI.
 *
 * Also the target of board_restart_warm: everything written at run time except .noinit is written
 * anew here, VTOR included (an agent may have another table).
 */
#include "cortexm_modes.h"

	.syntax unified
	.thumb

	.section .vectors, "a"
	.word	__stack_end
	.word	_start
	.word	arch_fault_entry	/* NMI */
	.word	arch_fault_entry
	.word	arch_fault_entry
	.word	arch_fault_entry
	.word	arch_fault_entry
	.word	0, 0, 0, 0
	.word	arch_svc_entry
	.word	0, 0
	.word	arch_pendsv_entry
	.word	arch_fault_entry	/* SysTick */
	.rept	VECTORS_OF_IRQS
	.word	arch_irq_entry
	.endr

	.section .text.start, "ax"
	.global	_start
	.thumb_func
	.type	_start, %function
_start:
	cpsid	i
	/* A watchpoint of an earlier run would stop the stores below. */
	movs	r0, #0
	ldr	r1, =SCS_MPU_CTRL
	str	r0, [r1]
	ldr	r0, =__vectors
	ldr	r1, =SCS_VTOR
	str	r0, [r1]
	dsb
	isb

	ldr	r0, =__data_load
	ldr	r1, =__data_start
	ldr	r2, =__data_end
1:	cmp	r1, r2
	bhs	2f
	ldr	r3, [r0], #4
	str	r3, [r1], #4
	b	1b
2:	ldr	r1, =__bss_start
	ldr	r2, =__bss_end
	movs	r3, #0
3:	cmp	r1, r2
	bhs	4f
	str	r3, [r1], #4
	b	3b

	/* No interrupt of an earlier run: none enabled, none pending. */
4:	ldr	r0, =NVIC_ICER
	ldr	r1, =NVIC_ICPR
	mov	r2, #-1
	movs	r3, #(VECTORS_OF_IRQS + 31) / 32
5:	str	r2, [r0], #4
	str	r2, [r1], #4
	subs	r3, #1
	bne	5b
	ldr	r0, =NVIC_IPR
	ldr	r1, =LEVEL_IRQ * 0x01010101
	movs	r3, #VECTORS_OF_IRQS / 4
6:	str	r1, [r0], #4
	subs	r3, #1
	bne	6b
	ldr	r0, =SCS_SHPR1
	ldr	r1, =LEVEL_FAULT * 0x00010101
	ldr	r2, =LEVEL_SVC << 24
	ldr	r3, =LEVEL_PENDSV << 16 | LEVEL_IRQ << 24
	stmia	r0!, {r1-r3}
	ldr	r0, =SCS_SHCSR
	ldr	r1, =FAULTS_ENABLED
	str	r1, [r0]
#ifdef __ARM_FP
	ldr	r0, =SCS_CPACR
	ldr	r1, =0x00f00000
	str	r1, [r0]
	dsb
	isb
#endif
	movs	r0, #LEVEL_IRQ
	msr	basepri, r0
	cpsie	i
	bl	kernel_main
7:	b	7b

	/* void cortexm_restart(void): the boot stack, then _start. In thread mode. */
	.global	cortexm_restart
	.thumb_func
	.type	cortexm_restart, %function
cortexm_restart:
	cpsid	i
	movs	r0, #0
	msr	control, r0
	isb
	ldr	r0, =__stack_end
	msr	msp, r0
	b	_start
	.ltorg
