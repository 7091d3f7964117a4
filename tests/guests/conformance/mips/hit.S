/* SPDX-License-Identifier: BSD-2-Clause */
/* Reach a site with every register as the case wants it, the stack pointer too, and come back. k0 is
 * nobody's. */
	.set	noreorder
	.set	noat
	.text

	.global	cpu_hit
	.type	cpu_hit, @function
cpu_hit:				/* a0: r0..r31, a1: the site */
	addiu	$29, $29, -48
	.irp	n, 16,17,18,19,20,21,22,23
	sw	$\n, 4*(\n-16)($29)
	.endr
	sw	$28, 32($29)
	sw	$30, 36($29)
	sw	$31, 40($29)
	la	$26, saved_sp
	sw	$29, 0($26)
	move	$26, $5
	.irp	n, 1,2,3,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
	lw	$\n, 4*\n($4)
	.endr
	jr	$26
	lw	$4, 16($4)

	.global	guest_return
	.type	guest_return, @function
guest_return:
	la	$26, guest_left
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
	sw	$\n, 4*\n($26)
	.endr
	la	$26, saved_sp
	lw	$29, 0($26)
	.irp	n, 16,17,18,19,20,21,22,23
	lw	$\n, 4*(\n-16)($29)
	.endr
	lw	$28, 32($29)
	lw	$30, 36($29)
	lw	$31, 40($29)
	jr	$31
	addiu	$29, $29, 48

	.bss
	.align	2
saved_sp:
	.space	4
	.global	guest_left
guest_left:
	.space	32 * 4
