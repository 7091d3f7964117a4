/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways out of a function on RISC-V, RV32 and RV64. The round's number is in a0.  balance.h */
	.option	norelax

#if __riscv_xlen == 64
#define DATA .dword
#define L ld
#define S sd
#else
#define DATA .word
#define L lw
#define S sw
#endif

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
	/* Conditional tail calls, by branches of both lengths. */
	function subject_own_branch
	andi t1, a0, 1
	bne t1, zero, subject_own_near
	andi t1, a0, 2
	bltu zero, t1, subject_own_near
	andi a1, a0, 4
	c.bnez a1, .Lnear
	xori a1, a1, 4
	c.beqz a1, .Lnear
	addi a0, a0, 3
	ret
	end subject_own_branch

	/* Tail calls by jal, c.j, and a register behind auipc. */
	function subject_own_jump
	andi a1, a0, 1
	c.beqz a1, 1f
	jal zero, subject_own_near
1:	andi a1, a0, 2
	c.beqz a1, 2f
	c.j .Lnear
2:	tail subject_own_near
	end subject_own_jump

	/* Returns of both lengths. */
	function subject_own_return
	andi a1, a0, 1
	c.beqz a1, 1f
	.option	push
	.option	norvc
	jalr zero, 0(ra)
	.option	pop
1:	addi a0, a0, 5
	c.jr ra
	end subject_own_return

	/* The return address in t0, as prologues out of line have it, and code that no direct way reaches. */
	function subject_own_saved
	addi sp, sp, -16
	S ra, 8(sp)
	addi a0, a0, 6
	L t0, 8(sp)
	addi sp, sp, 16
	jr t0
	j subject_own_saved
	end subject_own_saved

	/* Goes on in the function behind. */
	function subject_own_falls
	addi a0, a0, 7
	end subject_own_falls

	function subject_own_near
.Lnear:
	addi a0, a0, 1
	ret
	end subject_own_near

	.section .rodata.subject_own, "a"
	.balign 8
	.global subject_own
subject_own:
	DATA subject_own_branch
	DATA subject_own_jump
	DATA subject_own_return
	DATA subject_own_saved
	DATA subject_own_falls
	DATA 0

	.section .note.GNU-stack, "", @progbits
