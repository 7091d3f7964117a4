/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways out of a function on IA32. The round's number is on the stack.  balance.h */
	.macro function name
	.global \name
	.type \name, @function
\name:
	.endm
	.macro end name
	.size \name, . - \name
	.endm

	.text
	.balign 16
	/* Conditional tail calls, by branches of both lengths, and by the counter. */
	function subject_own_branch
	mov 4(%esp), %ecx
	test $1, %ecx
	jne subject_own_near
	test $2, %cl
	jne .Lnear
	and $4, %ecx
	jecxz .Lnear
	mov 4(%esp), %eax
	add $3, %eax
	ret
	end subject_own_branch

	/* Tail calls by jumps of both lengths, and by a register. */
	function subject_own_jump
	mov 4(%esp), %ecx
	test $1, %cl
	je 1f
	jmp subject_own_near
1:	test $2, %cl
	je 2f
	jmp .Lnear
2:	mov $subject_own_near, %edx
	jmp *%edx
	end subject_own_jump

	/* Returns of each length. */
	function subject_own_return
	mov 4(%esp), %eax
	test $1, %al
	je 1f
	repz ret
1:	test $2, %al
	je 2f
	add $5, %eax
	ret $0
2:	ret
	end subject_own_return

	/* Goes on in the function behind. */
	function subject_own_falls
	addl $7, 4(%esp)
	end subject_own_falls

	function subject_own_near
.Lnear:
	mov 4(%esp), %eax
	inc %eax
	ret
	end subject_own_near

	.section .rodata.subject_own, "a"
	.balign 4
	.global subject_own
subject_own:
	.long subject_own_branch
	.long subject_own_jump
	.long subject_own_return
	.long subject_own_falls
	.long 0

	.section .note.GNU-stack, "", @progbits
