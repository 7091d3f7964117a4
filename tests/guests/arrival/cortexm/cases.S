/* SPDX-License-Identifier: BSD-2-Clause */
/* Cortex-M: a probed instruction of each kind. r12 is nobody's. State: r0 to r14 with r12 as zero,
 * then the flags and PRIMASK, BASEPRI and CONTROL. */
	.syntax unified
	.thumb
	.text

	.macro	label name
	.globl	\name
	.thumb_func
	.type	\name, %function
\name:
	.endm

	.macro	case name
	.balign	4
	label	case_\name
	.endm

	.macro	way_back
	add	r10, r0, r1
	eor	r11, r1, lr
	ldr	r12, =come_back
	bx	r12
	.ltorg
	.endm

	case	load
	ldr	r0, [r4, #4]
	way_back
	case	arithmetic
	subs	r0, r1, r2
	way_back
	case	multiple
	ldmia	r4!, {r0, r1, r3}
	way_back
	case	store
	strb	r1, [r4, #9]
	way_back
	case	branch
	bl	1f
	nop
	nop
1:	way_back
	case	untaken		/* its condition does not hold */
	beq	1f
	adds	r0, r1, r2
1:	way_back
	.balign	4
	label	block_entry		/* the probe is in an IT block */
	ite	mi
	label	case_block
	addmi	r0, r1
	addpl	r0, r2
	way_back
	case	literal
	ldr	r0, 2f
	b	1f
	.balign	4
2:	.word	0x12345678
1:	way_back
	case	status			/* reads the interrupt mask */
	mrs	r0, primask
	way_back
	case	fault			/* for the firmware's own handler */
	.globl	guest_fault_site
guest_fault_site:
	ldr.w	r0, [r9, #4]
	way_back
	case	return			/* its copy leaves the slot */
	bx	r8
	nop
	label	guest_target
	way_back
	case	wide
	ubfx	r0, r1, #3, #9
	way_back
	case	divide			/* may fault: two traps */
	udiv	r0, r1, r2
	way_back
	case	compare
	cbnz	r0, 1f
	adds	r1, #1
	nop
1:	way_back

	/* void guest_run(const struct state *in, struct state *out, uintptr_t entry, count, odd) */
	.balign	4
	label	guest_run
	ldr	r12, [sp]
	push	{r4-r12, lr}
	ldr	lr, =saved
	str	r1, [lr]
	str	r2, [lr, #4]
	mov	r1, sp
	str	r1, [lr, #8]
	ldr	r1, [r0, #60]
	str	r1, [lr, #12]
	str	r3, [lr, #16]
	rsb	r12, r12, #3
	adr.w	r1, 1f
	add	r1, r1, r12, lsl #1
	orr	r1, r1, #1
	bx	r1
	.balign	4
1:	nop
	nop
	nop
	ldr	r1, [r0, #52]
	mov	sp, r1
	ldr	lr, [r0, #56]
	ldm.w	r0, {r0-r11}
	ldr.w	r12, saved_at
	ldr	r12, [r12, #16]
	.globl	guest_delay
guest_delay:
	subs.w	r12, r12, #1
	nop
	nop
	bne	guest_delay
	ldr.w	r12, saved_at
	ldr	r12, [r12, #12]
	msr	apsr_nzcvq, r12
	ldr.w	r12, saved_at
	ldr	r12, [r12, #4]
	bx	r12
	.globl	guest_delay_end
guest_delay_end:
	.balign	4
saved_at:
	.word	saved

	label	come_back
	.globl	guest_return
guest_return:
	ldr.w	r12, saved_at
	ldr	r12, [r12]
	stm.w	r12, {r0-r11}
	str	lr, [r12, #56]
	mov	r0, sp
	str	r0, [r12, #52]
	mrs	r0, apsr
	str	r0, [r12, #60]
	mrs	r0, primask
	str	r0, [r12, #64]
	mrs	r0, basepri
	str	r0, [r12, #68]
	mrs	r0, control
	str	r0, [r12, #72]
	.globl	guest_return_end
guest_return_end:
	ldr.w	r12, saved_at
	ldr	r0, [r12, #8]
	mov	sp, r0
	pop	{r4-r12, pc}
	.ltorg

	.macro	row name, entry
	.section .rodata.names, "a"
9:	.asciz	"\name"
	.section .rodata
	.word	9b, case_\name, \entry
	.endm
	.section .rodata
	.globl	arrival_cases
	.balign	4
arrival_cases:
	.irp	n, load, arithmetic, multiple, store, branch, literal, status, fault, return, wide, divide, compare, untaken
	row	\n, case_\n
	.endr
	row	block, block_entry
	.globl	arrival_case_count
arrival_case_count:
	.word	(arrival_case_count - arrival_cases) / 12

	.bss
	.balign	4
saved:	.space	32
