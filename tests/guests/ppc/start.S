/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up, and the guest's own exception handlers: the "firmware" that the port must hand
 * exceptions to with nothing changed. It uses SPRG0 and SPRG1. */
#include "dp_port_cpu.h"
#include "guest.h"

#define SPRG0 272
#define SPRG1 273
#define DEC   22
#define TSR   336
#define TCR   340
#define TSR_DIS 0x0800	/* upper half */
#define TCR_DIE 0x0400
#if DP_PPC_BOOKE
#define DECREMENTER_VECTOR 0xa00
#else
#define DECREMENTER_VECTOR 0x900
#endif
#define FP_ON DP_MSR_FP
#if DP_PPC_BOOKE
#define MSR_GUEST 0
#else
#define MSR_GUEST 0x32	/* IR DR RI */
#endif

	.macro	address reg, symbol
	lis	\reg, \symbol@ha
	la	\reg, \symbol@l(\reg)
	.endm

#ifdef GUEST_40P
	.section .reset, "ax"
	address	12, _start
	mtctr	12
	bctr
#endif

	.section .text.start, "ax"
	.global	_start
_start:
	address	1, stack_end - 16
	li	0, 0
	stw	0, 0(1)
	address	10, readonly
#ifdef GUEST_BAMBOO
	/* entry 3: 16 MB at 0; entry 2: 256 MB at 0xe0000000; entry 4: 4 KB, read only */
	mtspr	946, 0			/* MMUCR */
	li	3, 3
	li	4, 0x270
	tlbwe	4, 3, 0
	li	4, 0
	tlbwe	4, 3, 1
	li	4, 0x3f
	tlbwe	4, 3, 2
	li	3, 2
	lis	4, 0xe000
	ori	5, 4, 0x290
	tlbwe	5, 3, 0
	tlbwe	4, 3, 1
	li	4, 0x53f
	tlbwe	4, 3, 2
	li	3, 4
	lis	5, READ_ONLY@h
	ori	5, 5, 0x210
	tlbwe	5, 3, 0
	tlbwe	10, 3, 1
	li	4, 0x2d			/* UX UR SX SR */
	tlbwe	4, 3, 2
	li	3, 0
	tlbwe	3, 3, 0
	li	3, 1
	li	4, 0
	tlbwe	4, 3, 0
	isync
#endif
#ifdef GUEST_E500
	/* TLB1 entry 1: CCSR, 256 MB at 0xe0000000 = 0xf_e0000000; entry 2: 4 KB, read only; entry 0,
	 * the loader's 64 MB at 0, for user mode as well. */
	lis	3, 0x1001
	mtspr	624, 3
	lis	3, 0xc000
	ori	3, 3, 0x0900
	mtspr	625, 3
	lis	3, 0xe000
	ori	3, 3, 0x000a
	mtspr	626, 3
	lis	3, 0xe000
	ori	3, 3, 0x0005
	mtspr	627, 3
	li	3, 0xf
	mtspr	944, 3
	tlbwe
	lis	3, 0x1002
	mtspr	624, 3
	lis	3, 0xc000
	ori	3, 3, 0x0100
	mtspr	625, 3
	lis	3, READ_ONLY@h
	mtspr	626, 3
	ori	3, 10, 0x33
	mtspr	627, 3
	li	3, 0
	mtspr	944, 3
	tlbwe
	lis	3, 0x1000
	mtspr	624, 3
	lis	3, 0xc000
	ori	3, 3, 0x0800
	mtspr	625, 3
	li	3, 0
	mtspr	626, 3
	li	3, 0x3f
	mtspr	627, 3
	tlbwe
	isync
#endif
#ifdef GUEST_40P
	/* BAT0: 16 MB at 0; DBAT1: 256 MB at 0x80000000, devices; DBAT2: 128 KB, read only */
	li	3, 0x1ff
	li	4, 2
	mtspr	528, 3
	mtspr	529, 4
	mtspr	536, 3
	mtspr	537, 4
	lis	3, 0x8000
	ori	4, 3, 0x2a
	ori	3, 3, 0x1fff
	mtspr	538, 3
	mtspr	539, 4
	lis	3, READ_ONLY@h
	ori	3, 3, 3
	ori	4, 10, 1
	mtspr	540, 3
	mtspr	541, 4
	isync
	li	3, 0			/* IP off */
	mtmsr	3
	isync
