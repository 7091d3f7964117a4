/* SPDX-License-Identifier: BSD-2-Clause */
/* MIPS32: a probed instruction of each kind. $1 is nobody's: interrupts take k0 and k1. State: r0 to
 * r31 with $1, k0 and k1 as zero, then hi, lo, Status. */
	.set	noreorder
	.set	noat
	.text

	.macro	case name
	.globl	case_\name
	.type	case_\name, @function
case_\name:
	.endm

	/* Two instructions that show what the first has done, and the way back. */
	.macro	way_back
	addu	$10, $2, $4
	xor	$11, $4, $31
	lui	$1, %hi(guest_return)
	addiu	$1, $1, %lo(guest_return)
	jr	$1
	nop
	.endm

	case	load			/* copied, with a jump back; may fault */
	lw	$2, 4($6)
	way_back
	case	one_trap		/* copied, with a jump back behind it */
	subu	$2, $4, $5
	way_back
	case	two_trap		/* copied, with a second trap behind it */
	mfc0	$2, $15
	way_back
	case	store
	sw	$4, 8($6)
	way_back
	case	branch			/* taken; emulated with its delay slot */
	bne	$4, $5, 1f
	addiu	$4, $4, 3
	nop
	nop
1:	way_back
	case	branch_slow		/* a delay slot that runs from a copy */
	bgezal	$5, 1f
	madd	$4, $5
	nop
1:	way_back
	case	likely			/* not taken: the delay slot is skipped */
	beql	$4, $5, 1f
	addiu	$4, $4, 3
1:	way_back
	.globl	case_delay_slot
	.globl	delay_slot_entry
delay_slot_entry:			/* the probe is in the delay slot */
	bne	$4, $5, 1f
	.type	case_delay_slot, @function
case_delay_slot:
	mul	$2, $4, $5
	nop
1:	way_back
	case	status			/* reads the interrupt mask */
	mfc0	$2, $12
	way_back
	case	fault			/* for the firmware's own handler */
	.globl	guest_fault_site
guest_fault_site:
	lw	$2, 4($9)
	way_back
	case	jump
	jr	$25
	subu	$2, $4, $5
	nop
	.globl	guest_target
guest_target:
	way_back

	/* void guest_run(const struct state *in, struct state *out, uintptr_t entry, count, odd) */
	.globl	guest_run
	.type	guest_run, @function
guest_run:
	lw	$8, 16($29)
	la	$9, saved
	.irp	n, 16,17,18,19,20,21,22,23,28,29,30,31
	sw	$\n, 4*\n($9)
	.endr
	sw	$5, 0($9)
	sw	$6, 4($9)
	move	$1, $7
	sll	$8, $8, 2
	la	$9, 1f
	subu	$9, $9, $8
	jr	$9
	nop
	nop
	nop
	nop
1:	lw	$8, 128($4)
	lw	$9, 132($4)
	mthi	$8
	mtlo	$9
	.irp	n, 2,3,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
	lw	$\n, 4*\n($4)
	.endr
	lw	$4, 16($4)
	.globl	guest_delay
guest_delay:
	addiu	$1, $1, -1
	nop
	bnez	$1, guest_delay
	nop
	lui	$1, %hi(saved + 4)
	lw	$1, %lo(saved + 4)($1)
	jr	$1
	nop
	.globl	guest_delay_end
guest_delay_end:

	.globl	guest_return
	.type	guest_return, @function
guest_return:
	lui	$1, %hi(saved)
	lw	$1, %lo(saved)($1)
	.irp	n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30,31
	sw	$\n, 4*\n($1)
	.endr
	.globl	guest_return_end
guest_return_end:
	mfhi	$2
	sw	$2, 128($1)
	mflo	$2
	sw	$2, 132($1)
	mfc0	$2, $12
	sw	$2, 136($1)
	la	$9, saved
	.irp	n, 16,17,18,19,20,21,22,23,28,29,30,31
	lw	$\n, 4*\n($9)
	.endr
	jr	$31
	nop

	.section .rodata
	.macro	row name, entry
	.section .rodata.names, "a"
9:	.asciz	"\name"
	.section .rodata
	.word	9b, case_\name, \entry
	.endm
	.globl	arrival_cases
	.align	2
arrival_cases:
	.irp	n, load, one_trap, two_trap, store, branch, branch_slow, likely, status, fault, jump
	row	\n, case_\n
	.endr
	row	delay_slot, delay_slot_entry
	.globl	arrival_case_count
arrival_case_count:
	.word	(arrival_case_count - arrival_cases) / 12

	.bss
	.align	2
saved:	.space	128
