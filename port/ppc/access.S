/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single accesses whose fault is caught: a fault between dp_ppc_access_begin and _end continues at
 * dp_ppc_access_failed. LR is not changed where an access may fault. No address is the linked one:
 * the image may have moved itself.
 */
#include "dp_port_cpu.h"

	.macro	function name
	.global	\name
	.type	\name, @function
\name:
	.endm

	.section .text.dp_ppc_access, "ax"
	.global	dp_ppc_access_begin
dp_ppc_access_begin:

	/* bool dp_access_load(dp_addr address, unsigned width, void *to) */
	function dp_access_load
	cmplwi	4, 4
	beq	1f
	cmplwi	4, 2
	beq	2f
	lbz	6, 0(3)
	twi	0, 6, 0		/* used: what the bus reports late arrives here, not in the firmware */
	isync
	stb	6, 0(5)
	li	3, 1
	blr
1:	lwz	6, 0(3)
	twi	0, 6, 0
	isync
	stw	6, 0(5)
	li	3, 1
	blr
2:	lhz	6, 0(3)
	twi	0, 6, 0
	isync
	sth	6, 0(5)
	li	3, 1
	blr

	/* uint32_t dp_ppc_text_at(uint32_t address) */
	function dp_ppc_text_at
	lwz	3, 0(3)
	blr

	/* bool dp_access_store(dp_addr address, unsigned width, const void *from) */
	function dp_access_store
	cmplwi	4, 4
	beq	1f
	cmplwi	4, 2
	beq	2f
	lbz	6, 0(5)
	stb	6, 0(3)
	b	3f
1:	lwz	6, 0(5)
	stw	6, 0(3)
	b	3f
2:	lhz	6, 0(5)
	sth	6, 0(3)
3:	sync
	isync
	li	3, 1
	blr

	/* bool dp_ppc_fp_get(unsigned number, uint32_t value[4]). Without an FPU the first store faults. */
	function dp_ppc_fp_get
	mfmsr	8
	ori	6, 8, DP_MSR_FP
	mtmsr	6
	isync
	cmplwi	3, 32
	beq	2f
	slwi	3, 3, 3
	mflr	6
	bcl	20, 31, 4f
4:	mflr	7
	mtlr	6
	addi	7, 7, 1f - 4b
	add	7, 7, 3
	mfctr	6
	mtctr	7
	bctr
1:	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	.long	0xd8040000 | \n << 21	/* stfd n, 0(r4) */
	b	3f
	.endr
	/* FPSCR, by way of f0 */
2:	mfctr	6
	.long	0xd8040008		/* stfd f0, 8(r4) */
	.long	0xfc00048e		/* mffs f0 */
	.long	0xd8040000		/* stfd f0, 0(r4) */
	.long	0xc8040008		/* lfd f0, 8(r4) */
3:	mtctr	6
	mtmsr	8
	isync
	li	3, 1
	blr
	.global	dp_ppc_access_end
dp_ppc_access_end:

	.global	dp_ppc_access_failed
dp_ppc_access_failed:
	li	3, 0
	blr

	.section .note.GNU-stack, "", @progbits
