/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and exit.
 *
 * mtvec leads to a veneer in slot memory (struct dp_riscv_veneer). mscratch is the place for the first
 * register: the veneer saves t0 there, finds its struct dp_riscv_block by the pc, and saves t0 and t1 in
 * it. Interrupts go on to the firmware; exceptions come here with t0 = the block.
 *
 * As soon as the frame is complete mepc, mcause, mtval and mstatus may be overwritten: by the agent's own
 * faults.
 */
#include "dp_port_cpu.h"

	.option	norelax

#if DP_WORD_BITS == 64
#define L ld
#define S sd
#define WORD 8
#else
#define L lw
#define S sw
#define WORD 4
#endif

	/* csrr, csrw: the assembler has them in this form also without Zicsr in -march */
	.macro	csr_read to, number
	.insn	i 0x73, 2, \to, x0, \number
	.endm
	.macro	csr_write number, from
	.insn	i 0x73, 1, x0, \from, \number
	.endm

	.section .text.dp_riscv_entry, "ax"
	.balign	4
	.global	dp_riscv_entry
	.type	dp_riscv_entry, @function
dp_riscv_entry:
	csr_read t1, DP_CSR_MCAUSE
	addi	t1, t1, -DP_CAUSE_BREAK
	beqz	t1, build
	/* Any other exception is ours in two places only. */
	S	t2, DP_BLOCK_T2*WORD(t0)
	csr_read t1, DP_CSR_MEPC
	L	t2, DP_BLOCK_SLOTS*WORD(t0)
	sub	t1, t1, t2
	L	t2, DP_BLOCK_SLOT_BYTES*WORD(t0)
	bltu	t1, t2, restore_build
	csr_read t1, DP_CSR_MEPC
	lla	t2, dp_riscv_access_begin
	bltu	t1, t2, chain
	lla	t2, dp_riscv_access_end
	bgeu	t1, t2, chain
	lla	t1, dp_riscv_access_failed
	csr_write DP_CSR_MEPC, t1
	L	t2, DP_BLOCK_T2*WORD(t0)
	L	t1, DP_BLOCK_MSCRATCH*WORD(t0)
	csr_write DP_CSR_MSCRATCH, t1
	L	t1, DP_BLOCK_T1*WORD(t0)
	L	t0, DP_BLOCK_T0*WORD(t0)
	mret

chain:
	L	t2, DP_BLOCK_T2*WORD(t0)
	L	t1, DP_BLOCK_CHAIN*WORD(t0)
	jr	t1

restore_build:
	L	t2, DP_BLOCK_T2*WORD(t0)

	/* In a callback of the agent already? Then go on below. */
build:
	L	t1, DP_BLOCK_STACK_BOTTOM*WORD(t0)
	bgeu	t1, sp, 1f
	L	t1, DP_BLOCK_STACK_TOP*WORD(t0)
	bltu	t1, sp, 1f
	andi	t1, sp, -16
	j	2f
1:	L	t1, DP_BLOCK_STACK_TOP*WORD(t0)
2:	addi	t1, t1, -DP_FRAME_WORDS*WORD
	S	zero, 0(t1)
	.irp	n, 1,2,3,4,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	S	x\n, \n*WORD(t1)
	.endr
	L	a0, DP_BLOCK_T0*WORD(t0)
	L	a1, DP_BLOCK_T1*WORD(t0)
	S	a0, 5*WORD(t1)
	S	a1, 6*WORD(t1)
	csr_read a2, DP_CSR_MEPC
	csr_read a3, DP_CSR_MSTATUS
	csr_read a4, DP_CSR_MCAUSE
	csr_read a5, DP_CSR_MTVAL
	L	a0, DP_BLOCK_MSCRATCH*WORD(t0)
	S	a2, DP_FRAME_PC*WORD(t1)
	S	a3, DP_FRAME_MSTATUS*WORD(t1)
	S	a4, DP_FRAME_MCAUSE*WORD(t1)
	S	a5, DP_FRAME_MTVAL*WORD(t1)
	csr_write DP_CSR_MSCRATCH, a0
	/* The agent's accesses are those of M mode. */
	lui	a0, DP_STATUS_MPRV >> 12
	.insn	i 0x73, 3, x0, a0, DP_CSR_MSTATUS
	L	gp, DP_BLOCK_GP*WORD(t0)
	L	tp, DP_BLOCK_TP*WORD(t0)
	mv	s0, t0
	mv	sp, t1
	li	a0, DP_CLASS_EXCEPTION
	mv	a1, t1
	call	dp_port_exception

	/* a0: resume, or the firmware goes on. sp: the frame. s0: the block. */
	L	t1, DP_FRAME_PC*WORD(sp)
	L	t2, DP_FRAME_MSTATUS*WORD(sp)
	csr_write DP_CSR_MEPC, t1
	csr_write DP_CSR_MSTATUS, t2
	addi	a0, a0, -DP_RISCV_RESUME
	bnez	a0, firmware
	.irp	n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	L	x\n, \n*WORD(sp)
	.endr
	L	sp, 2*WORD(sp)
	mret

	/* As the exception came; t0 and t1 where the veneer's code looks for them. */
firmware:
	L	t1, DP_FRAME_MCAUSE*WORD(sp)
	L	t2, DP_FRAME_MTVAL*WORD(sp)
	csr_write DP_CSR_MCAUSE, t1
	csr_write DP_CSR_MTVAL, t2
	L	t1, 5*WORD(sp)
	L	t2, 6*WORD(sp)
	S	t1, DP_BLOCK_T0*WORD(s0)
	S	t2, DP_BLOCK_T1*WORD(s0)
	mv	t0, s0
	.irp	n, 1,3,4,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	L	x\n, \n*WORD(sp)
	.endr
	L	sp, 2*WORD(sp)
	L	t1, DP_BLOCK_CHAIN*WORD(t0)
	jr	t1

	.section .note.GNU-stack, "", @progbits
