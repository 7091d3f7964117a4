/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways out of a function in Thumb. The round's number is in r0.  balance.h */
	.syntax unified
	.thumb

	.macro function name
	.balign 4
	.global \name
	.thumb_func
	.type \name, %function
\name:
	.endm
	.macro end name
	.size \name, . - \name
	.endm

	.text
	/* Conditional returns in IT blocks, cbz out of the function. */
	function subject_own_return
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
	bne.w 2f
	tst r0, #16
	it eq
	moveq pc, lr
	bx lr
	end subject_own_return

	/* Conditional tail calls, by a branch and by a word; ldr as a return. */
	function subject_own_branch
	tst r0, #1
	bne subject_own_near
	tst r0, #2
	it ne
	ldrne.w pc, 1f
	push {lr}
	adds r0, #7
	ldr.w pc, [sp], #4
	.balign 4
1:	.word subject_own_near
	end subject_own_branch

	/* The return address in another register, and code that no direct way reaches. */
	function subject_own_saved
	push {r4, lr}
	adds r0, #1
	pop {r2, r3}
	bx r3
	movs r0, #0
	b subject_own_saved
	end subject_own_saved

	function subject_own_popped
	push {r4, r5, r6, lr}
	adds r0, #1
	pop {r4, r5}
	pop {r2, r3}
	bx r3
	movs r0, #0
	b subject_own_popped
	end subject_own_popped

	/* Goes on in the function behind. */
	.balign 4
	function subject_own_falls
	add.w r0, r0, #3
	end subject_own_falls

	function subject_own_near
	adds r0, #1
	bx lr
	end subject_own_near

	function subject_own_close
2:	adds r0, #1
	bx lr
	end subject_own_close

	/* Conditional branches inside. */
	function subject_own_chooses
#include "../selects_t32.inc"
	end subject_own_chooses

	.section .rodata.subject_own, "a"
	.balign 4
	.global subject_own
subject_own:
	.word subject_own_return
	.word subject_own_branch
	.word subject_own_chooses
	.word subject_own_saved
	.word subject_own_popped
	.word subject_own_falls
	.word 0
