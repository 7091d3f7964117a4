/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of the PowerPC boards: exceptions off, the address map, initialised RAM, vectors, C.
 *
 * Also the target of board_restart_warm: everything written at run time except .noinit is written
 * anew here, the vectors included (an agent may have hooked the old ones). The loader has
 * initialised the caches.
 */
	.macro	address reg, symbol
	lis	\reg, \symbol@ha
	addi	\reg, \reg, \symbol@l
	.endm

	.section .text.start, "ax"

	.global	_start
	.type	_start, @function
_start:
#if DP_PPC_BOOKE
	li	0, 0
	mtmsr	0
	isync
	mtspr	308, 0			/* DBCR0: no debug events */
	mtspr	340, 0			/* TCR: no timer interrupts */
#else
	li	0, 0x0040		/* IP: the vectors are not there yet */
	mtmsr	0
	isync
#endif
	/* Comes back in the final map, with interrupts off. */
	bl	mmu_init

	address	1, __stack_boot_end - 16
	li	0, 0
	stw	0, 0(1)

	address	3, __data_start
	address	4, __data_load
	address	5, __data_end
1:	cmplw	3, 5
	bge	2f
	lwz	0, 0(4)
	stw	0, 0(3)
	addi	3, 3, 4
	addi	4, 4, 4
	b	1b

2:	address	3, __bss_start
	address	4, __bss_end
	li	0, 0
3:	cmplw	3, 4
	bge	4f
	stw	0, 0(3)
	addi	3, 3, 4
	b	3b

	/* Vector n: four words of arch_vectors, at __vectors + n * 0x100. */
4:	address	3, __vectors
	address	4, arch_vectors
	address	5, arch_vectors_end
5:	lwz	6, 0(4)
	lwz	7, 4(4)
	lwz	8, 8(4)
	lwz	9, 12(4)
	stw	6, 0(3)
	stw	7, 4(3)
	stw	8, 8(3)
	stw	9, 12(3)
	addi	3, 3, 0x100
	addi	4, 4, 16
	cmplw	4, 5
	blt	5b
	address	3, __vectors
	li	4, __vectors_bytes
	bl	ppc_cache_sync
#if DP_PPC_BOOKE
	/* IVORn = n * 0x100. */
	address	3, __vectors
	mtspr	63, 3			/* IVPR */
	.set	n, 0
	.rept	16
	li	0, n * 0x100
	mtspr	400 + n, 0
	.set	n, n + 1
	.endr
#else
	/* IP off, RI on: from here on exceptions come to our vectors. */
	mfmsr	3
	rlwinm	3, 3, 0, 26, 24
	ori	3, 3, 2
	mtmsr	3
	isync
#endif
	bl	kernel_main

	/* void ppc_cache_sync(uintptr_t address, size_t bytes). Lines are at least 32 bytes. */
	.global	ppc_cache_sync
	.type	ppc_cache_sync, @function
ppc_cache_sync:
	add	4, 3, 4
	rlwinm	3, 3, 0, 0, 26
	mr	5, 3
1:	cmplw	3, 4
	bge	2f
	dcbst	0, 3
	addi	3, 3, 32
	b	1b
2:	sync
3:	cmplw	5, 4
	bge	4f
	icbi	0, 5
	addi	5, 5, 32
	b	3b
4:	sync
	isync
	blr

	.global	board_restart_warm
	.type	board_restart_warm, @function
board_restart_warm:
	b	_start

#if DP_PPC_BOOKE
	/* void board_restart_cold(void): DBCR0[RST] = system */
	.global	board_restart_cold
	.type	board_restart_cold, @function
board_restart_cold:
	lis	3, 0x3000
	mtspr	308, 3
	b	.
#endif
