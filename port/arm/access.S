/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single accesses whose abort is caught: entry.S continues an abort between dp_arm_access_begin
 * and _end at dp_arm_access_failed. An abort overwrites lr of abort mode, in which the agent runs,
 * so the return address waits in ip. ARM state on every core.
 */
	.syntax unified
	.arm

	.macro	function name
	.global	\name
	.type	\name, %function
\name:
	.endm

	.section .text.dp_arm_access, "ax"
	.global	dp_arm_access_begin
dp_arm_access_begin:

	/* bool dp_access_load(uint32_t address, unsigned width, void *to) */
	function dp_access_load
	mov	ip, lr
	cmp	r1, #4
	ldreq	r3, [r0]
	streq	r3, [r2]
	beq	succeeded
	bhi	1f
	cmp	r1, #2
	ldmiahi	r0, {r3}
	strhi	r3, [r2]
	ldrheq	r3, [r0]
	strheq	r3, [r2]
	ldrblo	r3, [r0]
	strblo	r3, [r2]
	b	succeeded
1:	ldrd	r0, r1, [r0]
	strd	r0, r1, [r2]
	b	succeeded

	/* bool dp_access_store(uint32_t address, unsigned width, const void *from) */
	function dp_access_store
	mov	ip, lr
	cmp	r1, #4
	ldreq	r3, [r2]
	streq	r3, [r0]
	beq	succeeded
	bhi	1f
	cmp	r1, #2
	ldrhi	r3, [r2]
	stmiahi	r0, {r3}
	ldrheq	r3, [r2]
	strheq	r3, [r0]
	ldrblo	r3, [r2]
	strblo	r3, [r0]
	b	succeeded
1:	ldrd	r2, r3, [r2]
	strd	r2, r3, [r0]
	b	succeeded

	/* The same as user mode may. What must be aligned and is not faults by the instruction it
	 * stands for, before permissions are looked at. */
	function dp_arm_user_load
	mov	ip, lr
	cmp	r1, #2
	bhi	1f
#if __ARM_ARCH >= 7
	ldrhteq	r3, [r0]
	strheq	r3, [r2]
	ldrbtlo	r3, [r0]
	strblo	r3, [r2]
#else
	ldrbt	r3, [r0], #1
	strb	r3, [r2], #1
	ldrbteq	r3, [r0]
	strbeq	r3, [r2]
#endif
	b	succeeded
1:	cmp	r1, #4
	tstne	r0, #3
	ldmiane	r0, {r3}
	bicne	r0, r0, #3
	ldrt	r3, [r0], #4
	str	r3, [r2]
	cmp	r1, #8
	ldrteq	r3, [r0]
	streq	r3, [r2, #4]
	b	succeeded

	function dp_arm_user_store
	mov	ip, lr
	cmp	r1, #2
	bhi	1f
#if __ARM_ARCH >= 7
	ldrheq	r3, [r2]
	strhteq	r3, [r0]
	ldrblo	r3, [r2]
	strbtlo	r3, [r0]
#else
	ldrb	r3, [r2], #1
	strbt	r3, [r0], #1
	ldrbeq	r3, [r2]
	strbteq	r3, [r0]
#endif
	b	succeeded
1:	ldr	r3, [r2]
	cmp	r1, #4
	tstne	r0, #3
	stmiane	r0, {r3}
	bicne	r0, r0, #3
	strt	r3, [r0], #4
	cmp	r1, #8
	ldreq	r3, [r2, #4]
	strteq	r3, [r0]
	b	succeeded

#if !defined(DP_ARM_WITH_QUICK) || DP_ARM_WITH_QUICK
	/* uint32_t dp_arm_push(uint32_t list, uint32_t sp, const uint32_t *behind): store the
	 * registers of the list below sp, from the array of 16 that ends at `behind`. Returns the new
	 * sp, 0 when an access failed. Two at a time: C has the higher one's bit, N the lower's. */
	function dp_arm_push
	mov	ip, lr
	movs	r0, r0, lsl #17
	ldmdb	r2!, {r3, lr}
	strmi	r3, [r1, #-4]!
	.rept	7
	movs	r0, r0, lsl #2
	ldmdb	r2!, {r3, lr}
	strcs	lr, [r1, #-4]!
	strmi	r3, [r1, #-4]!
	.endr
#if __ARM_ARCH >= 7
	dsb
#endif
	mov	r0, r1
	bx	ip
#endif

	/* What the bus reports late arrives here, not in the firmware. */
succeeded:
#if __ARM_ARCH >= 7
	dsb
#endif
	mov	r0, #1
	bx	ip
	.global	dp_arm_access_end
dp_arm_access_end:

	.global	dp_arm_access_failed
dp_arm_access_failed:
	mov	r0, #0
	bx	ip

	/* uint32_t dp_arm_store_pc(void) */
	.section .text.dp_arm_store_pc, "ax"
	function dp_arm_store_pc
	sub	sp, sp, #8
1:	str	pc, [sp]
	ldr	r0, [sp]
	adr	r1, 1b
	sub	r0, r0, r1
	add	sp, sp, #8
	bx	lr
