/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways out of a function on MIPS32. The round's number is in a0.  balance.h */
	.set noreorder
	.set noat

	.macro function name
	.global \name
	.type \name, @function
	.ent \name
\name:
	.endm
	.macro end name
	.end \name
	.size \name, . - \name
	.endm

	.text
	.balign 4
	/* Conditional tail calls; the delay slot of the likely one is skipped. */
	function subject_own_branch
	andi $8, $4, 1
	bnez $8, subject_own_near
	addiu $2, $4, 1
	andi $8, $4, 2
	beql $8, $0, subject_own_near
	addiu $2, $4, 2
	sll $8, $4, 29
	bltz $8, subject_own_near
	nop
	jr $31
	addiu $2, $4, 3
	end subject_own_branch

	/* Tail calls by b, j, and a register. */
	function subject_own_jump
	andi $8, $4, 1
	beqz $8, 1f
	andi $8, $4, 2
	b subject_own_near
	addiu $2, $4, 4
1:	beqz $8, 2f
	addiu $2, $4, 5
	j subject_own_near
	nop
2:	lui $25, %hi(subject_own_near)
	addiu $25, $25, %lo(subject_own_near)
	jr $25
	nop
	end subject_own_jump

	/* The return address in another register, and code that no direct way reaches. */
	function subject_own_saved
	addiu $29, $29, -8
	sw $31, 4($29)
	addiu $2, $4, 6
	lw $25, 4($29)
	nop
	jr $25
	addiu $29, $29, 8
	b subject_own_saved
	nop
	end subject_own_saved

	function subject_own_copied
	addiu $2, $4, 6
	move $8, $31
	jr $8
	addiu $2, $2, 1
	b subject_own_copied
	nop
	end subject_own_copied

	/* Goes on in the function behind. */
	function subject_own_falls
	addiu $2, $4, 7
	end subject_own_falls

	function subject_own_near
	jr $31
	addiu $2, $2, 1
	end subject_own_near

	.section .rodata.subject_own, "a"
	.balign 4
	.global subject_own
subject_own:
	.word subject_own_branch
	.word subject_own_jump
	.word subject_own_saved
	.word subject_own_copied
	.word subject_own_falls
	.word 0
