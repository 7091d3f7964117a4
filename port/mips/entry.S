/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exception entry and exit.
 *
 * A hooked vector jumps to its code in slot memory (struct dp_mips_vector) with k0 saved in
 * ErrorEPC: that register is unused while ERL is 0, and the only one that code can save to without a
 * free register. The vector passes interrupts to the firmware. Other exceptions come here with k0 = its struct
 * dp_mips_block, k1 and at saved in it; so every register of the interrupted context, k0 and k1 too, is preserved.
 *
 * EXL is cleared as soon as the frame is complete, interrupts off: the agent's own accesses may
 * fault, and their exceptions must write EPC.
 */
#include "dp_port_cpu.h"

#define DP_CONTEXT  $4
#define DP_BADVADDR $8
#define DP_ENTRYHI  $10
#define DP_STATUS   $12
#define DP_CAUSE    $13
#define DP_EPC      $14
#define DP_ERROREPC $30

#define DP_ARGUMENTS 16	/* o32: room for four */
#define DP_CODE_BREAK (9 << 2)

	.set	noreorder
	.set	noat

	.macro	hazard
#if __mips_isa_rev < 2
	ssnop
	ssnop
	ssnop
#endif
	ehb
	.endm

	.section .text.dp_mips_entry, "ax"
	.global	dp_mips_entry
	.type	dp_mips_entry, @function
dp_mips_entry:
	/* at: Cause */
	andi	$1, $1, 0x7c
	xori	$1, $1, DP_CODE_BREAK
	beqz	$1, build
	mfc0	$27, DP_EPC
	/* Any other exception is ours in two places only. */
	lw	$1, DP_BLOCK_SLOTS($26)
	subu	$1, $27, $1
	lw	$27, DP_BLOCK_SLOT_BYTES($26)
	sltu	$1, $1, $27
	bnez	$1, build
	mfc0	$27, DP_EPC
	lui	$1, %hi(dp_mips_access_begin)
	addiu	$1, $1, %lo(dp_mips_access_begin)
	sltu	$1, $27, $1
	bnez	$1, chain
	lui	$1, %hi(dp_mips_access_end)
	addiu	$1, $1, %lo(dp_mips_access_end)
	sltu	$1, $27, $1
	bnez	$1, access
	nop
chain:
	lw	$1, DP_BLOCK_SAVED_AT($26)
	lw	$27, DP_BLOCK_SAVED_K1($26)
	lw	$26, DP_BLOCK_CHAIN($26)
	jr	$26
	nop

access:
	lw	$1, DP_BLOCK_SAVED_AT($26)
	lui	$27, %hi(dp_mips_access_failed)
	addiu	$27, $27, %lo(dp_mips_access_failed)
	mtc0	$27, DP_EPC
	lw	$27, DP_BLOCK_SAVED_K1($26)
	mfc0	$26, DP_ERROREPC
	hazard
	eret

	/* In a callback of the agent already? Then go on below. */
build:
	lw	$1, DP_BLOCK_STACK_BOTTOM($26)
	sltu	$1, $1, $29
	beqz	$1, 1f
	lw	$27, DP_BLOCK_STACK_TOP($26)
	sltu	$1, $27, $29
	bnez	$1, 1f
	nop
	srl	$27, $29, 3
	sll	$27, $27, 3
1:	addiu	$27, $27, -DP_FRAME_BYTES
	.irp	n, 0,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
	sw	$\n, 4*\n($27)
	.endr
	lw	$2, DP_BLOCK_SAVED_AT($26)
	lw	$3, DP_BLOCK_SAVED_K1($26)
	mfc0	$4, DP_ERROREPC
	sw	$2, 4*1($27)
	sw	$3, 4*27($27)
	sw	$4, 4*26($27)
	mfhi	$2
	mflo	$3
	sw	$2, DP_FRAME_HI($27)
	sw	$3, DP_FRAME_LO($27)
	mfc0	$8, DP_STATUS
	mfc0	$2, DP_CAUSE
	mfc0	$3, DP_EPC
	mfc0	$4, DP_BADVADDR
	mfc0	$5, DP_CONTEXT
	mfc0	$6, DP_ENTRYHI
	xori	$9, $8, DP_STATUS_EXL	/* it is set here */
	sw	$9, DP_FRAME_STATUS($27)
	sw	$2, DP_FRAME_CAUSE($27)
	sw	$3, DP_FRAME_EPC($27)
	sw	$4, DP_FRAME_BADVADDR($27)
	sw	$5, DP_FRAME_CONTEXT($27)
	sw	$6, DP_FRAME_ENTRYHI($27)
	lw	$4, DP_BLOCK_CLASS($26)
	lw	$28, DP_BLOCK_GP($26)
	move	$16, $26
	addiu	$29, $27, -DP_ARGUMENTS
	ori	$8, $8, DP_STATUS_LOW
	xori	$8, $8, DP_STATUS_LOW
	mtc0	$8, DP_STATUS
	hazard
	jal	dp_port_exception
	move	$5, $27

	/* sp: the frame, less the arguments. s0: the block. Status as the frame has it, and EXL: it
	 * is what eret takes away again. */
	lw	$8, DP_ARGUMENTS+DP_FRAME_STATUS($29)
	ori	$9, $8, DP_STATUS_EXL
	mtc0	$9, DP_STATUS
	hazard
	addiu	$26, $29, DP_ARGUMENTS
	lw	$9, DP_FRAME_HI($26)
	lw	$10, DP_FRAME_LO($26)
	mthi	$9
	mtlo	$10
	lw	$9, DP_FRAME_EPC($26)
	addiu	$2, $2, -DP_MIPS_RESUME
	bnez	$2, firmware
	andi	$10, $8, DP_STATUS_EXL
	bnez	$10, 2f
	mtc0	$9, DP_EPC
3:
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,27,28,29,30,31
	lw	$\n, 4*\n($26)
	.endr
	hazard
	lw	$26, 4*26($26)
	eret

	/* A probed mtc0 has set EXL. eret clears it, but not when it leaves the error level. */
2:	ori	$8, $8, DP_STATUS_EXL | DP_STATUS_ERL
	mtc0	$9, DP_ERROREPC
	b	3b
	mtc0	$8, DP_STATUS

	/* As the exception came; k0 where the vector's block looks for it, the way on in its place. */
firmware:
	mtc0	$9, DP_EPC
	lw	$8, 4*26($26)
	lw	$9, DP_BLOCK_CHAIN($16)
	mtc0	$8, DP_ERROREPC
	sw	$9, 4*26($26)
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,27,28,29,30,31
	lw	$\n, 4*\n($26)
	.endr
	hazard
	lw	$26, 4*26($26)
	jr	$26
	nop
