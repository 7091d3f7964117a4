/* SPDX-License-Identifier: BSD-2-Clause */
/* IA32: a probed instruction of each kind. State: the registers in the order of pusha, then eflags. */
	.text

	.macro	case name
	.balign	16
	.globl	case_\name
	.type	case_\name, @function
case_\name:
	.endm

	/* Two instructions that show what the first has done, and the way back. */
	.macro	way_back
	add	%ecx, %ebx
	xor	%edx, %ebx
	jmp	guest_return
	.endm

	case	load			/* copied, with a jump back; may fault */
	mov	4(%edi), %ecx
	way_back
	case	one_trap		/* copied, with a jump back behind it */
	sub	%ebx, %edx
	way_back
	case	store
	mov	%edx, 8(%edi)
	way_back
	case	atomic
	lock xadd %edx, 12(%edi)
	way_back
	case	string			/* an interrupt may come between two elements */
	rep movsl
	way_back
	case	branch			/* taken; emulated */
	jne	1f
	add	$3, %edx
1:	way_back
	case	loop			/* taken */
	loop	1f
	add	$3, %edx
1:	way_back
	case	call
	call	1f
	nop
1:	pop	%ecx
	way_back
	case	return
	ret
	nop
	case	jump
	jmp	*%eax
	nop
	.globl	guest_target
guest_target:
	way_back
	case	push
	push	%edx
	pop	%ecx
	way_back
	case	status			/* reads the interrupt mask */
	pushf
	pop	%ecx
	way_back
	case	unmask			/* writes it */
	sti
	way_back
	case	fault			/* for the firmware's own handler */
	.globl	guest_fault_site
guest_fault_site:
	mov	4(%ebp), %ecx
	way_back

	/* void guest_run(const struct state *in, struct state *out, uintptr_t entry, count, odd) */
	.globl	guest_run
	.type	guest_run, @function
guest_run:
	mov	8(%esp), %eax
	mov	%eax, out
	mov	12(%esp), %eax
	mov	%eax, entry
	mov	16(%esp), %eax
	mov	%eax, left
	mov	4(%esp), %eax
	mov	20(%esp), %ecx
	push	%ebp
	push	%ebx
	push	%esi
	push	%edi
	mov	%esp, kept
	neg	%ecx
	add	$1f, %ecx
	jmp	*%ecx
	nop
	nop
	nop
1:	mov	(%eax), %edi
	mov	4(%eax), %esi
	mov	8(%eax), %ebp
	mov	12(%eax), %esp
	mov	16(%eax), %ebx
	mov	20(%eax), %edx
	mov	24(%eax), %ecx
	pushl	32(%eax)
	mov	28(%eax), %eax
	.globl	guest_delay
guest_delay:
	decl	left
	nop
	nop
	jnz	guest_delay
	popf
	jmp	*entry
	.globl	guest_delay_end
guest_delay_end:

	.globl	guest_return
	.type	guest_return, @function
guest_return:
	mov	%eax, entry
	mov	out, %eax
	mov	%edi, (%eax)
	mov	%esi, 4(%eax)
	mov	%ebp, 8(%eax)
	mov	%esp, 12(%eax)
	mov	%ebx, 16(%eax)
	mov	%edx, 20(%eax)
	mov	%ecx, 24(%eax)
	mov	entry, %ecx
	mov	%ecx, 28(%eax)
	.globl	guest_return_end
guest_return_end:
	pushf
	popl	32(%eax)
	mov	kept, %esp
	pop	%edi
	pop	%esi
	pop	%ebx
	pop	%ebp
	ret

	.section .rodata
	.macro	row name
	.section .rodata.names, "a"
9:	.asciz	"\name"
	.section .rodata
	.long	9b, case_\name, case_\name
	.endm
	.globl	arrival_cases
	.balign	4
arrival_cases:
	.irp	n, load, one_trap, store, atomic, string, branch, loop, call, return, jump, push, status, unmask, fault
	row	\n
	.endr
	.globl	arrival_case_count
arrival_case_count:
	.long	(arrival_case_count - arrival_cases) / 12

	.bss
	.balign	4
out:	.space	4
entry:	.space	4
left:	.space	4
kept:	.space	4

	.section .note.GNU-stack, "", @progbits
