/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The 440's TLB: the board's table, and nothing else.  PPC440x5 user's manual 5
 *
 * Two entries must never match one address, and the present entries are unknown (the loader's, or
 * those before a warm restart). The code goes to the other address space by one new entry, empties
 * the rest, fills in the table for this address space, and returns.
 */
#define ENTRIES  64
#define MSR_ISDS 0x0030
#define TLB_TS   0x0100
#define MMUCR    946
#define PID      48
#define SRR0     26
#define SRR1     27

	.section .text.start, "ax"

	.global	mmu_init
	.type	mmu_init, @function
mmu_init:
	li	0, 0
	mtspr	MMUCR, 0
	mtspr	PID, 0
	lis	4, ppc_tlb@ha
	addi	4, 4, ppc_tlb@l
	/* RAM, in the other address space. */
	li	3, ENTRIES - 1
	lwz	5, 0(4)
	lwz	6, 4(4)
	lwz	7, 8(4)
	ori	5, 5, TLB_TS
	tlbwe	5, 3, 0
	tlbwe	6, 3, 1
	tlbwe	7, 3, 2
	isync
	mflr	8
	li	9, MSR_ISDS
	bl	go_on

	addi	3, 3, -1
1:	tlbwe	0, 3, 0
	addic.	3, 3, -1
	bge	1b
	lis	5, ppc_tlb_count@ha
	lwz	5, ppc_tlb_count@l(5)
	mtctr	5
	li	3, 0
2:	lwz	6, 0(4)
	lwz	7, 4(4)
	lwz	10, 8(4)
	tlbwe	6, 3, 0
	tlbwe	7, 3, 1
	tlbwe	10, 3, 2
	addi	3, 3, 1
	addi	4, 4, 12
	bdnz	2b
	isync

	li	9, 0
	bl	go_on
	li	3, ENTRIES - 1
	tlbwe	0, 3, 0
	isync
	mtlr	8
	blr

	/* Return with MSR = r9. */
go_on:
	mflr	10
	mtspr	SRR0, 10
	mtspr	SRR1, 9
	rfi
