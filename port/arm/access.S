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
	ldrheq	r3, [r0]
	strheq	r3, [r2]
	ldrbne	r3, [r0]
	strbne	r3, [r2]
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
	ldrheq	r3, [r2]
	strheq	r3, [r0]
	ldrbne	r3, [r2]
	strbne	r3, [r0]
	b	succeeded
1:	ldrd	r2, r3, [r2]
	strd	r2, r3, [r0]
	b	succeeded

	/* One word each, by the instruction whose alignment rules they stand for. */
load_one:
	mov	ip, lr
	ldmia	r0, {r3}
	str	r3, [r1]
	b	succeeded
store_one:
	mov	ip, lr
	ldr	r3, [r1]
	stmia	r0, {r3}

	b	succeeded

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

	/* unsigned dp_arm_load_words(uint32_t address, unsigned count, uint32_t *to), and store */
	.section .text.dp_arm_words, "ax"
	function dp_arm_load_words
	adr	r3, load_step
	b	words
	function dp_arm_store_words
	adr	r3, store_step
words:	push	{r4-r8, lr}
	mov	r4, r0
	mov	r5, r1
	mov	r6, r2
	mov	r7, r3
	mov	r8, #0
1:	cmp	r8, r5
	bhs	2f
	add	r0, r4, r8, lsl #2
	add	r1, r6, r8, lsl #2
	mov	lr, pc
	bx	r7
	cmp	r0, #0
	addne	r8, r8, #1
	bne	1b
2:	mov	r0, r8
	pop	{r4-r8, lr}
	bx	lr
load_step:
	b	load_one
store_step:
	b	store_one

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
