/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The e500's TLB1: the board's table, and nothing else.  EREF 5
 *
 * As on the 440 (mmu_440.S): to the other address space by one entry of our own, empty the rest, fill
 * in the table for this address space, come back. TLB0 holds nothing that lasts: it is flushed.
 */
#define MSR_ISDS 0x0030
#define MAS0     624
#define MAS1     625
#define MAS2     626
#define MAS3     627
#define MAS4     628
#define MAS6     630
#define MAS7     944
#define MMUCSR0  1012
#define TLB1CFG  689
#define PID      48
#define SRR0     26
#define SRR1     27
#define HID0     1008

#define MAS0_TLB1   0x1000
#define MAS1_TS     0x1000
#define FLUSH_TLB0  0x0004
#define HID0_DOZE   0x0080	/* upper half: what MSR[WE] does */

	.section .text.start, "ax"

	.global	mmu_init
	.type	mmu_init, @function
mmu_init:
	mflr	8
	mfspr	3, HID0
	oris	3, 3, HID0_DOZE
	mtspr	HID0, 3
	isync
	li	0, 0
	mtspr	PID, 0
	mtspr	MAS4, 0
	mtspr	MAS6, 0
	li	3, FLUSH_TLB0
	mtspr	MMUCSR0, 3
	isync
	lis	4, ppc_tlb@ha
	addi	4, 4, ppc_tlb@l
	/* r5: the last entry. RAM, in the other address space. */
	mfspr	5, TLB1CFG
	rlwinm	5, 5, 0, 20, 31
	addi	5, 5, -1
	mr	3, 5
	lwz	6, 0(4)
	ori	6, 6, MAS1_TS
	bl	write
	li	9, MSR_ISDS
	bl	go_on

	addi	3, 5, -1
	li	6, 0
1:	bl	write
	addic.	3, 3, -1
	bge	1b
	lis	7, ppc_tlb_count@ha
	lwz	7, ppc_tlb_count@l(7)
	mtctr	7
	li	3, 0
2:	lwz	6, 0(4)
	bl	write
	addi	3, 3, 1
	addi	4, 4, 16
	bdnz	2b

	li	9, 0
	bl	go_on
	mr	3, 5
	li	6, 0
	bl	write
	mtlr	8
	blr

	/* Entry r3: MAS1 from r6, the rest from the table at r4. Uses r9, r10. */
write:
	rlwinm	9, 3, 16, 0, 15
	oris	9, 9, MAS0_TLB1
	lwz	10, 4(4)
	mtspr	MAS0, 9
	mtspr	MAS1, 6
	mtspr	MAS2, 10
	lwz	9, 8(4)
	lwz	10, 12(4)
	mtspr	MAS3, 9
	mtspr	MAS7, 10
	isync
	tlbwe
	isync
	msync
	blr

	/* Return with MSR = r9. */
go_on:
	mflr	10
	mtspr	SRR0, 10
	mtspr	SRR1, 9
	rfi
