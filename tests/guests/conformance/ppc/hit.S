/* SPDX-License-Identifier: BSD-2-Clause */
/* Reach a site with every register as the case wants it, the stack pointer too, and come back. */
	.text

	.global	cpu_hit
	.type	cpu_hit, @function
cpu_hit:				/* r3: r0..r31, r4: the site */
	stwu	1, -96(1)
	mflr	0
	stw	0, 100(1)
	mfcr	0
	stw	0, 8(1)
	stmw	13, 16(1)
	stw	2, 12(1)
	lis	5, saved_sp@ha
	stw	1, saved_sp@l(5)
	mtctr	4
	lwz	0, 0(3)
	lwz	1, 4(3)
	lwz	2, 8(3)
	lmw	4, 16(3)
	lwz	3, 12(3)
	bctr

	.global	guest_return
	.type	guest_return, @function
guest_return:
	mtctr	1			/* the way here has used it */
	lis	1, guest_left@ha
	la	1, guest_left@l(1)
	stw	0, 0(1)
	stmw	2, 8(1)
	mfctr	0
	stw	0, 4(1)
	lis	1, saved_sp@ha
	lwz	1, saved_sp@l(1)
	lwz	2, 12(1)
	lmw	13, 16(1)
	lwz	0, 8(1)
	mtcr	0
	lwz	0, 100(1)
	mtlr	0
	addi	1, 1, 96
	blr

	.bss
	.align	2
saved_sp:
	.space	4
	.global	guest_left
guest_left:
	.space	32 * 4

	.section .note.GNU-stack, "", @progbits
