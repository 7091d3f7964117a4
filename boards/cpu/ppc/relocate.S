/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of an image that moves itself: copy the loaded image by MOVED bytes, apply the table of
 * tests/lib/tools/relocations.py to the copy, overwrite the original, go on in the copy. The loader
 * has mapped both places.
 */
	.macro	address reg, symbol
	lis	\reg, \symbol@ha
	addi	\reg, \reg, \symbol@l
	.endm

	/* The end of what is loaded: the bytes of .data stand last. */
	.macro	load_end to
	address	\to, __data_end
	address	12, __data_start
	subf	\to, 12, \to
	address	12, __data_load
	add	\to, \to, 12
	.endm

	.section .text.start, "ax"

	.global	relocate_start
	.type	relocate_start, @function
relocate_start:
	address	3, __text_start		/* as linked: this is the original */
	load_end 4
	lis	5, DEMO_MOVED >> 16
1:	lwz	6, 0(3)
	stwx	6, 3, 5
	addi	3, 3, 4
	cmplw	3, 4
	blt	1b

	/* Words of the table: kind in the upper four bits, then the bytes from the text's start. */
	address	7, __relocations_start
	address	3, __text_start
	add	3, 3, 5
2:	lwz	6, 0(7)
	addi	7, 7, 4
	cmplwi	6, 0
	beq	5f
	srwi	8, 6, 28
	clrlwi	6, 6, 4
	lwzx	9, 3, 6
	cmplwi	8, 2
	blt	4f			/* 1: a word */
	beq	3f			/* 2: the upper half of an address */
	add	10, 9, 5		/* 3: the target of a branch */
	rlwimi	9, 10, 0, 6, 29
	b	6f
3:	srwi	10, 5, 16
	add	10, 9, 10
	rlwimi	9, 10, 0, 16, 31
	b	6f
4:	add	9, 9, 5
6:	stwx	9, 3, 6
	b	2b

5:	address	4, __text_start
	load_end 6
	subf	4, 4, 6
	bl	ppc_cache_sync
	address	3, moved
	lis	5, DEMO_MOVED >> 16
	add	3, 3, 5
	mtctr	3
	bctr

moved:					/* in the copy: its addresses have been relocated */
	address	3, __text_start
	load_end 4
	lis	5, DEMO_MOVED >> 16
	subf	3, 5, 3
	subf	4, 5, 4
	li	6, 0			/* illegal: nothing may still use the original */
7:	stw	6, 0(3)
	addi	3, 3, 4
	cmplw	3, 4
	blt	7b
	address	3, __text_start
	subf	3, 5, 3
	subf	4, 3, 4
	bl	ppc_cache_sync
	b	_start

	/* Filled in the linked image. */
	.section .moved_table, "a"
	.space	0x20000
