/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of an image that moves itself: copy the loaded image by MOVED bytes, apply the table of
 * tests/lib/tools/relocations.py to the copy, overwrite the original, go on in the copy.
 */
#define STATUS $12

	.set	noreorder
	.section .text.start, "ax"

	/* The end of what is loaded: the bytes of .data stand last. */
	.macro	load_end to
	la	\to, __data_end
	la	$25, __data_start
	subu	\to, \to, $25
	la	$25, __data_load
	addu	\to, \to, $25
	.endm

	.global	relocate_start
	.type	relocate_start, @function
relocate_start:
	mtc0	$0, STATUS
	la	$8, __text_start		/* as linked: this is the original */
	load_end $9
	li	$12, DEMO_MOVED
1:	lw	$10, 0($8)
	addu	$11, $8, $12
	sw	$10, 0($11)
	addiu	$8, $8, 4
	sltu	$10, $8, $9
	bnez	$10, 1b
	nop

	/* Words of the table: kind in the upper four bits, then the bytes from the text's start. */
	la	$13, __relocations_start
	la	$8, __text_start
	addu	$8, $8, $12
2:	lw	$10, 0($13)
	beqz	$10, 6f
	addiu	$13, $13, 4
	srl	$11, $10, 28
	sll	$10, $10, 4
	srl	$10, $10, 4
	addu	$10, $10, $8
	lw	$14, 0($10)
	addiu	$11, $11, -1
	beqz	$11, 5f				/* 1: a word */
	addu	$15, $14, $12
	addiu	$11, $11, -1
	beqz	$11, 4f				/* 2: the upper half of an address */
	srl	$24, $12, 16
	srl	$24, $12, 2			/* 3: the target of a jump */
	addu	$15, $14, $24
	lui	$24, 0x03ff
	ori	$24, $24, 0xffff
	b	3f
	nop
4:	addu	$15, $14, $24
	ori	$24, $0, 0xffff
3:	and	$15, $15, $24			/* the instruction's other bits stay */
	nor	$24, $24, $0
	and	$14, $14, $24
	or	$15, $15, $14
5:	b	2b
	sw	$15, 0($10)

6:	move	$4, $8
	la	$5, __text_start
	load_end $9
	bal	mips_cache_sync
	subu	$5, $9, $5
	la	$8, moved
	li	$12, DEMO_MOVED
	addu	$8, $8, $12
	jr	$8
	nop

moved:						/* in the copy: its addresses have been relocated */
	la	$8, __text_start
	load_end $9
	li	$12, DEMO_MOVED
	subu	$8, $8, $12
	subu	$9, $9, $12
	li	$10, -1				/* reserved: nothing may still use the original */
7:	sw	$10, 0($8)
	addiu	$8, $8, 4
	sltu	$11, $8, $9
	bnez	$11, 7b
	nop
	la	$4, __text_start
	subu	$4, $4, $12
	bal	mips_cache_sync
	subu	$5, $9, $4
	la	$8, _start
	jr	$8
	nop

	/* Filled in the linked image. */
	.section .moved_table, "a"
	.space	0x20000
