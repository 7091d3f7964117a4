/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways out of a function in A32 and Thumb. The round's number is in r0.  balance.h */
	.syntax unified

	.macro function name
	.global \name
	.type \name, %function
\name:
	.endm
	.macro end name
	.size \name, . - \name
	.endm

	.text
	.arm
	.balign 4
	/* Conditional returns. */
	function subject_own_return
	cmp r0, #0
	bxeq lr
	push {r4, lr}
	mov r4, #5
	tst r0, #1
	popne {r4, pc}
	pop {r4, lr}
	tst r0, #2
	moveq pc, lr
	b subject_own_near
	end subject_own_return

	/* Conditional tail calls, by a branch and by a word. */
	function subject_own_branch
	tst r0, #1
	bne subject_own_near
	tst r0, #2
	ldrne pc, 1f
	bx lr
1:	.word subject_own_near
	end subject_own_branch

	function subject_own_near
	add r0, r0, #1
	bx lr
	end subject_own_near

#if __ARM_ARCH >= 7
	.thumb
	.balign 4
	/* Conditional returns in IT blocks, cbz out of the function. */
	.thumb_func
	function subject_own_thumb
	and r1, r0, #7
	cbz r1, 2f
	tst r0, #1
	it ne
	bxne lr
	push {r4, lr}
	tst r0, #2
	it eq
	popeq {r4, pc}
	pop.w {r4, lr}
	tst r0, #8
	bne.w subject_own_close
	bx lr
	end subject_own_thumb

	.thumb_func
	function subject_own_close
2:
	adds r0, #1
	bx lr
	end subject_own_close
#endif

	.section .rodata.subject_own, "a"
	.balign 4
	.global subject_own
subject_own:
	.word subject_own_return
	.word subject_own_branch
#if __ARM_ARCH >= 7
	.word subject_own_thumb
#endif
	.word 0
