/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of an image that moves itself: copy the loaded image by MOVED bytes, apply the table of
 * tests/lib/tools/relocations.py to the copy, overwrite the original, go on in the copy.
 */
	.section .text.start, "ax"

	/* The end of what is loaded: the bytes of .data stand last. */
	.macro	load_end to
	mov	$__data_end, \to
	sub	$__data_start, \to
	add	$__data_load, \to
	.endm

	.global	relocate_start
	.type	relocate_start, @function
relocate_start:
	cli
	cld
	mov	$__text_start, %esi		/* as linked: this is the original */
	mov	%esi, %edi
	add	$DEMO_MOVED, %edi
	mov	%edi, %edx
	load_end %ecx
	sub	%esi, %ecx
	shr	$2, %ecx
	rep movsl

	/* Words of the table: kind in the upper four bits, then the bytes from the text's start. The only kind is a word. */
	mov	$__relocations_start, %esi
1:	lodsl
	test	%eax, %eax
	jz	2f
	and	$0x0fffffff, %eax
	addl	$DEMO_MOVED, (%edx, %eax)
	jmp	1b
2:	mov	$moved, %eax
	add	$DEMO_MOVED, %eax
	jmp	*%eax

moved:						/* in the copy: its addresses have been relocated */
	mov	$__text_start, %edi
	load_end %ecx
	sub	%edi, %ecx
	shr	$2, %ecx
	sub	$DEMO_MOVED, %edi
	mov	$-1, %eax			/* reserved: nothing may still use the original */
	rep stosl
	jmp	_start

	/* Filled in the linked image. */
	.section .moved_table, "a"
	.space	0x10000
	.section .note.GNU-stack, "", @progbits
