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
#define DP_L    ld
#define DP_S    sd
#define DP_WORD 8
#else
#define DP_L    lw
#define DP_S    sw
#define DP_WORD 4
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
	DP_S	t2, DP_BLOCK_T2*DP_WORD(t0)
	csr_read t1, DP_CSR_MEPC
	DP_L	t2, DP_BLOCK_SLOTS*DP_WORD(t0)
	sub	t1, t1, t2
	DP_L	t2, DP_BLOCK_SLOT_BYTES*DP_WORD(t0)
	bltu	t1, t2, restore_build
	csr_read t1, DP_CSR_MEPC
	lla	t2, dp_riscv_access_begin
	bltu	t1, t2, chain
	lla	t2, dp_riscv_access_end
	bgeu	t1, t2, chain
	lla	t1, dp_riscv_access_failed
	csr_write DP_CSR_MEPC, t1
	DP_L	t2, DP_BLOCK_T2*DP_WORD(t0)
	DP_L	t1, DP_BLOCK_MSCRATCH*DP_WORD(t0)
	csr_write DP_CSR_MSCRATCH, t1
	DP_L	t1, DP_BLOCK_T1*DP_WORD(t0)
	DP_L	t0, DP_BLOCK_T0*DP_WORD(t0)
	mret

chain:
	DP_L	t2, DP_BLOCK_T2*DP_WORD(t0)
	DP_L	t1, DP_BLOCK_CHAIN*DP_WORD(t0)
	jr	t1

restore_build:
	DP_L	t2, DP_BLOCK_T2*DP_WORD(t0)

	/* In a callback of the agent already? Then go on below. */
build:
	DP_L	t1, DP_BLOCK_STACK_BOTTOM*DP_WORD(t0)
	bgeu	t1, sp, 1f
	DP_L	t1, DP_BLOCK_STACK_TOP*DP_WORD(t0)
	bltu	t1, sp, 1f
	andi	t1, sp, -16
	j	2f
1:	DP_L	t1, DP_BLOCK_STACK_TOP*DP_WORD(t0)
2:	addi	t1, t1, -DP_FRAME_WORDS*DP_WORD
	DP_S	zero, 0(t1)
	.irp	n, 1,2,3,4,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	DP_S	x\n, \n*DP_WORD(t1)
	.endr
	DP_L	a0, DP_BLOCK_T0*DP_WORD(t0)
	DP_L	a1, DP_BLOCK_T1*DP_WORD(t0)
	DP_S	a0, 5*DP_WORD(t1)
	DP_S	a1, 6*DP_WORD(t1)
	csr_read a2, DP_CSR_MEPC
	csr_read a3, DP_CSR_MSTATUS
	csr_read a4, DP_CSR_MCAUSE
	csr_read a5, DP_CSR_MTVAL
	DP_L	a0, DP_BLOCK_MSCRATCH*DP_WORD(t0)
	DP_S	a2, DP_FRAME_PC*DP_WORD(t1)
	DP_S	a3, DP_FRAME_MSTATUS*DP_WORD(t1)
	DP_S	a4, DP_FRAME_MCAUSE*DP_WORD(t1)
	DP_S	a5, DP_FRAME_MTVAL*DP_WORD(t1)
	csr_write DP_CSR_MSCRATCH, a0
	/* The agent's accesses are those of M mode. */
	lui	a0, DP_STATUS_MPRV >> 12
	.insn	i 0x73, 3, x0, a0, DP_CSR_MSTATUS
	DP_L	gp, DP_BLOCK_GP*DP_WORD(t0)
	DP_L	tp, DP_BLOCK_TP*DP_WORD(t0)
	mv	s0, t0
	mv	sp, t1
	li	a0, DP_CLASS_EXCEPTION
	mv	a1, t1
	call	dp_port_exception

	/* a0: resume, or the firmware goes on. sp: the frame. s0: the block. */
	DP_L	t1, DP_FRAME_PC*DP_WORD(sp)
	DP_L	t2, DP_FRAME_MSTATUS*DP_WORD(sp)
	csr_write DP_CSR_MEPC, t1
	csr_write DP_CSR_MSTATUS, t2
	addi	a0, a0, -DP_RISCV_RESUME
	bnez	a0, firmware
	.irp	n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	DP_L	x\n, \n*DP_WORD(sp)
	.endr
	DP_L	sp, 2*DP_WORD(sp)
	mret

	/* As the exception came; t0 and t1 where the veneer's code looks for them. */
firmware:
	DP_L	t1, DP_FRAME_MCAUSE*DP_WORD(sp)
	DP_L	t2, DP_FRAME_MTVAL*DP_WORD(sp)
	csr_write DP_CSR_MCAUSE, t1
	csr_write DP_CSR_MTVAL, t2
	DP_L	t1, 5*DP_WORD(sp)
	DP_L	t2, 6*DP_WORD(sp)
	DP_S	t1, DP_BLOCK_T0*DP_WORD(s0)
	DP_S	t2, DP_BLOCK_T1*DP_WORD(s0)
	mv	t0, s0
	.irp	n, 1,3,4,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	DP_L	x\n, \n*DP_WORD(sp)
	.endr
	DP_L	sp, 2*DP_WORD(sp)
	DP_L	t1, DP_BLOCK_CHAIN*DP_WORD(t0)
	jr	t1

	.section .note.GNU-stack, "", @progbits
