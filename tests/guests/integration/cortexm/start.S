/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors and start-up of a Cortex-M whose text lies in flash. One text for ARMv6-M and later. With
 * OWN_VECTORS the faults go to the handler of agent/guide/cortexm.md, else to the firmware's own,
 * which the agent finds in the table. */
	.syntax unified
	.thumb

	.macro	function name
	.global	\name
	.thumb_func
	.type	\name, %function
\name:
	.endm

#ifdef OWN_VECTORS
#define FAULT HardFault_Handler
#else
#define FAULT firmware_fault
#endif

	.section .vectors, "a"
	.word	__stack_end, _start, other
	.word	FAULT, FAULT, FAULT, FAULT
	.word	0, 0, 0, 0, other, other, 0, other, other
	.rept	VECTORS - 16
	.word	interrupt
	.endr

	.section .text.start, "ax"
	function _start
	ldr	r0, =__data_load
	ldr	r1, =__data_start
	ldr	r2, =__data_end
1:	cmp	r1, r2
	bhs	2f
	ldmia	r0!, {r3}
	stmia	r1!, {r3}
	b	1b
2:	ldr	r1, =__bss_start
	ldr	r2, =__bss_end
	movs	r3, #0
3:	cmp	r1, r2
	bhs	4f
	stmia	r1!, {r3}
	b	3b
4:	ldr	r0, =board_finish_write	/* in RAM */
	blx	r0
	ldr	r0, =main
	blx	r0
	function other
	b	.
	.ltorg
