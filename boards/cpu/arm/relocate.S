/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of an image that moves itself: copy the loaded image by MOVED bytes, apply the linker's
 * R_ARM_RELATIVE records to the copy, overwrite the original, go on in the copy. The image is linked
 * with -pie; its first instructions are loaded where it was linked.
 */
	.syntax unified
	.arm
	.section .text.start, "ax"

	.equ	R_ARM_RELATIVE, 23

	/* The end of what is loaded: the bytes of .data stand last. */
	.macro	load_end to, start, end
	ldr	\to, =__data_load
	ldr	\start, =__data_start
	ldr	\end, =__data_end
	sub	\end, \end, \start
	add	\to, \to, \end
	.endm

	.global	relocate_start
	.type	relocate_start, %function
relocate_start:
	mrc	p15, 0, r0, c0, c0, 5		/* only core 0, as in start.S */
	tst	r0, #0xff
1:	wfine
	bne	1b
	ldr	r4, =DEMO_MOVED
	ldr	r0, =__text_start		/* as linked: this is the original */
	load_end r1, r2, r3
2:	ldr	r2, [r0]
	str	r2, [r0, r4]
	add	r0, r0, #4
	cmp	r0, r1
	blo	2b

	/* Records of .data mean the place where start.S copies .data from. */
	ldr	r0, =__relocations_start
	ldr	r1, =__relocations_end
	ldr	r5, =__data_start
	ldr	r6, =__data_end
	ldr	r7, =__data_load
	sub	r7, r7, r5
3:	cmp	r0, r1
	bhs	4f
	ldmia	r0!, {r2, r3}
	cmp	r3, #R_ARM_RELATIVE
	bne	.				/* a record that nobody thought of */
	cmp	r2, r5
	cmphs	r6, r2
	addhi	r2, r2, r7
	ldr	r3, [r2, r4]
	add	r3, r3, r4
	str	r3, [r2, r4]
	b	3b

4:	adr	r0, moved
	add	r0, r0, r4
	bx	r0

moved:						/* in the copy: its literals have been relocated */
	ldr	r0, =__text_start
	load_end r1, r2, r3
	ldr	r4, =DEMO_MOVED
	sub	r0, r0, r4
	sub	r1, r1, r4
	mvn	r2, #0				/* nothing may still use the original */
5:	cmp	r0, r1
	strlo	r2, [r0], #4
	blo	5b
	b	_start
	.ltorg
