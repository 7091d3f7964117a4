/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of the RISC-V boards: exceptions to arch_exception, initialised RAM, C.
 *
 * Also the target of board_restart_warm: everything written at run time except .noinit is written anew
 * here, mtvec included (an agent may have put its own there).
 */
	.section .text.start, "ax"

	.global	_start
	.type	_start, @function
_start:
	csrw	mie, zero
	csrci	mstatus, 8
	.option	push
	.option	norelax
	la	gp, __global_pointer$
	.option	pop
	la	sp, __stack_boot_end
	la	t0, arch_exception
	csrw	mtvec, t0

	la	t0, __data_load
	la	t1, __data_start
	la	t2, __data_end
1:	bgeu	t1, t2, 2f
	lw	t3, 0(t0)
	sw	t3, 0(t1)
	addi	t0, t0, 4
	addi	t1, t1, 4
	j	1b

2:	la	t1, __bss_start
	la	t2, __bss_end
3:	bgeu	t1, t2, 4f
	sw	zero, 0(t1)
	addi	t1, t1, 4
	j	3b
4:	fence.i
	tail	kernel_main

	/* void riscv_restart(void) */
	.global	riscv_restart
	.type	riscv_restart, @function
riscv_restart:
	csrci	mstatus, 8
	j	_start

	.text

	/* unsigned long riscv_pending(void) */
	.global	riscv_pending
	.type	riscv_pending, @function
riscv_pending:
	csrr	a0, mip
	csrr	a1, mie
	and	a0, a0, a1
	ret

	/* void riscv_enable(unsigned long bits) */
	.global	riscv_enable
	.type	riscv_enable, @function
riscv_enable:
	csrs	mie, a0
	ret

	.section .note.GNU-stack, "", @progbits
