/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and task switch, IA32 in ring 0.
 *
 * The gates lead to arch_vectors. The CPU keeps eip, cs and eflags on the stack of the interrupted code. The
 * entry saves the context where arch_save says: into task_current->context (first member of struct task), or,
 * in the kernel, where an exception is the end, into arch_fatal_context. The kernel runs on one stack.
 * Exceptions do not nest. Nothing of it is live where a probe would be refused.
 */
#include "arch_cpu.h"

#define EFLAGS_IF 0x200

	.cfi_sections .debug_frame

	.macro	function name
	.global	\name
	.type	\name, @function
\name:
	.cfi_startproc
	.endm
	.macro	end name
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.section .text.vectors, "ax"
	.balign	VECTOR_BYTES
	.global	arch_vectors
	.type	arch_vectors, @function
arch_vectors:
	.set	n, 0
	.rept	VECTORS
	.balign	VECTOR_BYTES
	.if	n < 8 || n == 9 || n == 15 || n == 16 || n > 17
	push	$0	/* the CPU has pushed no error code */
	.endif
	push	$n
	jmp	arch_exception
	.set	n, n + 1
	.endr
	.size	arch_vectors, . - arch_vectors

	/* Words from esp: vector, error code, eip, cs, eflags. */
	.global	arch_exception
	.type	arch_exception, @function
arch_exception:
	pusha
	cld
	mov	arch_save, %edx
	.irp	offset, CONTEXT_EDI, CONTEXT_ESI, CONTEXT_EBP, CONTEXT_ESP, CONTEXT_EBX, CONTEXT_EDX, CONTEXT_ECX, CONTEXT_EAX
	popl	\offset(%edx)
	.endr
	pop	%eax
	pop	%ecx
	popl	CONTEXT_PC(%edx)
	popl	CONTEXT_CS(%edx)
	popl	CONTEXT_EFLAGS(%edx)
	mov	%esp, CONTEXT_ESP(%edx)
	mov	(%esp), %ebx
	mov	%ebx, CONTEXT_LR(%edx)
	cmp	$arch_fatal_context, %edx
	je	fatal
	movl	$arch_fatal_context, arch_save
	mov	$__stack_exception_end, %esp
	cmp	$VECTOR_TRAP, %eax
	je	trap
	cmp	$VECTOR_INTERRUPT, %eax
	jae	interrupt
	sub	$4, %esp	/* aligned to 16 */
	push	%edx
	push	%ecx
	push	%eax
	call	arch_fault_task
	jmp	resume
interrupt:
	call	kernel_irq
	jmp	resume
trap:
	call	kernel_trap
	/* fall through */

	.type	resume, @function
resume:
	mov	task_current, %edx
	mov	%edx, arch_save
	mov	CONTEXT_ESP(%edx), %esp
	pushl	CONTEXT_EFLAGS(%edx)
	pushl	CONTEXT_CS(%edx)
	pushl	CONTEXT_PC(%edx)
	mov	CONTEXT_EDI(%edx), %edi
	mov	CONTEXT_ESI(%edx), %esi
	mov	CONTEXT_EBP(%edx), %ebp
	mov	CONTEXT_EBX(%edx), %ebx
	mov	CONTEXT_ECX(%edx), %ecx
	mov	CONTEXT_EAX(%edx), %eax
	mov	CONTEXT_EDX(%edx), %edx
	iret

	/* Not in a task: tell, on a stack that is surely there. */
fatal:
	mov	$__stack_boot_end - 4, %esp
	push	%edx
	push	%ecx
	push	%eax
	call	arch_fault_fatal

	.global	arch_start
	.type	arch_start, @function
arch_start:
	jmp	resume

	.text

	function arch_trap
	int	$VECTOR_TRAP
	ret
	end	arch_trap

/* The locks of the kernel can be probed. What the agent calls in a hit masks interrupts too, by
 * functions of its own: BOARD_HIT_PATH. */
	.macro	irq_locks name
	function \name\()_save
	pushf
	.cfi_adjust_cfa_offset 4
	pop	%eax
	.cfi_adjust_cfa_offset -4
	and	$EFLAGS_IF, %eax
	cli
	ret
	end	\name\()_save

	function \name\()_restore
	testl	$EFLAGS_IF, 4(%esp)
	jz	1f
	sti
1:	ret
	end	\name\()_restore
	.endm

	.section dprobes_text, "ax"
	irq_locks arch_hit_irq

	.text
	irq_locks arch_irq

	function arch_irq_masked
	pushf
	.cfi_adjust_cfa_offset 4
	pop	%eax
	.cfi_adjust_cfa_offset -4
	and	$EFLAGS_IF, %eax
	sete	%al
	ret
	end	arch_irq_masked

	/* hlt alone would sleep for ever with interrupts masked; none comes between sti and hlt. */
	function arch_wait
	pushf
	.cfi_adjust_cfa_offset 4
	sti
	hlt
	popf
	.cfi_adjust_cfa_offset -4
	ret
	end	arch_wait

/* bool arch_peek32(uintptr_t address, uint32_t *value): fault_ia32.c moves the PC from _try to
 * _fixup when the load faults. */
	function arch_peek32
	mov	4(%esp), %eax
	mov	8(%esp), %ecx
	.global	arch_peek_try
arch_peek_try:
	mov	(%eax), %eax
	mov	%eax, (%ecx)
	mov	$1, %eax
	ret
	.global	arch_peek_fixup
arch_peek_fixup:
	xor	%eax, %eax
	ret
	end	arch_peek32

	.data
	.balign	4
	/* In the kernel, where an exception is the end. */
	.global	arch_save
arch_save:
	.long	arch_fatal_context

	.bss
	.balign	16
	.global	arch_fatal_context
arch_fatal_context:
	.space	CONTEXT_BYTES

	.section .note.GNU-stack, "", @progbits
