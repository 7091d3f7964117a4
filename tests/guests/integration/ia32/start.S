/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up by multiboot: flat segments, pages of 4 MB of which the first one is absent, gates for
 * exceptions that end QEMU, and for the timer. */
	.section .text.start, "ax"
	.balign	4
	.long	0x1badb002, 0, -0x1badb002
	.globl	_start
_start:
	cli
	lgdt	gdt_pointer
	ljmp	$8, $1f
1:	mov	$16, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%eax, %fs
	mov	%eax, %gs
	mov	$stack_end, %esp
	mov	$1, %ecx
2:	mov	%ecx, %eax
	shl	$22, %eax
	or	$0x83, %eax
	mov	%eax, pages(, %ecx, 4)
	inc	%ecx
	cmp	$8, %ecx
	jb	2b
	mov	%cr4, %eax
	or	$0x10, %eax	/* PSE */
	mov	%eax, %cr4
	mov	$pages, %eax
	mov	%eax, %cr3
	mov	%cr0, %eax
	or	$0x80010000, %eax	/* PG, WP */
	mov	%eax, %cr0
	mov	$exception, %eax
	mov	$idt, %edi
	mov	$32, %ecx
3:	call	gate
	dec	%ecx
	jnz	3b
	mov	$timer, %eax
	call	gate
	lidt	idt_pointer
	call	main

	/* An interrupt gate for eax at edi. */
gate:	movw	%ax, (%edi)
	movw	$8, 2(%edi)
	mov	%eax, %edx
	mov	$0x8e00, %dx
	mov	%edx, 4(%edi)
	add	$8, %edi
	ret

exception:
	mov	$3, %al
	out	%al, $0xf4
	jmp	exception

	.text
	.globl	timer
	.type	timer, @function
timer:	pusha
	cld
	call	tick
	popa
	iret
	.size	timer, . - timer

	.data
	.balign	8
gdt:	.quad	0, 0x00cf9a000000ffff, 0x00cf92000000ffff
gdt_pointer:
	.word	. - gdt - 1
	.long	gdt
	.balign	4
idt_pointer:
	.word	33*8 - 1
	.long	idt

	.bss
	.balign	4096
pages:	.space	4096
idt:	.space	33*8
	.balign	16
	.space	16384
stack_end:

	.section .note.GNU-stack, "", @progbits
