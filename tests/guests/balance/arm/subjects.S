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

	/* Conditional branches inside. */
	function subject_own_chooses
	push {r4, lr}
	mov r4, r0
	mov r1, #3
1:	subs r1, r1, #1
	bne 1b
	tst r4, #1
	beq 2f
	add r0, r0, #1
2:	tst r4, #2
	bleq subject_own_near
	cmp r4, #100
	bhi 3f
	add r0, r0, #1
3:	tst r4, #8
	pop {r4, lr}
	beq subject_own_near
	bx lr
	end subject_own_chooses

	/* The return address in another register, and code that no direct way reaches. */
	function subject_own_saved
	push {r4, lr}
	add r0, r0, #1
	pop {r4}
	ldr r3, [sp], #4
	bx r3
	mov r0, #0
	b subject_own_saved
	end subject_own_saved

	/* Goes on in the function behind. */
	function subject_own_falls
	add r0, r0, #3
	end subject_own_falls

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
	function subject_own_popped
	push {r4, r5, r6, lr}
	adds r0, #1
	pop {r4, r5}
	pop {r2, r3}
	bx r3
	movs r0, #0
	b subject_own_popped
	end subject_own_popped

	/* Out of Thumb into A32 code, and from there out of the function. */
	.balign 4
	.thumb_func
	function subject_own_sets
	bx pc
	nop
	.arm
	b subject_own_near
	end subject_own_sets
	.thumb

	.thumb_func
	function subject_own_close
2:
	adds r0, #1
	bx lr
	end subject_own_close

	/* Conditional branches inside. */
	.thumb_func
	function subject_own_selects
#include "../selects_t32.inc"
	end subject_own_selects
#endif

	.section .rodata.subject_own, "a"
	.balign 4
	.global subject_own
subject_own:
	.word subject_own_return
	.word subject_own_branch
	.word subject_own_chooses
	.word subject_own_saved
	.word subject_own_falls
#if __ARM_ARCH >= 7
	.word subject_own_thumb
	.word subject_own_selects
	.word subject_own_popped
	.word subject_own_sets
#endif
	.word 0