#endif
#if DP_PPC_BOOKE
	lis	3, vectors@h
	mtspr	63, 3
	.set	n, 0
	.rept	16
	li	4, n * 0x100
	mtspr	400 + n, 4
	.set	n, n + 1
	.endr
	mtspr	308, 0			/* DBCR0 */
	bl	put_vectors
#else
	/* No page table: a hash table without entries, at 0xc00000. */
	lis	3, 0x00c0
	mtspr	25, 3
	li	3, 0
	bl	put_vectors
	/* Cases that have 0 in CTR jump to 0, which is no vector: sc. */
	lis	4, 0x4400
	ori	4, 4, 2
	stw	4, 0(0)
	stw	4, 4(0)
	stw	4, 8(0)
	li	3, MSR_GUEST
	mtmsr	3
	isync
#endif
	bl	guest_main

	/* void run(const struct state *in, struct state *out) */
	.text
	.global	run
	.type	run, @function
run:
	address	5, runner
	stw	4, 0(5)
	stw	1, 4(5)
	stw	2, 8(5)
	mflr	0
	stw	0, 12(5)
	mfcr	0
	stw	0, 16(5)
	stmw	13, 20(5)
	address	5, has_fpu
	lwz	5, 0(5)
	cmpwi	5, 0
	beq	1f
	mfmsr	0
	ori	0, 0, FP_ON
	mtmsr	0
	isync
	lfd	0, STATE_FPSCR-4(3)
	mtfsf	0xff, 0
	.irp	n, 0,1,2,3,4,5,6,7
	lfd	\n, STATE_FP+8*\n(3)
	.endr
1:
#ifdef GUEST_E500
	.irp	n, 0,1,2,3
	lwz	5, STATE_MAS+4*\n(3)
	mtspr	624+\n, 5
	.endr
	lwz	5, STATE_MAS+16(3)
	mtspr	630, 5
	lwz	5, STATE_MAS+20(3)
	mtspr	944, 5
#endif
	address	5, decrementer_start
	lwz	5, 0(5)
#if DP_PPC_BOOKE
	cmpwi	5, 0
	beq	2f
	lis	6, TSR_DIS
	mtspr	DEC, 5
	mtspr	TSR, 6
	lis	6, TCR_DIE
	mtspr	TCR, 6
2:
#else
	mtspr	DEC, 5
#endif
	lwz	5, STATE_CR(3)
	lwz	6, STATE_XER(3)
	lwz	7, STATE_LR(3)
	lwz	8, STATE_CTR(3)
	lwz	9, STATE_PC(3)
	lwz	10, STATE_MSR(3)
	li	0, MSR_GUEST & ~0x30
#if !DP_PPC_BOOKE
	ori	0, 0, 0x30
#endif
	mtmsr	0
	isync
	mtcrf	0xff, 5
	mtxer	6
	mtlr	7
	mtctr	8
	mtspr	26, 9
	mtspr	27, 10
	lwz	0, 0(3)
	lwz	1, 4(3)
	lwz	2, 8(3)
	lmw	4, 16(3)
	lwz	3, 12(3)
	rfi

	/* r3: number of the vector; SPRG0: r3 */
	.global	common
common:
	mtspr	SPRG1, 1
	lis	1, runner@ha
	lwz	1, runner@l(1)
	stw	0, 0(1)
	stw	2, 8(1)
	stmw	4, 16(1)
	stw	3, STATE_VECTOR(1)
#if DP_PPC_BOOKE
	li	4, 0
	mtspr	TCR, 4
#endif
	mfspr	4, SPRG1
	stw	4, 4(1)
	mfspr	4, SPRG0
	stw	4, 12(1)
	mfcr	4
	stw	4, STATE_CR(1)
	mfxer	4
	stw	4, STATE_XER(1)
	mflr	4
	stw	4, STATE_LR(1)
	mfctr	4
	stw	4, STATE_CTR(1)
	mfspr	4, 26
	stw	4, STATE_PC(1)
	mfspr	4, 27
	stw	4, STATE_MSR(1)
	mfspr	4, DP_SPR_ADDRESS
	stw	4, STATE_ADDRESS(1)
	mfspr	4, DP_SPR_SYNDROME
	stw	4, STATE_SYNDROME(1)
#ifdef GUEST_E500
	.irp	n, 0,1,2,3
	mfspr	4, 624+\n
	stw	4, STATE_MAS+4*\n(1)
	.endr
	mfspr	4, 630
	stw	4, STATE_MAS+16(1)
	mfspr	4, 944
	stw	4, STATE_MAS+20(1)
