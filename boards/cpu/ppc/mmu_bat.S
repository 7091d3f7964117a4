/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Classic PowerPC: block address translation, one to one, for the board's two blocks; everything else
 * is asked of the page table. It has the page at 0, with the vectors: an agent wants to read and hook
 * them. The rest faults.  Programming Environments Manual 7.4, 7.6
 */
#define SRR0   26
#define SRR1   27
#define SDR1   25
#define IBAT0U 528
#define DBAT0U 536
#define HID0   1008

#define MSR_IP_IR_DR 0x0070
#define HID0_DOZE    0x0080	/* upper half: what MSR[POW] does on a 750 */
#define TABLE_BYTES  0x10000
#define TLB_SETS     64
#define PTE_VALID    0x8000	/* upper half */
#define PTE_MEMORY   0x0182	/* referenced, changed; read and write */

	.section .text.start, "ax"

	.global	mmu_init
	.type	mmu_init, @function
mmu_init:
	mfspr	3, HID0
	oris	3, 3, HID0_DOZE
	mtspr	HID0, 3
	isync
	li	0, 0
	.irp	n, 0, 2, 4, 6
	mtspr	IBAT0U + \n, 0
	mtspr	DBAT0U + \n, 0
	.endr
	isync
	/* RAM for code and data, then devices, data only. The lower half first: the upper is valid. */
	lis	4, ppc_bat@ha
	addi	4, 4, ppc_bat@l
	lwz	5, 0(4)
	lwz	6, 4(4)
	lwz	7, 8(4)
	lwz	8, 12(4)
	mtspr	IBAT0U + 1, 6
	mtspr	IBAT0U, 5
	mtspr	DBAT0U + 1, 6
	mtspr	DBAT0U, 5
	mtspr	DBAT0U + 3, 8
	mtspr	DBAT0U + 2, 7
	isync

	lis	4, ppc_page_table@ha
	addi	4, 4, ppc_page_table@l
	li	5, TABLE_BYTES / 4
	mtctr	5
	addi	6, 4, -4
1:	stwu	0, 4(6)
	bdnz	1b
	lis	5, PTE_VALID
	li	6, PTE_MEMORY
	stw	6, 4(4)
	stw	5, 0(4)
	sync
	mtspr	SDR1, 4			/* of 64 KiB: mask 0 */
	/* Segment n has number n. */
	.set	n, 0
	.rept	16
	li	5, n
	mtsr	n, 5
	.set	n, n + 1
	.endr
	li	5, TLB_SETS
	mtctr	5
	li	6, 0
2:	tlbie	6
	addi	6, 6, 0x1000
	bdnz	2b
	sync
	tlbsync
	sync

	mflr	3
	mtspr	SRR0, 3
	li	3, MSR_IP_IR_DR
	mtspr	SRR1, 3
	rfi

	.section .page_table, "aw", @nobits
	.balign	TABLE_BYTES
	.global	ppc_page_table
ppc_page_table:
	.space	TABLE_BYTES
