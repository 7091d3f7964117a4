/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single accesses whose fault is caught: a fault between dp_mips_access_begin and _end continues at
 * dp_mips_access_failed. No access is in a delay slot, so EPC is the address of the access.
 */
	.set	noreorder
	.set	noat

	.macro	function name
	.global	\name
	.type	\name, @function
\name:
	.endm

	.section .text.dp_mips_access, "ax"
	.global	dp_mips_access_begin
dp_mips_access_begin:

	/* bool dp_access_load(dp_addr address, unsigned width, void *to) */
	function dp_access_load
	addiu	$8, $5, -4
	beqz	$8, 1f
	addiu	$8, $5, -2
	beqz	$8, 2f
	nop
	lbu	$9, 0($4)
	sb	$9, 0($6)
	jr	$31
	li	$2, 1
1:	lw	$9, 0($4)
	sw	$9, 0($6)
	jr	$31
	li	$2, 1
2:	lhu	$9, 0($4)
	sh	$9, 0($6)
	jr	$31
	li	$2, 1

	/* bool dp_access_store(dp_addr address, unsigned width, const void *from) */
	function dp_access_store
	addiu	$8, $5, -4
	beqz	$8, 1f
	addiu	$8, $5, -2
	beqz	$8, 2f
	nop
	lbu	$9, 0($6)
	sb	$9, 0($4)
	b	3f
	nop
1:	lw	$9, 0($6)
	sw	$9, 0($4)
	b	3f
	nop
2:	lhu	$9, 0($6)
	sh	$9, 0($4)
	/* What the bus reports late arrives here, not in the firmware. */
3:	sync
	jr	$31
	li	$2, 1
	.global	dp_mips_access_end
dp_mips_access_end:

	.global	dp_mips_access_failed
dp_mips_access_failed:
	jr	$31
	li	$2, 0
