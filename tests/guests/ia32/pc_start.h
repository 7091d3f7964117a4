/* SPDX-License-Identifier: BSD-2-Clause */
/* What a firmware of a PC does first, by multiboot (an assembler file includes this). */
#ifndef PC_START_H
#define PC_START_H

/* The header for the loader. */
	.macro	multiboot
	.balign	4
	.long	0x1badb002, 0, -0x1badb002
	.endm

/* Flat segments, without interrupts. */
	.macro	flat_segments
	cli
	lgdt	gdt_pointer
	ljmp	$8, $1f
1:	mov	$16, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%eax, %fs
	mov	%eax, %gs
	.endm

/* Pages of 4 MB: the first one is absent, the next seven are RAM. `bits` come beside PSE into cr4. */
	.macro	paging bits
	mov	$1, %ecx
2:	mov	%ecx, %eax
	shl	$22, %eax
	or	$0x83, %eax
	mov	%eax, pages(, %ecx, 4)
	inc	%ecx
	cmp	$8, %ecx
	jb	2b
	mov	%cr4, %eax
	or	$0x10 | \bits, %eax	/* PSE */
	mov	%eax, %cr4
	mov	$pages, %eax
	mov	%eax, %cr3
	mov	%cr0, %eax
	or	$0x80010000, %eax	/* PG, WP */
	mov	%eax, %cr0
	.endm

/* Code and data of ring 0 for flat_segments. */
	.macro	descriptors
	.balign	8
gdt:	.quad	0, 0x00cf9a000000ffff, 0x00cf92000000ffff
gdt_pointer:
	.word	. - gdt - 1
	.long	gdt
	.endm

#endif
