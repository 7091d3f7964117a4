/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whole-cache operations for start-up and restart. QEMU has no caches: this is written from the
 * manuals (ARM926EJ-S TRM "Cache operations register"; ARM ARM v7-A B3.18 "set/way") and reviewed,
 * not proved by a run.
 */
	.syntax unified
	.arm
	.section .text.start, "ax"

	.global	arm_cache_invalidate
	.type	arm_cache_invalidate, %function
arm_cache_invalidate:
#if __ARM_ARCH >= 7
	mov	r12, #0				/* 0: invalidate */
	b	set_way_loop
#else
	mov	r0, #0
	mcr	p15, 0, r0, c7, c7, 0		/* I and D caches */
	mcr	p15, 0, r0, c8, c7, 0		/* TLBs */
	bx	lr
#endif

	.global	arm_cache_clean_invalidate
	.type	arm_cache_clean_invalidate, %function
arm_cache_clean_invalidate:
#if __ARM_ARCH >= 7
	mov	r12, #1				/* 1: write back first */
#else
1:	mrc	p15, 0, apsr_nzcv, c7, c14, 3	/* test, clean and invalidate a line */
	bne	1b
	mov	r0, #0
	mcr	p15, 0, r0, c7, c10, 4		/* drain the write buffer */
	mcr	p15, 0, r0, c7, c7, 0
	bx	lr
#endif

#if __ARM_ARCH >= 7
/* Every set and way of the level 1 data cache; r12 chooses the operation. Then the instruction
 * side, branch predictor and TLB. Uses r0-r3 and r12 only: there is no stack yet. */
set_way_loop:
	mov	r0, #0
	mcr	p15, 2, r0, c0, c0, 0		/* CSSELR: level 1, data */
	isb
	mrc	p15, 1, r0, c0, c0, 0		/* CCSIDR */
	ubfx	r2, r0, #3, #10			/* last way */
1:	mrc	p15, 1, r0, c0, c0, 0
	ubfx	r3, r0, #13, #15		/* last set */
2:	mrc	p15, 1, r0, c0, c0, 0
	and	r0, r0, #7
	add	r0, r0, #4			/* log2 of the line length */
	lsl	r1, r3, r0
	mrc	p15, 1, r0, c0, c0, 0
	ubfx	r0, r0, #3, #10
	clz	r0, r0				/* the way number sits at the top of the word */
	orr	r1, r1, r2, lsl r0
	cmp	r12, #0
	mcreq	p15, 0, r1, c7, c6, 2		/* DCISW */
	mcrne	p15, 0, r1, c7, c14, 2		/* DCCISW */
	subs	r3, r3, #1
	bpl	2b
	subs	r2, r2, #1
	bpl	1b
	dsb
	mov	r0, #0
	mcr	p15, 0, r0, c7, c5, 0		/* ICIALLU */
	mcr	p15, 0, r0, c7, c5, 6		/* BPIALL */
	mcr	p15, 0, r0, c8, c7, 0		/* TLBIALL */
	dsb
	isb
	bx	lr
#endif

/* void arm_restart(void): caches written back and off, MMU off, then the entry. Runs in the flat
 * map, so the address of the next instruction stays the same when the MMU goes off. */
	.global	arm_restart
	.type	arm_restart, %function
arm_restart:
	msr	cpsr_c, #0xd3			/* SVC, I and F masked */
	mrc	p15, 0, r0, c1, c0, 0
	bic	r0, r0, #0x00000004		/* C first: nothing new gets dirty */
	mcr	p15, 0, r0, c1, c0, 0
	bl	arm_cache_clean_invalidate
	mrc	p15, 0, r0, c1, c0, 0
	bic	r0, r0, #0x00001000		/* I */
	bic	r0, r0, #0x00000001		/* M */
	mcr	p15, 0, r0, c1, c0, 0
	b	_start
