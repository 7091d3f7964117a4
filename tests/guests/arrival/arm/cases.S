/* SPDX-License-Identifier: BSD-2-Clause */
/* ARM and Thumb: a probed instruction of each kind. r12 is nobody's. State: r0 to r14 with r12 as
 * zero, then the flags and the interrupt mask. */
	.syntax unified
	.text

	.macro	case name
	.balign	4
	.globl	case_\name
	.type	case_\name, %function
case_\name:
	.endm

	.macro	way_back
	add	r10, r0, r1
	eor	r11, r1, lr
	ldr	r12, =guest_return
	bx	r12
	.ltorg
	.endm

	.arm
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
	case	condition		/* that does not hold */
	subeq	r0, r1, r2
	way_back
	case	literal
	ldr	r0, =0x12345678
	way_back
	case	status			/* reads the interrupt mask */
	mrs	r0, cpsr
	way_back
	case	fault			/* for the firmware's own handler */
	.globl	guest_fault_site
guest_fault_site:
	ldr	r0, [r9, #4]
	way_back
	case	jump
	add	pc, pc, #4
	nop
	nop
	nop
	way_back

	.macro	thumb_way_back
	.balign	4
	adds	r2, r0, r1
	mov	r11, r2
	bx	pc
	.balign	4
	.arm
	ldr	r12, =guest_return
	bx	r12
	.ltorg
	.thumb
	.endm

	.thumb
	case	t_load
	ldr	r0, [r4, #4]
	thumb_way_back
	case	t_arithmetic
	subs	r0, r1, r2
	thumb_way_back
	case	t_branch
	bmi	1f
	adds	r1, #1
	thumb_way_back
1:	adds	r1, #3
	thumb_way_back
	case	t_literal
	ldr	r0, 2f
	b	1f
2:	.word	0x12345678
1:	thumb_way_back
#if __ARM_ARCH >= 7
	.globl	t_block_entry
	.balign	4
	.type	t_block_entry, %function
t_block_entry:				/* the probe is in an IT block */
	ite	mi
	.globl	case_t_block
	.type	case_t_block, %function
case_t_block:
	addmi	r0, r1
	addpl	r0, r2
	thumb_way_back
	case	t_wide
	ubfx	r0, r1, #3, #9
	thumb_way_back
	case	t_compare
	cbnz	r0, 1f
	adds	r1, #1
	nop
1:	thumb_way_back
#endif

	/* void guest_run(const struct state *in, struct state *out, uintptr_t entry, count, odd) */
	.arm
	.balign	4
	.globl	guest_run
	.type	guest_run, %function
guest_run:
	ldr	r12, [sp]
	push	{r4-r12, lr}
	ldr	lr, =saved
	str	r1, [lr]
	str	r2, [lr, #4]
	str	sp, [lr, #8]
	ldr	r1, [r0, #60]
	str	r1, [lr, #12]
	add	r2, r3, #0
	str	r2, [lr, #16]
	rsb	r12, r12, #3
	add	pc, pc, r12, lsl #2
	nop
	nop
	nop
	nop
	ldr	r13, [r0, #52]
	ldr	r14, [r0, #56]
	ldmia	r0, {r0-r11}
	ldr	r12, saved_at
	ldr	r12, [r12, #16]
	.globl	guest_delay
guest_delay:
	subs	r12, r12, #1
	nop
	nop
	bne	guest_delay
	ldr	r12, saved_at
	ldr	r12, [r12, #12]
	msr	cpsr_f, r12
	ldr	r12, saved_at
	ldr	r12, [r12, #4]
	bx	r12
	.globl	guest_delay_end
guest_delay_end:
saved_at:
	.word	saved

	.globl	guest_return
	.type	guest_return, %function
guest_return:
	ldr	r12, saved_at
	ldr	r12, [r12]
	str	r0, [r12]
	str	r1, [r12, #4]
	str	r2, [r12, #8]
	str	r3, [r12, #12]
	str	r4, [r12, #16]
	str	r5, [r12, #20]
	str	r6, [r12, #24]
	str	r7, [r12, #28]
	str	r8, [r12, #32]
	str	r9, [r12, #36]
	str	r10, [r12, #40]
	str	r11, [r12, #44]
	str	sp, [r12, #52]
	str	lr, [r12, #56]
	mrs	r0, cpsr
	str	r0, [r12, #60]
	.globl	guest_return_end
guest_return_end:
	ldr	r12, saved_at
	ldr	sp, [r12, #8]
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
	.irp	n, load, arithmetic, multiple, store, branch, condition, literal, status, fault, jump
	row	\n, case_\n
	.endr
	.irp	n, t_load, t_arithmetic, t_branch, t_literal
	row	\n, case_\n
	.endr
#if __ARM_ARCH >= 7
	row	t_block, t_block_entry
	row	t_wide, case_t_wide
	row	t_compare, case_t_compare
#endif
	.globl	arrival_case_count
arrival_case_count:
	.word	(arrival_case_count - arrival_cases) / 12

	.bss
	.balign	4
saved:	.space	32
