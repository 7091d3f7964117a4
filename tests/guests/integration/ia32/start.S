/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up by multiboot: flat segments, pages of 4 MB of which the first one is absent, gates for
 * exceptions that end QEMU, and for the timer. */
#include "../../../../boards/cpu/ia32/pc_start.inc"

	.section .text.start, "ax"
	multiboot
	.globl	_start
_start:
	flat_segments
	mov	$stack_end, %esp
	paging	0
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
	descriptors
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
