/* SPDX-License-Identifier: BSD-2-Clause */
/* RISC-V, RV32 and RV64: a probed instruction of each kind. t6 is nobody's. State: the low halves of x0 to x31 with t6
 * as zero, then mstatus, then a sum of the high halves but for that of sp, which an interrupt may need. */
#if __riscv_xlen == 64
#define L    ld
#define S    sd
#define LW   lwu
#define WORD 8
#define DATA .dword
#else
#define L    lw
#define S    sw
#define LW   lw
#define WORD 4
#define DATA .word
#endif

	.option	norelax
	.text

	.macro	case name
	.balign	4
	.globl	case_\name
	.type	case_\name, @function
case_\name:
	.endm

	/* Two instructions that show what the first has done, and the way back. */
	.macro	way_back
	add	a3, a2, a4
	xor	a5, a4, ra
	la	t6, guest_return
	jr	t6
	.endm

	case	load			/* copied, with a jump back; may fault */
	lw	a2, 4(a6)
	way_back
	case	one_trap		/* copied, with a jump back behind it */
	sub	a2, a4, a5
	way_back
	case	half			/* the same, of 16 bits */
	c.sub	a4, a5
	way_back
	case	store
	sw	a4, 8(a6)
	way_back
	case	atomic
	amoadd.w a2, a4, (a6)
	way_back
	case	branch			/* taken; emulated */
	bne	a4, a5, 1f
	addi	a4, a4, 3
1:	way_back
	case	branch_half		/* not taken */
	c.beqz	a4, 1f
	addi	a4, a4, 3
1:	way_back
	case	call
	jal	a2, 1f
	nop
1:	way_back
	case	return			/* a copy that jumps out of the slot */
	c.jr	a7
	nop
	case	jump
	jalr	zero, 0(a7)
	nop
	.globl	guest_target
guest_target:
	way_back
	case	address
	auipc	a2, 5
	way_back
	case	status			/* reads the interrupt mask */
	csrr	a2, mstatus
	way_back
	case	unmask			/* writes it */
	csrrsi	a2, mstatus, 8
	way_back
	case	fault			/* for the firmware's own handler */
	.globl	guest_fault_site
guest_fault_site:
	.option	push
	.option	norvc
	lw	a2, 4(s1)
	.option	pop
	way_back

	/* void guest_run(const struct state *in, struct state *out, uintptr_t entry, count, odd) */
	.globl	guest_run
	.type	guest_run, @function
guest_run:
	la	t0, saved
	.irp	n, 1,2,3,4,8,9,18,19,20,21,22,23,24,25,26,27
	S	x\n, WORD*\n(t0)
	.endr
	S	a1, 0(t0)
	S	a2, WORD*5(t0)
	mv	t6, a3
	slli	a4, a4, 2
	la	t1, 1f
	sub	t1, t1, a4
	jr	t1
	.option	push
	.option	norvc
	nop
	nop
	nop
	.option	pop
1:	.irp	n, 1,2,3,4,5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	LW	x\n, 4*\n(a0)
	.endr
	LW	a0, 4*10(a0)
	.globl	guest_delay
guest_delay:
	addi	t6, t6, -1
	nop
	nop
	bnez	t6, guest_delay
	la	t6, saved
	L	t6, WORD*5(t6)
	jr	t6
	.globl	guest_delay_end
guest_delay_end:

	.globl	guest_return
	.type	guest_return, @function
guest_return:
	la	t6, saved
	L	t6, 0(t6)
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	sw	x\n, 4*\n(t6)
	.endr
	.globl	guest_return_end
guest_return_end:
#if __riscv_xlen == 64
	srli	ra, ra, 32
	.irp	n, 3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	srli	x\n, x\n, 32
	slli	ra, ra, 1
	add	ra, ra, x\n
	.endr
	sw	ra, 4*33(t6)
#endif
	csrr	a0, mstatus
	sw	a0, 4*32(t6)
	la	t0, saved
	.irp	n, 1,2,3,4,8,9,18,19,20,21,22,23,24,25,26,27
	L	x\n, WORD*\n(t0)
	.endr
	ret

	.section .rodata
	.macro	row name
	.section .rodata.names, "a"
9:	.asciz	"\name"
	.section .rodata
	DATA	9b, case_\name, case_\name
	.endm
	.globl	arrival_cases
	.balign	8
arrival_cases:
	.irp	n, load, one_trap, half, store, atomic, branch, branch_half, call, return, jump, address, status, unmask, fault
	row	\n
	.endr
	.globl	arrival_case_count
arrival_case_count:
	.word	(arrival_case_count - arrival_cases) / (3 * WORD)

	.bss
	.balign	8
saved:	.space	32*WORD

	.section .note.GNU-stack, "", @progbits
