/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up by multiboot, and the guest's own exception handler: the "firmware" that the port must hand
 * exceptions to with nothing changed. Pages of 4 MB: the first one is absent, the next seven are RAM. */
#include "guest.h"
#include "../../../boards/cpu/ia32/pc_start.inc"

	.section .text.start, "ax"
	multiboot
	.globl	_start
_start:
	flat_segments
	mov	$__bss_start, %edi
	mov	$__bss_end, %ecx
	sub	%edi, %ecx
	xor	%eax, %eax
	rep stosb
	mov	$stack_end, %esp
	/* no interrupts of the PC */
	mov	$0xff, %al
	out	%al, $0x21
	out	%al, $0xa1
	/* page directory */
	paging	0x200	/* OSFXSR */
	/* interrupt gates; a trap gate for page faults */
	mov	$stubs, %eax
	mov	$guest_idt, %edi
	mov	$20, %ecx
3:	movw	%ax, (%edi)
	movw	$8, 2(%edi)
	mov	%eax, %edx
	mov	$0x8e00, %dx
	mov	%edx, 4(%edi)
	add	$16, %eax
	add	$8, %edi
	dec	%ecx
	jnz	3b
	orl	$0x100, guest_idt + 14*8 + 4
	lidt	idt_pointer
	fninit
	call	guest_main

	.text
	/* void run(const struct state *in, struct state *out) */
	.globl	run
run:
	mov	4(%esp), %eax
	mov	8(%esp), %ecx
	mov	%ecx, runner_out
	push	%ebp
	push	%ebx
	push	%esi
	push	%edi
	pushf
	mov	%esp, runner_esp
	frstor	STATE_X87(%eax)
	movups	STATE_XMM(%eax), %xmm0
	movups	STATE_XMM+16(%eax), %xmm1
	mov	12(%eax), %esp
	pushl	STATE_EFLAGS(%eax)
	push	$8
	pushl	STATE_PC(%eax)
	mov	(%eax), %edi
	mov	4(%eax), %esi
	mov	8(%eax), %ebp
	mov	16(%eax), %ebx
	mov	20(%eax), %edx
	mov	24(%eax), %ecx
	mov	28(%eax), %eax
	iret

	.balign	16
stubs:
	.set	n, 0
	.rept	20
	.balign	16
	.if	n < 10 || n == 15 || n == 16 || n > 17
	push	$0
	.endif
	push	$n
	jmp	handler
	.set	n, n + 1
	.endr

	/* 8 registers, vector, error, eip, cs, eflags */
handler:
	pusha
	pushf
	pop	%ebx
	cld
	push	%ds
	push	%es
	push	%fs
	push	%gs
	mov	%ss, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %fs
	mov	%eax, %gs
	mov	runner_out, %edi
	fnsave	STATE_X87(%edi)
	movups	%xmm0, STATE_XMM(%edi)
	movups	%xmm1, STATE_XMM+16(%edi)
	add	$STATE_SEGMENTS, %edi
	mov	$4, %ecx
1:	pop	%eax
	movzwl	%ax, %eax
	stosl
	loop	1b
	mov	runner_out, %edi
	mov	%esp, %esi
	mov	$8, %ecx
	rep movsl
	lea	52(%esp), %esi
	mov	runner_out, %edi
	mov	%esi, 12(%edi)
	mov	32(%esp), %eax
	mov	%eax, STATE_VECTOR(%edi)
	mov	36(%esp), %eax
	mov	%eax, STATE_ERROR(%edi)
	mov	40(%esp), %eax
	mov	%eax, STATE_PC(%edi)
	mov	48(%esp), %eax
	mov	%eax, STATE_EFLAGS(%edi)
	mov	%cr2, %eax
	mov	%eax, STATE_CR2(%edi)
	and	$0x200, %ebx
	mov	%ebx, STATE_LIVE_IF(%edi)
	add	$STATE_STACK, %edi
	mov	$STACK_KEPT, %ecx
	rep movsl
	mov	runner_esp, %esp
	popf
	pop	%edi
	pop	%esi
	pop	%ebx
	pop	%ebp
	ret

	/* void say(const char *): com1, polled */
	.globl	say
say:
	mov	4(%esp), %ecx
1:	movzbl	(%ecx), %eax
	test	%al, %al
	jz	3f
	mov	%eax, %edx
	push	%edx
2:	mov	$0x3fd, %edx
	in	%dx, %al
	test	$0x20, %al
	jz	2b
	pop	%eax
	mov	$0x3f8, %edx
	out	%al, %dx
	inc	%ecx
	jmp	1b
3:	ret

	/* void stop(int status): isa-debug-exit, (status << 1 | 1) is that of QEMU */
	.globl	stop
stop:
	mov	4(%esp), %eax
	out	%al, $0xf4
1:	jmp	1b

	.data
	descriptors
	.balign	4
idt_pointer:
	.word	20*8 - 1
	.long	guest_idt

	.bss
	.balign	4096
pages:	.space	4096
	.globl	guest_idt
guest_idt:
	.space	20*8
	.balign	64
	.globl	case_stack
case_stack:
	.space	4*STACK_WORDS
runner_out:
	.space	4
runner_esp:
	.space	4
	.balign	16
	.space	16384
stack_end:

	.section .note.GNU-stack, "", @progbits
