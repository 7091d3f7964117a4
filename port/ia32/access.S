/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single accesses whose fault is caught: a fault between dp_ia32_access_begin and _end continues at
 * dp_ia32_access_failed. esp is not changed where an access may fault.
 */
#include "dp_port_cpu.h"

	.macro	function name
	.globl	\name
	.type	\name, @function
\name:
	.endm

	.section .text.dp_ia32_access, "ax"
	.globl	dp_ia32_access_begin
dp_ia32_access_begin:

	/* bool dp_access_load(dp_addr address, unsigned width, void *to) */
	function dp_access_load
	mov	4(%esp), %eax
	mov	12(%esp), %edx
	cmpl	$2, 8(%esp)
	je	2f
	jb	1f
	mov	(%eax), %ecx
	mov	%ecx, (%edx)
	mov	$1, %eax
	ret
2:	movw	(%eax), %cx
	movw	%cx, (%edx)
	mov	$1, %eax
	ret
1:	movb	(%eax), %cl
	movb	%cl, (%edx)
	mov	$1, %eax
	ret

	/* bool dp_ia32_has_byte(uint32_t address, uint8_t byte), in eax and dl */
	function dp_ia32_has_byte
	cmpb	%dl, (%eax)
	sete	%al
	ret

	/* bool dp_ia32_copy_stack(uint32_t address, uint32_t *to), in eax and edx */
	function dp_ia32_copy_stack
	.set	n, 0
	.rept	DP_PORT_STACK_WORDS
	mov	4*n(%eax), %ecx
	mov	%ecx, 4*n(%edx)
	.set	n, n + 1
	.endr
	mov	$1, %eax
	ret

	/* bool dp_access_store(dp_addr address, unsigned width, const void *from) */
	function dp_access_store
	mov	4(%esp), %eax
	mov	12(%esp), %edx
	cmpl	$2, 8(%esp)
	je	2f
	jb	1f
	mov	(%edx), %ecx
	mov	%ecx, (%eax)
	mov	$1, %eax
	ret
2:	movw	(%edx), %cx
	movw	%cx, (%eax)
	mov	$1, %eax
	ret
1:	movb	(%edx), %cl
	movb	%cl, (%eax)
	mov	$1, %eax
	ret

	/* bool dp_ia32_msr(uint32_t number, uint32_t out[2]) */
	function dp_ia32_msr
	mov	4(%esp), %ecx
	rdmsr
	mov	8(%esp), %ecx
	mov	%eax, (%ecx)
	mov	%edx, 4(%ecx)
	mov	$1, %eax
	ret

#if DP_IA32_WITH_WATCH
	/* bool dp_ia32_dr7(uint32_t *dr7) */
	function dp_ia32_dr7
	mov	4(%esp), %ecx
	mov	%dr7, %eax
	mov	%eax, (%ecx)
	mov	$1, %eax
	ret
#endif
	.globl	dp_ia32_access_end
dp_ia32_access_end:

	.globl	dp_ia32_access_failed
dp_ia32_access_failed:
	xor	%eax, %eax
	ret

	.section .note.GNU-stack, "", @progbits
