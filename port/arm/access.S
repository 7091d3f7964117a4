/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single accesses whose abort is caught: entry.S continues an abort between dp_arm_access_begin
 * and _end at dp_arm_access_failed. An abort overwrites lr of abort mode, in which the agent runs,
 * so the return address waits in ip. One text for ARM state and Thumb-2; only branches are
 * conditional: in an IT block an abort would leave its state to what comes at the end.
 */
#ifndef DP_ARM_WITH_A32
#define DP_ARM_WITH_A32 1
#endif
#ifndef DP_ARM_WITH_RARE
#define DP_ARM_WITH_RARE 1
#endif

/* No Thumb instruction that is emulated stores, nor any that is common. */
#define DP_STORES (DP_ARM_WITH_A32 && DP_ARM_WITH_RARE)

/* ldrht and strht; where they are not, ldrbt and strbt move on by themselves. */
#if __ARM_ARCH >= 7 || defined(__ARM_ARCH_6T2__)
#define DP_HALF_AS_USER 1
#else
#define DP_HALF_AS_USER 0
#endif

	.syntax unified

	.macro	function name
	.global	\name
	.type	\name, %function
\name:
	.endm

	.section .text.dp_arm_access, "ax"
#ifdef __thumb2__
	.thumb
#else
	.arm
#endif
	.balign	4
	.global	dp_arm_access_begin
dp_arm_access_begin:

	/* bool dp_access_store(uint32_t address, unsigned width, const void *from) */
	function dp_access_store
	mov	ip, lr
	cmp	r1, #4
	bne	1f
	ldr	r3, [r2]
	str	r3, [r0]
	b	succeeded
1:	bhi	3f
	cmp	r1, #2
#if DP_STORES
	bhi	4f
#endif
	beq	2f
	ldrb	r3, [r2]
	strb	r3, [r0]
	b	succeeded
2:	ldrh	r3, [r2]
	strh	r3, [r0]
	b	succeeded
3:	ldrd	r2, r3, [r2]
	strd	r2, r3, [r0]
	b	succeeded
#if DP_STORES
4:	ldr	r3, [r2]
	stmia	r0!, {r3}
	b	succeeded

	/* The same as user mode may. What must be aligned and is not faults by the instruction it
	 * stands for, before permissions are looked at; before ARMv6 it is done as if it were. */
	function dp_arm_user_store
	mov	ip, lr
	cmp	r1, #2
	bhi	2f
#if DP_HALF_AS_USER
	beq	1f
	ldrb	r3, [r2]
	strbt	r3, [r0]
	b	succeeded
1:	ldrh	r3, [r2]
	strht	r3, [r0]
#else
	ldrb	r3, [r2], #1
	strbt	r3, [r0], #1
	bne	succeeded
	ldrb	r3, [r2]
	strbt	r3, [r0]
#endif
	b	succeeded
2:	ldr	r3, [r2]
	cmp	r1, #4
	beq	3f
	tst	r0, #3
	beq	3f
	stmia	r0!, {r3}
#if __ARM_ARCH < 7
	sub	r0, r0, #4
	bic	r0, r0, #3
#endif
3:	strt	r3, [r0]
	cmp	r1, #8
	bne	succeeded
	ldr	r3, [r2, #4]
	adds	r0, r0, #4
	strt	r3, [r0]
	b	succeeded
#endif

	function dp_arm_user_load
	mov	ip, lr
	cmp	r1, #2
	bhi	2f
#if DP_HALF_AS_USER
	beq	1f
	ldrbt	r3, [r0]
	b	byte
1:	ldrht	r3, [r0]
	b	half
#else
	ldrbt	r3, [r0], #1
	strb	r3, [r2], #1
	bne	succeeded
	ldrbt	r3, [r0]
	b	byte
#endif
2:	cmp	r1, #4
	beq	3f
	lsls	r3, r0, #30
	beq	3f
	ldmia	r0!, {r3}
#if __ARM_ARCH < 7
	sub	r0, r0, #4
	bic	r0, r0, #3
#endif
3:	ldrt	r3, [r0]
	cmp	r1, #8
	bne	word
	str	r3, [r2], #4
	adds	r0, r0, #4
	ldrt	r3, [r0]
	b	word

	/* bool dp_access_load(uint32_t address, unsigned width, void *to) */
	function dp_access_load
	mov	ip, lr
	cmp	r1, #4
	bne	1f
	ldr	r3, [r0]
word:	str	r3, [r2]

	/* What the bus reports late arrives here, not in the firmware. */
succeeded:
#if __ARM_ARCH >= 7
	dsb
#endif
	movs	r0, #1
	bx	ip

1:	bhi	3f
	cmp	r1, #2
	bhi	4f
	beq	2f
	ldrb	r3, [r0]
byte:	strb	r3, [r2]
	b	succeeded
2:	ldrh	r3, [r0]
half:	strh	r3, [r2]
	b	succeeded
3:	ldrd	r0, r1, [r0]
	strd	r0, r1, [r2]
	b	succeeded
4:	ldmia	r0!, {r3}
	b	word
	.global	dp_arm_access_end
dp_arm_access_end:

	.global	dp_arm_access_failed
dp_arm_access_failed:
	movs	r0, #0
	bx	ip

#if DP_STORES
	/* uint32_t dp_arm_store_pc(void) */
	.section .text.dp_arm_store_pc, "ax"
	.arm
	.balign	4 /* behind Thumb code, where both stand in one section */
	function dp_arm_store_pc
	sub	sp, sp, #8
1:	str	pc, [sp]
	ldr	r0, [sp]
	adr	r1, 1b
	sub	r0, r0, r1
	add	sp, sp, #8
	bx	lr
#endif
