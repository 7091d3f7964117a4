/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up, and the trap handler, which lies in RAM: the agent's code there jumps to it. */
	.section .text.start, "ax"
	.option	arch, +zicsr
	.global	_start
	.type	_start, @function
_start:
	csrr	t0, mhartid
1:	bnez	t0, 1b
	csrw	mie, zero
	csrci	mstatus, 8
	.option	push
	.option	norelax
	la	gp, __global_pointer$
	.option	pop
	la	t0, handler
	csrw	mtvec, t0
	la	t0, __data_load
	la	t1, __data_start
	la	t2, __data_end
	bgeu	t1, t2, 3f
2:	lw	t3, 0(t0)
	sw	t3, 0(t1)
	addi	t0, t0, 4
	addi	t1, t1, 4
	bltu	t1, t2, 2b
3:	la	t1, __bss_start
	la	t2, __bss_end
4:	bgeu	t1, t2, 5f
	sw	zero, 0(t1)
	addi	t1, t1, 4
	j	4b
	/* The stack is painted, so that its use can be read. */
5:	la	t1, __stack_start
	la	sp, __stack_end
	li	t2, 0x6b6b6b6b
6:	sw	t2, 0(t1)
	addi	t1, t1, 4
	bltu	t1, sp, 6b
	fence.i
	call	main
	.size	_start, . - _start

	.text
	/* void interrupts_on(void): those of the timer */
	.global	interrupts_on
	.type	interrupts_on, @function
interrupts_on:
	li	t0, 0x80
	csrs	mie, t0
	csrsi	mstatus, 8
	ret
	.size	interrupts_on, . - interrupts_on

	/* void finish(unsigned status): semihosting's SYS_EXIT_EXTENDED */
	.global	finish
	.type	finish, @function
finish:
	addi	sp, sp, -16
	li	t0, 0x20026
#if __riscv_xlen == 64
	sd	t0, 0(sp)
	sd	a0, 8(sp)
#else
	sw	t0, 0(sp)
	sw	a0, 4(sp)
#endif
	mv	a1, sp
	li	a0, 0x20
	.balign	16
	.option	push
	.option	norvc
	slli	x0, x0, 0x1f
	ebreak
	srai	x0, x0, 7
	.option	pop
1:	j	1b
	.size	finish, . - finish

#if __riscv_xlen == 64
#define L ld
#define S sd
#define WORD 8
#else
#define L lw
#define S sw
#define WORD 4
#endif
#define FRAME ((18*WORD + 15)/16*16)
	/* The timer. An exception ends QEMU. */
	.section .handler, "awx", @progbits
	.balign	64
	.global	handler
	.type	handler, @function
handler:
	addi	sp, sp, -FRAME
	S	t0, 0*WORD(sp)
	S	t1, 1*WORD(sp)
	csrr	t0, mepc
	csrr	t1, mstatus
	S	t0, 2*WORD(sp)
	S	t1, 3*WORD(sp)
	S	ra, 4*WORD(sp)
	S	t2, 5*WORD(sp)
	.irp	n, 10,11,12,13,14,15,16,17
	S	x\n, (\n - 4)*WORD(sp)
	.endr
	.irp	n, 28,29,30,31
	S	x\n, (\n - 14)*WORD(sp)
	.endr
	csrr	t0, mcause
	bgez	t0, 1f
	call	tick
	.irp	n, 10,11,12,13,14,15,16,17
	L	x\n, (\n - 4)*WORD(sp)
	.endr
	.irp	n, 28,29,30,31
	L	x\n, (\n - 14)*WORD(sp)
	.endr
	L	t2, 5*WORD(sp)
	L	ra, 4*WORD(sp)
	L	t1, 3*WORD(sp)
	L	t0, 2*WORD(sp)
	csrw	mstatus, t1
	csrw	mepc, t0
	L	t1, 1*WORD(sp)
	L	t0, 0*WORD(sp)
	addi	sp, sp, FRAME
	mret
1:	li	a0, 3
	call	finish
	.size	handler, . - handler

	.section .note.GNU-stack, "", @progbits
