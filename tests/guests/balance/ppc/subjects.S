/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways out of a function on PowerPC. The round's number is in r3.  balance.h */

	.macro function name
	.global \name
	.type \name, @function
\name:
	.endm
	.macro end name
	.size \name, . - \name
	.endm

	.text
	.balign 4
	/* Conditional returns; the last ones count, and loop. */
	function subject_own_return
	cmpwi 3, 0
	beqlr
	andi. 0, 3, 1
	bnelr
	rlwinm 4, 3, 31, 30, 31
	addi 4, 4, 1
	mtctr 4
1:	addi 3, 3, 5
	bdzlr
	b 1b
	end subject_own_return

	/* Returns while the counter is not 0, and the condition holds. */
	function subject_own_count
	andi. 4, 3, 3
	mtctr 4
	cmpwi 4, 1
	bdnztlr eq
	mtctr 4
	addi 3, 3, 1
	bdnzlr
	li 3, 0
	blr
	end subject_own_count

	/* Conditional tail calls, by a branch and by the counter register. */
	function subject_own_branch
	andi. 0, 3, 1
	bne subject_own_near
	lis 9, subject_own_near@ha
	addi 9, 9, subject_own_near@l
	mtctr 9
	andi. 0, 3, 2
	bnectr
	andi. 4, 3, 4
	mtctr 4
	bdnz subject_own_near
	blr
	end subject_own_branch

	/* The return address in the counter register, and code that no direct way reaches. */
	function subject_own_saved
	stwu 1, -16(1)
	mflr 0
	stw 0, 20(1)
	addi 3, 3, 1
	lwz 0, 20(1)
	addi 1, 1, 16
	mtctr 0
	bctr
	li 3, 0
	b subject_own_saved
	end subject_own_saved

	function subject_own_copied
	mflr 12
	addi 3, 3, 1
	mtctr 12
	bctr
	li 3, 0
	b subject_own_copied
	end subject_own_copied

	/* Goes on in the function behind. */
	function subject_own_falls
	addi 3, 3, 2
	end subject_own_falls

	function subject_own_near
	addi 3, 3, 1
	blr
	end subject_own_near

	.section .rodata.subject_own, "a"
	.balign 4
	.global subject_own
subject_own:
	.long subject_own_return
	.long subject_own_count
	.long subject_own_branch
	.long subject_own_saved
	.long subject_own_copied
	.long subject_own_falls
	.long 0
