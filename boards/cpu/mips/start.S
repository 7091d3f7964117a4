/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of the MIPS boards: exceptions to RAM, caches, an empty TLB, initialised RAM, vectors, C.
 *
 * Also the target of board_restart_warm: everything written at run time except .noinit is written
 * anew here, the vectors included (an agent may have hooked the old ones).
 */
#define INDEX    $0
#define ENTRYLO0 $2
#define ENTRYLO1 $3
#define PAGEMASK $5
#define WIRED    $6
#define ENTRYHI  $10
#define STATUS   $12
#define CAUSE    $13
#define CONFIG   $16

	.set	noreorder
	.section .text.start, "ax"

	.macro	hazard
	ssnop
	ssnop
	ssnop
	ehb
	.endm

	.global	_start
	.type	_start, @function
_start:
	/* BEV, ERL, EXL, IE and all masks off; interrupts share the general vector (IV). */
	mtc0	$0, STATUS
	mtc0	$0, CAUSE
	hazard
	/* kseg0 cached: K0 = 3 */
	mfc0	$8, CONFIG
	ori	$8, $8, 7
	xori	$8, $8, 4
	mtc0	$8, CONFIG
	hazard

	/* No address is mapped: each TLB entry gets a page of its own in kseg0, which never asks
	 * the TLB. */
	mfc0	$8, CONFIG, 1
	srl	$8, $8, 25
	andi	$8, $8, 0x3f
	mtc0	$0, ENTRYLO0
	mtc0	$0, ENTRYLO1
	mtc0	$0, PAGEMASK
	mtc0	$0, WIRED
	lui	$9, 0x8000
1:	sll	$10, $8, 13
	or	$10, $10, $9
	mtc0	$10, ENTRYHI
	mtc0	$8, INDEX
	hazard
	tlbwi
	bnez	$8, 1b
	addiu	$8, $8, -1
	mtc0	$0, ENTRYHI

	la	$28, _gp
	la	$29, __stack_boot_end - 32

	la	$8, __data_load
	la	$9, __data_start
	la	$10, __data_end
1:	sltu	$11, $9, $10
	beqz	$11, 2f
	nop
	lw	$11, 0($8)
	addiu	$8, $8, 4
	sw	$11, 0($9)
	b	1b
	addiu	$9, $9, 4

2:	la	$9, __bss_start
	la	$10, __bss_end
3:	sltu	$11, $9, $10
	beqz	$11, 4f
	nop
	sw	$0, 0($9)
	b	3b
	addiu	$9, $9, 4

	/* TLB refill, general exception, interrupt: the same four instructions. */
4:	la	$8, arch_vector
	la	$9, __vectors
	lw	$10, 0($8)
	lw	$11, 4($8)
	lw	$12, 8($8)
	sw	$10, 0x000($9)
	sw	$11, 0x004($9)
	sw	$12, 0x008($9)
	sw	$0, 0x00c($9)
	sw	$10, 0x180($9)
	sw	$11, 0x184($9)
	sw	$12, 0x188($9)
	sw	$0, 0x18c($9)
#if __mips_isa_rev >= 2
	/* EBase may only be changed while BEV is set. */
	lui	$10, 0x0040
	mtc0	$10, STATUS
	hazard
	mtc0	$9, $15, 1
	hazard
	mtc0	$0, STATUS
	hazard
#endif
	la	$4, __vectors
	jal	mips_cache_sync
	li	$5, 0x200
	la	$8, kernel_main
	jr	$8
	nop

	/* void mips_cache_sync(uintptr_t address, size_t bytes): write back data lines, throw away
	 * instruction lines. Lines are at least 16 bytes. */
	.global	mips_cache_sync
	.type	mips_cache_sync, @function
mips_cache_sync:
	addu	$5, $4, $5
1:	sltu	$8, $4, $5
	beqz	$8, 2f
	nop
	cache	0x15, 0($4)
	cache	0x10, 0($4)
	b	1b
	addiu	$4, $4, 16
2:	sync
	jr.hb	$31
	nop

	/* void mips_restart(void) */
	.global	mips_restart
	.type	mips_restart, @function
mips_restart:
	mtc0	$0, STATUS
	hazard
	la	$8, _start
	jr.hb	$8
	nop

	/* void semihost_exit(unsigned status): UHI operation 1. Returns when nobody answers: then
	 * the debug exception has gone to the boot ROM, so it does not. */
	.global	semihost_exit
	.type	semihost_exit, @function
semihost_exit:
	li	$25, 1
	.word	0x7000007f	/* sdbbp 1 */
	jr	$31
	nop
