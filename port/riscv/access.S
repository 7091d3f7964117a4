/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single accesses whose fault is caught: a fault between dp_riscv_access_begin and _end continues at
 * dp_riscv_access_failed. ra and sp are not changed where an access may fault.
 */
#include "dp_port_cpu.h"

	.option	norelax

	.macro	function name
	.global	\name
	.type	\name, @function
\name:
	.endm

	.section .text.dp_riscv_access, "ax"
	.balign	4
	.global	dp_riscv_access_begin
dp_riscv_access_begin:

	/* bool dp_access_load(dp_addr address, unsigned width, void *to). fence: what the bus reports late
	 * arrives here, not in the firmware. */
	function dp_access_load
	li	a3, 4
	beq	a1, a3, 4f
	li	a3, 2
	beq	a1, a3, 2f
	bltu	a1, a3, 1f
#if DP_WORD_BITS == 64
	ld	a4, 0(a0)
	fence
	sd	a4, 0(a2)
	li	a0, 1
	ret
#endif
4:	lw	a4, 0(a0)
	fence
	sw	a4, 0(a2)
	li	a0, 1
	ret
2:	lhu	a4, 0(a0)
	fence
	sh	a4, 0(a2)
	li	a0, 1
	ret
1:	lbu	a4, 0(a0)
	fence
	sb	a4, 0(a2)
	li	a0, 1
	ret

	/* uint32_t dp_riscv_text_at(dp_addr address) */
	function dp_riscv_text_at
#if DP_RISCV_WITH_C
	lhu	a0, 0(a0)
#else
	lw	a0, 0(a0)
#endif
	ret

#if DP_RISCV_TRIGGERS > 0
	/* bool dp_riscv_has_tselect(void), dp_riscv_has_tcontrol(void) */
	function dp_riscv_has_tselect
	.insn	i 0x73, 2, a0, x0, DP_CSR_TSELECT
	li	a0, 1
	ret
	function dp_riscv_has_tcontrol
	.insn	i 0x73, 2, a0, x0, DP_CSR_TCONTROL
	li	a0, 1
	ret
#endif

	/* bool dp_access_store(dp_addr address, unsigned width, const void *from) */
	function dp_access_store
	li	a3, 4
	beq	a1, a3, 4f
	li	a3, 2
	beq	a1, a3, 2f
	bltu	a1, a3, 1f
#if DP_WORD_BITS == 64
	ld	a4, 0(a2)
	sd	a4, 0(a0)
	j	5f
#endif
4:	lw	a4, 0(a2)
	sw	a4, 0(a0)
	j	5f
2:	lhu	a4, 0(a2)
	sh	a4, 0(a0)
	j	5f
1:	lbu	a4, 0(a2)
	sb	a4, 0(a0)
5:	fence
	li	a0, 1
	ret
	.global	dp_riscv_access_end
dp_riscv_access_end:

	.global	dp_riscv_access_failed
dp_riscv_access_failed:
	li	a0, 0
	ret

	/* bool dp_riscv_executes(dp_word code): does the `ret` there execute? mtvec leads to
	 * the label meanwhile, in the firmware's mode; where mtvec does not take it: true. */
	.balign	256
10:	li	a0, 0
	j	11f
	function dp_riscv_executes
	mv	t2, ra
	.insn	i 0x73, 2, t0, x0, DP_CSR_MTVEC
	.insn	i 0x73, 7, t1, x8, DP_CSR_MSTATUS	/* csrrci: MIE */
	lla	t3, 10b
	andi	t4, t0, 3
	or	t3, t3, t4
	.insn	i 0x73, 1, x0, t3, DP_CSR_MTVEC
	.insn	i 0x73, 2, t4, x0, DP_CSR_MTVEC
	mv	a1, a0
	li	a0, 1
	bne	t3, t4, 11f
	jalr	a1
11:	.insn	i 0x73, 1, x0, t0, DP_CSR_MTVEC
	.insn	i 0x73, 1, x0, t1, DP_CSR_MSTATUS
	jr	t2

	.section .note.GNU-stack, "", @progbits