#endif
	address	5, has_fpu
	lwz	5, 0(5)
	cmpwi	5, 0
	li	0, MSR_GUEST
	beq	1f
	ori	4, 0, FP_ON
	mtmsr	4
	isync
	.irp	n, 0,1,2,3,4,5,6,7
	stfd	\n, STATE_FP+8*\n(1)
	.endr
	mffs	0
	address	5, runner + 112
	stfd	0, 0(5)
	lwz	4, 4(5)
	stw	4, STATE_FPSCR(1)
1:	mtmsr	0
	isync
	address	5, runner
	lwz	1, 4(5)
	lwz	2, 8(5)
	lwz	0, 12(5)
	mtlr	0
	lwz	0, 16(5)
	mtcrf	0xff, 0
	lmw	13, 20(5)
	blr

	/* The decrementer's interrupt comes once in a run, and is noted: how often, at what pc. Needs its
	 * vector, as put_vectors leaves it. */
	.global	decrementer
decrementer:
	mtspr	SPRG0, 3
	mtspr	SPRG1, 4
	address	3, decrementer_count
	lwz	4, 0(3)
	addi	4, 4, 1
	stw	4, 0(3)
	mfspr	4, 26
	stw	4, 4(3)
#if DP_PPC_BOOKE
	li	4, 0
	mtspr	TCR, 4
	lis	4, TSR_DIS
	mtspr	TSR, 4
#else
	lis	4, 0x7fff
	mtspr	DEC, 4
#endif
	mfspr	3, SPRG0
	mfspr	4, SPRG1
	rfi

	/* bool fake_machine_check(uint32_t pc): as if the instruction at pc, in a function that this
	 * has called, had had one. Returns when that function has returned. */
	.global	fake_machine_check
	.type	fake_machine_check, @function
fake_machine_check:
	mfmsr	4
#if DP_PPC_BOOKE
	mtspr	DP_PPC_MACHINE_SRR0, 3
	mtspr	DP_PPC_MACHINE_SRR0 + 1, 4
	mfspr	5, 63
	addi	5, 5, 0x100
#else
	mtspr	26, 3
	mtspr	27, 4
	li	5, 0x200
#endif
	mtctr	5
	li	3, 55
	bctr

	/* void machine_check_elsewhere(struct state *out): not in the agent, so the firmware's own. */
	.global	machine_check_elsewhere
	.type	machine_check_elsewhere, @function
machine_check_elsewhere:
	address	5, runner
	stw	3, 0(5)
	stw	1, 4(5)
	stw	2, 8(5)
	mflr	0
	stw	0, 12(5)
	mfcr	0
	stw	0, 16(5)
	stmw	13, 20(5)
	address	3, machine_check_elsewhere
	b	fake_machine_check

	/* void put_vectors(uint32_t base): mtspr SPRG0, r3; li r3, n; ba common. Vector 5 begins with
	 * a branch. */
	.global	put_vectors
	.type	put_vectors, @function
put_vectors:
	li	4, 0
	lis	5, 0x7c70
	ori	5, 5, 0x43a6
	lis	6, 0x3860
	lis	7, (common + 0x48000002)@h
	ori	7, 7, (common + 0x48000002)@l
	lis	8, 0x4800
	ori	8, 8, 0x0020
1:	stw	5, 0(3)
	stw	6, 4(3)
	stw	7, 8(3)
	cmpwi	4, 5
	bne	2f
	stw	8, 0(3)
	stw	5, 0x20(3)
	stw	6, 0x24(3)
	stw	7, 0x28(3)
2:	addi	3, 3, 0x100
	addi	6, 6, 1
	addi	4, 4, 1
	cmpwi	4, 48
	blt	1b
	lis	7, (decrementer + 0x48000002)@h
	ori	7, 7, (decrementer + 0x48000002)@l
	addi	3, 3, DECREMENTER_VECTOR - 48 * 0x100
	stw	7, 0(3)
	sync
	isync
	blr

	.bss
	.balign	65536
vectors: .space	65536
	.balign	16
runner:	.space	128
	.global	has_fpu
has_fpu: .space	16
	.global	decrementer_count
	.global	decrementer_pc
	.global	decrementer_start
decrementer_count: .space	4
decrementer_pc: .space	4
decrementer_start: .space	8
	.space	16384
stack_end:
	.section .readonly, "aw"
	.global	readonly
readonly: .space 4096

	.section .note.GNU-stack, "", @progbits
