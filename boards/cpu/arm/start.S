/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of the ARM boards: park secondary cores, set up a stack per mode, initialise RAM, place
 * the vectors, turn the MMU on, go to C.
 *
 * Also the target of board_restart_warm: everything written at run time except .noinit is written
 * anew here, the vectors included (an agent may have hooked the old ones).
 */
#include "arm_modes.h"

	.syntax unified
	.arm
	.section .text.start, "ax"

	.global	_start
	.type	_start, %function
_start:
#if __ARM_ARCH >= 7
	/* An ELF given to QEMU starts on all cores at once: only core 0 may touch a stack. */
	mrc	p15, 0, r0, c0, c0, 5
	tst	r0, #0xff
	bne	park
	cpsid	if, #MODE_SVC
#else
	msr	cpsr_c, #MODE_SVC | PSR_I | PSR_F
#endif
	/* Low vectors, no MMU, no caches, exceptions in ARM state, whatever ran before. */
	mrc	p15, 0, r0, c1, c0, 0
	bic	r0, r0, #0x00003000		/* V, I */
	bic	r0, r0, #0x00000007		/* C, A, M */
	bic	r0, r0, #0x40000000		/* TE */
	mcr	p15, 0, r0, c1, c0, 0
	bl	arm_cache_invalidate

	.macro	mode_stack mode, symbol
	msr	cpsr_c, #\mode | PSR_I | PSR_F
	ldr	sp, =\symbol
	.endm
	mode_stack MODE_FIQ, __stack_fiq_end
	mode_stack MODE_IRQ, __stack_irq_end
	mode_stack MODE_ABT, __stack_abt_end
	mode_stack MODE_UND, __stack_und_end
	mode_stack MODE_SVC, __stack_svc_end
	mode_stack MODE_SYS, __stack_boot_end	/* C runs here until the first task */

	ldr	r0, =__data_load
	ldr	r1, =__data_start
	ldr	r2, =__data_end
1:	cmp	r1, r2
	ldrlo	r3, [r0], #4
	strlo	r3, [r1], #4
	blo	1b

	ldr	r1, =__bss_start
	ldr	r2, =__bss_end
	mov	r3, #0
2:	cmp	r1, r2
	strlo	r3, [r1], #4
	blo	2b

	/* The vectors and the literals they load travel together: 16 words. */
	ldr	r0, =vector_image
	ldr	r1, =__vectors
	ldmia	r0!, {r2-r9}
	stmia	r1!, {r2-r9}
	ldmia	r0!, {r2-r9}
	stmia	r1!, {r2-r9}
#if __ARM_ARCH >= 7
	ldr	r1, =__vectors
	mcr	p15, 0, r1, c12, c0, 0		/* VBAR */
	isb
#endif
#ifdef __ARM_FP
	mrc	p15, 0, r0, c1, c0, 2		/* CPACR: the library of this variant uses VFP */
	orr	r0, r0, #0x00f00000
	mcr	p15, 0, r0, c1, c0, 2
	isb
	mov	r0, #0x40000000
	fmxr	fpexc, r0
#endif
	bl	arm_mmu_on
	bl	kernel_main
	b	.

#if __ARM_ARCH >= 7
	.type	park, %function
park:	wfi
	b	park
#endif

	.section .text.exception, "ax"
	.align	5
vector_image:
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	ldr	pc, [pc, #24]
	.word	_start
	.word	arch_undef_entry
	.word	arch_svc_entry
	.word	arch_pabort_entry
	.word	arch_dabort_entry
	.word	_start
	.word	arch_irq_entry
	.word	arch_fiq_entry
