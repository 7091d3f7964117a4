/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and exit.
 *
 * The IDT leads to the code of a gate (struct dp_ia32_gate), which comes here with the address of the gate
 * and an error code on the stack: in ring 0 the interrupted one, else that of the task state segment. The entry
 * saves the registers there, and builds the frame on the private stack: 52 bytes of the stack serve a hit in
 * ring 0, 60 one in another ring. Exceptions of virtual 8086 mode are the firmware's.
 */
#include "dp_port_cpu.h"

	.macro	push_frame_words from, to	/* of the frame at ebp, in the stack's segment */
	.set	n, \from
	.rept	\from - \to + 1
	pushl	4*n(%ebp)
	.set	n, n - 1
	.endr
	.endm

	/* The last words of the frame, and the call with it. */
	.macro	handle function
	push	%ds
	push	%es
	push	%fs
	push	%gs
	mov	%ss, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%esp, %ebp
	mov	4*DP_FRAME_GATE(%ebp), %eax
	movzbl	DP_GATE_VECTOR(%eax), %eax
	and	$-16, %esp
	sub	$8, %esp
	push	%ebp
	push	%eax
	call	\function
	.endm

	/* Segments of the frame at ebp, and the registers on the stack. */
	.macro	take_registers
	mov	12(%ebp), %ds
	mov	8(%ebp), %es
	mov	4(%ebp), %fs
	mov	(%ebp), %gs
	popa
	.endm

	.macro	take_registers_and_leave_error
	popa
	lea	4(%esp), %esp
	.endm

	/* To the firmware's handler: its address comes to the top of the stack by `take`. Its gate, at ebx, may leave interrupts on. */
	.macro	enter_handler take, flags
	cmpb	$0, %ss:DP_GATE_IS_TRAP(%ebx)
	je	1f
	testl	$DP_FLAG_IF, \flags
	jz	1f
	\take
	sti
	ret
1:	\take
	ret
	.endm

	.section .text.dp_ia32_entry, "ax"
	.globl	dp_ia32_entry
	.type	dp_ia32_entry, @function
dp_ia32_entry:
	pusha
	cld
	/* words from esp: 8 registers, gate, error, eip, cs, eflags; from ring 1 to 3 also esp, ss */
	testl	$DP_FLAG_VM, 48(%esp)
	jnz	chain
	mov	%ss:dp_ia32, %ebx
	test	%ebx, %ebx
	jz	chain
	/* The agent's stack, or below where it is in use: a callback of the agent. */
	mov	%esp, %ebp
	cmp	%ss:DP_STATE_STACK(%ebx), %esp
	jb	1f
	cmp	%ss:DP_STATE_STACK_TOP(%ebx), %esp
	jae	1f
	lea	-DP_FRAME_BEHIND(%esp), %esp
	jmp	2f
1:	mov	%ss:DP_STATE_STACK_TOP(%ebx), %esp
2:	testb	$3, 44(%ebp)
	jnz	outer
	lea	52(%ebp), %eax
	mov	%eax, 12(%ebp)	/* esp before the exception */
	push	%ss
	push_frame_words 12, 0	/* eflags to edi */
	handle	dp_port_exception
	mov	4*DP_FRAME_ESP(%ebp), %esp
leave:	push_frame_words DP_FRAME_EFLAGS, DP_FRAME_EIP
	cmp	$DP_IA32_RESUME, %eax
	jne	firmware
	push_frame_words 11, 4
	jmp	segments

	/* As the exception came, with the firmware's handler to return to. */
firmware:
	mov	4*DP_FRAME_GATE(%ebp), %ebx
	cmpb	$0, DP_GATE_HAS_ERROR(%ebx)
	je	1f
	pushl	4*DP_FRAME_ERROR(%ebp)
1:	pushl	DP_GATE_HANDLER(%ebx)
	push_frame_words 11, 4
	enter_handler take_registers, 4*DP_FRAME_EFLAGS(%ebp)

segments:
	take_registers
	iret

	/* From ring 1 to 3. Behind the frame: where the CPU has begun to push. */
outer:
	lea	60(%ebp), %eax
	mov	%eax, DP_FRAME_BEHIND-4(%esp)
	mov	52(%ebp), %eax
	mov	%eax, 12(%ebp)
	pushl	56(%ebp)
	push_frame_words 12, 0
	handle	dp_ia32_outer_exception
	mov	4*DP_FRAME_WORDS(%ebp), %esp
	pushl	4*DP_FRAME_SS(%ebp)
	pushl	4*DP_FRAME_ESP(%ebp)
	jmp	leave

	/* No agent, or not its context: on to the firmware, with everything where it was. */
chain:
	mov	32(%esp), %ebx
	mov	%ss:DP_GATE_HANDLER(%ebx), %eax
	cmpb	$0, %ss:DP_GATE_HAS_ERROR(%ebx)
	jne	3f
	mov	%eax, 36(%esp)
	enter_handler take_registers_and_leave_error, 48(%esp)
3:	mov	%eax, 32(%esp)
	enter_handler popa, 48(%esp)
	.globl	dp_ia32_entry_end
dp_ia32_entry_end:

	.section .note.GNU-stack, "", @progbits
