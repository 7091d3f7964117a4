/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up by multiboot, gates, and the way to ring 3 and back. The text is in pages of 4 KB that a
 * user may access, but for .secret; .rom takes no write. Page 0 is absent. */
#include "../../../../boards/cpu/ia32/pc_start.inc"

#define USER_CODE 0x1b
#define USER_DATA 0x23
#define TASK      0x28
#define TABLE_AT  0x400000

	.section .text.start, "ax"
	multiboot
	.globl	_start
_start:
	flat_segments
	mov	$stack_end, %esp
	paging	0
	call	user_pages
	mov	$segment_based, %eax
	mov	%ax, based + 2
	shr	$16, %eax
	mov	%al, based + 4
	mov	%ah, based + 7
	mov	$based_text, %eax
	mov	%ax, based_code + 2
	shr	$16, %eax
	mov	%al, based_code + 4
	mov	%ah, based_code + 7
	mov	$task, %eax
	mov	%ax, task_segment + 2
	shr	$16, %eax
	mov	%al, task_segment + 4
	mov	%ah, task_segment + 7
	mov	$TASK, %eax
	ltr	%ax
	mov	$stubs, %eax
	mov	$idt, %edi
	mov	$32, %ecx
3:	call	gate
	add	$16, %eax
	dec	%ecx
	jnz	3b
	mov	$timer, %eax
	call	gate
	mov	$system_call, %eax
	call	gate
	orl	$0x6000, -4(%edi)	/* for ring 3 */
	orl	$0x6000, idt + 4*8 + 4	/* into; int3 is not for ring 3 */
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

	/* Pages of 4 KB for the text. */
user_pages:
	mov	$TABLE_AT, %eax
	mov	$table, %edi
1:	mov	%eax, %edx
	or	$7, %edx
	cmp	$__rom_start, %eax
	jb	2f
	cmp	$__rom_end, %eax
	jae	2f
	and	$~2, %edx
2:	cmp	$__secret_start, %eax
	jb	3f
	cmp	$__secret_end, %eax
	jae	3f
	and	$~4, %edx
3:	mov	%edx, (%edi)
	add	$4, %edi
	add	$0x1000, %eax
	cmp	$2*TABLE_AT, %eax
	jb	1b
	movl	$table + 7, pages + 4
	movl	$0x01c00087, pages + 4*32	/* data of the task at 0x8000000 */
	mov	%cr3, %eax
	mov	%eax, %cr3
	ret

	.text
	.balign	16
stubs:
	.set	n, 0
	.rept	32
	.balign	16
	.if	n < 8 || n == 9 || n == 15 || n == 16 || n > 17
	push	$0
	.endif
	push	$n
	jmp	exception
	.set	n, n + 1
	.endr

	/* struct trap: 8 registers, vector, error, eip, cs, eflags */
exception:
	pusha
	cld
	push	%esp
	call	fault
	pop	%eax
	popa
	add	$8, %esp
	iret

	.globl	timer
	.type	timer, @function
timer:	pusha
	cld
	call	tick
	popa
	iret
	.size	timer, . - timer

	/* void in_ring_3(void (*entry)(void)): until it says int $0x21 */
	.globl	in_ring_3
in_ring_3:
	mov	4(%esp), %eax
	pusha
	pushf
	mov	%esp, kernel_esp
	pushl	$USER_DATA
	pushl	$user_stack_end
	pushl	$0x202
	pushl	$USER_CODE
	pushl	%eax
	mov	$USER_DATA, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %fs
	mov	$0x33, %eax	/* the segment with a base */
	mov	%eax, %gs
	iret

system_call:
	mov	$0x10, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %fs
	mov	%eax, %gs
	mov	kernel_esp, %esp
	popf
	popa
	ret

	.data
	.balign	8
gdt:	.quad	0, 0x00cf9a000000ffff, 0x00cf92000000ffff, 0x00cffa000000ffff, 0x00cff2000000ffff
task_segment:
	.quad	0x0000890000000067
based:	.quad	0x0000f20000000fff
based_code:
	.quad	0x0040fa0000000fff
gdt_pointer:
	.word	. - gdt - 1
	.long	gdt
	.balign	4
idt_pointer:
	.word	34*8 - 1
	.long	idt
	.balign	128
task:	.long	0, task_stack_end, 0x10
	.space	0x66 - 12
	.word	0x68	/* no port is for ring 3 */

	.bss
	.balign	4096
	.globl	pages
pages:	.space	4096
table:	.space	4096
idt:	.space	34*8
kernel_esp:
	.space	4
	.balign	16
	.space	16384
stack_end:
	.space	8192
task_stack_end:
	.space	4096
user_stack_end:

	.section .note.GNU-stack, "", @progbits
