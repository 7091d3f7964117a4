/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up, and the guest's own exception handlers: the "firmware" that the port must hand
 * exceptions to with nothing changed. Also k0 is looked at: the vectors keep it in ErrorEPC. */
#include "guest.h"

	.set	noreorder
	.set	noat
	.set	hardfloat

#ifndef COM1 /* malta's */
#define COM1 0xb80003f8
#endif

	.macro	hazard
	ssnop
	ssnop
	ssnop
	ehb
	.endm

	.section .text.start, "ax"
	.global	_start
_start:
	mtc0	$0, $12
	mtc0	$0, $13
	hazard
	/* An empty TLB: each entry a page of kseg0. */
	mfc0	$8, $16, 1
	srl	$8, $8, 25
	andi	$8, $8, 0x3f
	mtc0	$0, $2
	mtc0	$0, $3
	mtc0	$0, $5
	mtc0	$0, $6
	lui	$9, 0x8000
1:	sll	$10, $8, 13
	or	$10, $10, $9
	mtc0	$10, $10
	mtc0	$8, $0
	hazard
	tlbwi
	bnez	$8, 1b
	addiu	$8, $8, -1
	mtc0	$0, $10
	la	$8, __bss_start
	la	$9, __bss_end
1:	sw	$0, 0($8)
	addiu	$8, $8, 4
	sltu	$10, $8, $9
	bnez	$10, 1b
	nop
	/* has_fpu = Config1.FP */
	mfc0	$8, $16, 1
	andi	$8, $8, 1
	la	$9, has_fpu
	sw	$8, 0($9)
	/* The vectors: refill at 0, general at 0x180. */
	lui	$9, 0x8000
	la	$8, refill_vector
	lw	$10, 0($8)
	sw	$10, 0($9)
	lw	$10, 4($8)
	sw	$10, 4($9)
	lw	$10, 8($8)
	sw	$10, 8($9)
	la	$8, general_vector
	lw	$10, 0($8)
	sw	$10, 0x180($9)
	lw	$10, 4($8)
	sw	$10, 0x184($9)
	lw	$10, 8($8)
	sw	$10, 0x188($9)
	la	$28, _gp
	la	$29, stack_end - 32
	jal	guest_main
	nop
1:	b	1b
	nop

	/* The second word is a jump, with its delay slot as the third. */
refill_vector:
	mtc0	$26, $30
	j	refill
	nop
general_vector:
	mtc0	$26, $30
	j	general
	nop

	/* void run(const struct state *in, struct state *out) */
	.text
	.global	run
	.type	run, @function
run:
	la	$8, runner
	sw	$5, 0($8)
	.irp	n, 16,17,18,19,20,21,22,23,28,29,30,31
	sw	$\n, 4*\n($8)
	.endr
	lui	$9, 0x2000
	la	$10, has_fpu
	lw	$10, 0($10)
	beqz	$10, 1f
	mtc0	$9, $12
	hazard
	lw	$9, STATE_FCR31($4)
	ctc1	$9, $31
	.irp	n, 0,1,2,3,4,5,6,7
	lwc1	$f\n, STATE_FP+4*\n($4)
	.endr
1:	lw	$9, STATE_STATUS($4)
	ori	$9, $9, 2
	mtc0	$9, $12
	lw	$9, STATE_PC($4)
	mtc0	$9, $14
	lw	$9, STATE_HI($4)
	mthi	$9
	lw	$9, STATE_LO($4)
	mtlo	$9
	.irp	n, 1,2,3,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	lw	$\n, 4*\n($4)
	.endr
	lw	$4, 16($4)
	hazard
	eret

refill:
	lui	$26, %hi(runner)
	sw	$27, %lo(runner + 4*27)($26)
	b	1f
	li	$27, 2
general:
	lui	$26, %hi(runner)
	sw	$27, %lo(runner + 4*27)($26)
	li	$27, 1
1:	lw	$26, %lo(runner)($26)
	sw	$27, STATE_VECTOR($26)
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
	sw	$\n, 4*\n($26)
	.endr
	lui	$8, %hi(runner)
	lw	$9, %lo(runner + 4*27)($8)
	sw	$9, 4*27($26)
	mfc0	$9, $30
	sw	$9, 4*26($26)
	mfhi	$9
	sw	$9, STATE_HI($26)
	mflo	$9
	sw	$9, STATE_LO($26)
	mfc0	$9, $14
	sw	$9, STATE_PC($26)
	mfc0	$9, $12
	sw	$9, STATE_STATUS($26)
	mfc0	$9, $13
	lui	$10, 0x8000
	ori	$10, $10, 0x7c
	and	$9, $9, $10
	sw	$9, STATE_CAUSE($26)
	mfc0	$9, $8
	sw	$9, STATE_BADVADDR($26)
	mfc0	$9, $4
	sw	$9, STATE_CONTEXT($26)
	mfc0	$9, $10
	sw	$9, STATE_ENTRYHI($26)
	lui	$9, 0x2000
	la	$10, has_fpu
	lw	$10, 0($10)
	beqz	$10, 2f
	mtc0	$9, $12
	hazard
	cfc1	$9, $31
	sw	$9, STATE_FCR31($26)
	.irp	n, 0,1,2,3,4,5,6,7
	swc1	$f\n, STATE_FP+4*\n($26)
	.endr
2:	hazard
	la	$8, runner
	.irp	n, 16,17,18,19,20,21,22,23,28,29,30,31
	lw	$\n, 4*\n($8)
	.endr
	jr	$31
	nop

	/* void say(const char *): com1, polled */
	.global	say
	.type	say, @function
say:
	la	$8, COM1
1:	lbu	$9, 0($4)
	beqz	$9, 3f
	nop
2:	lbu	$10, 5($8)
	andi	$10, $10, 0x20
	beqz	$10, 2b
	nop
	sb	$9, 0($8)
	b	1b
	addiu	$4, $4, 1
3:	jr	$31
	nop

	/* void stop(int status): UHI */
	.global	stop
	.type	stop, @function
stop:
	li	$25, 1
	.word	0x7000007f
1:	b	1b
	nop

	.bss
	.align	3
runner:	.space	128
	.global	has_fpu
has_fpu: .space 8
	.space	8192
stack_end:
