/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of the IA32 boards by multiboot: flat segments, initialised RAM, pages, exceptions to arch_vectors, C.
 *
 * Also the target of board_restart_warm: everything written at run time except .noinit is written anew
 * here, the IDT included (an agent may have changed its gates).
 */
#include "arch_cpu.h"
#include "ia32_board.h"
#include "pc_start.inc"

#define RAM_END 5	/* page of 4 MB behind the RAM of link.ld */
#define PAGING  0x80000000
#define PAGE_DEVICE 0x13	/* present, writable, not cached */

	.section .text.start, "ax"
	multiboot
	.global	_start
	.type	_start, @function
_start:
	cli
	cld
	mov	%cr0, %eax	/* a warm restart comes with pages */
	and	$~PAGING, %eax
	mov	%eax, %cr0
	flat_segments
	mov	$__data_load, %esi
	mov	$__data_start, %edi
	mov	$__data_end, %ecx
	sub	%edi, %ecx
	shr	$2, %ecx
	rep movsl
	mov	$__bss_start, %edi
	mov	$__bss_end, %ecx
	sub	%edi, %ecx
	shr	$2, %ecx
	xor	%eax, %eax
	rep stosl

	mov	$device_pages + 3, %eax
	mov	%eax, pages + 4*(IA32_HPET >> 22)
	movl	$IA32_HPET + PAGE_DEVICE, device_pages + 4*(IA32_HPET >> 12 & 0x3ff)
	paging	0, RAM_END

	mov	$arch_vectors, %eax
	mov	$idt, %edi
	mov	$VECTORS, %ecx
1:	mov	%eax, %edx
	movw	%ax, (%edi)
	movw	$SEGMENT_CODE, 2(%edi)
	movw	$0x8e00, %dx	/* an interrupt gate of ring 0 */
	mov	%edx, 4(%edi)
	add	$VECTOR_BYTES, %eax
	add	$8, %edi
	dec	%ecx
	jnz	1b
	lidt	idt_pointer
	mov	$__stack_boot_end, %esp
	call	kernel_main

	/* void ia32_restart(void) */
	.global	ia32_restart
	.type	ia32_restart, @function
ia32_restart:
	jmp	_start

	descriptors
idt_pointer:
	.word	8*VECTORS - 1
	.long	idt

	.bss
	.balign	4096
pages:	.space	4096
device_pages:
	.space	4096
	.balign	8
idt:	.space	8*VECTORS

	.section .note.GNU-stack, "", @progbits
