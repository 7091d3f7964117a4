/* SPDX-License-Identifier: BSD-2-Clause */
/* Reach a site with the registers as the case wants them, and come back. */
	.text

	.global	hit
	.type	hit, @function
hit:				/* registers in the order of pusha, the site */
	pusha
	mov	36(%esp), %eax
	mov	40(%esp), %ecx
	mov	%ecx, site
	mov	%esp, saved_esp
	mov	(%eax), %edi
	mov	4(%eax), %esi
	mov	8(%eax), %ebp
	mov	16(%eax), %ebx
	mov	20(%eax), %edx
	mov	12(%eax), %ecx
	test	%ecx, %ecx
	jz	1f
	mov	%ecx, %esp
1:	mov	24(%eax), %ecx
	mov	28(%eax), %eax
	jmp	*site

	.global	guest_return
	.type	guest_return, @function
guest_return:
	mov	%edi, guest_left
	mov	%esi, guest_left + 4
	mov	%ebp, guest_left + 8
	mov	%ebx, guest_left + 16
	mov	%edx, guest_left + 20
	mov	%ecx, guest_left + 24
	mov	%eax, guest_left + 28
	xor	%eax, %eax	/* esp, where the case has one */
	cmp	saved_esp, %esp
	je	1f
	mov	%esp, %eax
1:	mov	%eax, guest_left + 12
	mov	saved_esp, %esp
	popa
	ret

	.bss
	.balign	4
site:	.space	4
saved_esp:
	.space	4
	.global	guest_left
guest_left:
	.space	32 * 4

	.section .note.GNU-stack, "", @progbits
