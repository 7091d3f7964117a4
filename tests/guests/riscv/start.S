/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up, and the guest's own exception handler: the "firmware" that the port must hand exceptions
 * to with nothing changed. It keeps a register in sscratch, which is nobody's else. */
#include "guest.h"

#if __riscv_xlen == 64
#define L ld
#define S sd
#define WORD 8
#else
#define L lw
#define S sw
#define WORD 4
#endif

#define FS 0x6000

	.option	norelax

	.section .text.start, "ax"
	.global	_start
_start:
	la	sp, stack_end
	la	gp, __global_pointer$
	la	t0, __bss_start
	la	t1, __bss_end
1:	S	zero, 0(t0)
	addi	t0, t0, WORD
	bltu	t0, t1, 1b
#ifdef GUEST_VECTORED
	la	t0, table
	addi	t0, t0, 1
#else
	la	t0, handler
#endif
	csrw	mtvec, t0
	csrw	mie, zero
	li	t0, 0x1234
	csrw	mscratch, t0
	j	guest_main

	/* void run(const struct state *in, struct state *out) */
	.text
	.global	run
	.type	run, @function
run:
	la	t0, runner
	S	a1, 0(t0)
	.irp	n, 1,2,3,4,8,9,18,19,20,21,22,23,24,25,26,27
	S	x\n, WORD*\n(t0)
	.endr
	li	t1, FS
	csrs	mstatus, t1
	.irp	n, 8,9,10,11,12,13,14,15
	fld	f\n, WORDS_BEFORE_FP*WORD + 8*(\n - 8)(a0)
	.endr
	L	t1, WORD_OF_FCSR*WORD(a0)
	csrw	fcsr, t1
	L	t1, WORD_OF_MSTATUS*WORD(a0)
	csrw	mstatus, t1
	L	t1, WORD_OF_PC*WORD(a0)
	csrw	mepc, t1
	.irp	n, 1,2,3,4,5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	L	x\n, WORD*\n(a0)
	.endr
	L	a0, WORD*10(a0)
	mret

	.balign	256
	.option	push
	.option	norvc
table:
	j	handler
	.rept	31
	j	interrupt
	.endr
	.option	pop

	.balign	4
interrupt:
	j	interrupt

	.balign	4
	.global	handler
handler:
	csrw	sscratch, t0
	la	t0, runner
	L	t0, 0(t0)
	.irp	n, 1,2,3,4,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	S	x\n, WORD*\n(t0)
	.endr
	S	zero, 0(t0)
	csrr	t1, sscratch
	S	t1, WORD*5(t0)
	csrr	t1, mepc
	S	t1, WORD_OF_PC*WORD(t0)
	csrr	t1, mcause
	S	t1, WORD_OF_MCAUSE*WORD(t0)
	csrr	t1, mtval
	S	t1, WORD_OF_MTVAL*WORD(t0)
	csrr	t1, mstatus
	.global	handler_has_saved
handler_has_saved:
	S	t1, WORD_OF_MSTATUS*WORD(t0)
	csrr	t1, mscratch
	S	t1, (WORD_OF_FCSR + 1)*WORD(t0)
	li	t1, FS
	csrs	mstatus, t1
	csrr	t1, fcsr
	S	t1, WORD_OF_FCSR*WORD(t0)
	.irp	n, 8,9,10,11,12,13,14,15
	fsd	f\n, WORDS_BEFORE_FP*WORD + 8*(\n - 8)(t0)
	.endr
	la	t0, runner
	.irp	n, 1,2,3,4,8,9,18,19,20,21,22,23,24,25,26,27
	L	x\n, WORD*\n(t0)
	.endr
	ret

	/* A handler of the kind that keeps a stack pointer in mscratch. */
	.balign	4
	.global	swapping_handler
swapping_handler:
	csrrw	sp, mscratch, sp
	j	handler

	/* void say(const char *): the 16550, polled */
	.global	say
	.type	say, @function
say:
	li	t0, 0x10000000
1:	lbu	t1, 0(a0)
	beqz	t1, 3f
2:	lbu	t2, 5(t0)
	andi	t2, t2, 0x20
	beqz	t2, 2b
	sb	t1, 0(t0)
	addi	a0, a0, 1
	j	1b
3:	ret

	/* void stop(int status): sifive_test */
	.global	stop
	.type	stop, @function
stop:
	li	t0, 0x100000
	slli	a0, a0, 16
	li	t1, 0x3333
	or	a0, a0, t1
	sw	a0, 0(t0)
1:	j	1b

	.bss
	.balign	16
runner:	.space	32*WORD
	.space	16384
	.balign	16
stack_end:

	.section .note.GNU-stack, "", @progbits
