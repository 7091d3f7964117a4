/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single accesses whose fault is caught: entry.S continues a fault from dp_cortexm_access_begin on,
 * inside dp_cortexm_access_bytes, at dp_cortexm_access_failed.
 */
#include "dp_port_cpu.h"

	.syntax unified
	.thumb

	.macro	function name
	.global	\name
	.thumb_func
	.type	\name, %function
\name:
	.endm

	.section .text.dp_cortexm_access, "ax"
	.balign	4

	/* bool dp_access_store(uint32_t address, unsigned width, const void *from) */
	function dp_access_store
#if DP_CORTEXM_HAS_FAULTS
	ldr	r3, =DP_SCS_SHCSR
	ldr	r3, [r3]
	mov	r12, r3
#endif
	.global	dp_cortexm_access_begin
dp_cortexm_access_begin:
	cmp	r1, #2
	bhi	2f
	beq	1f
	ldrb	r3, [r2]
	strb	r3, [r0]
	b	stored
1:	ldrh	r3, [r2]
	strh	r3, [r0]
	b	stored
2:	ldr	r3, [r2]
	str	r3, [r0]
stored:
#if DP_CORTEXM_HAS_FAULTS
	/* What the bus reports late arrives here, not in the firmware: at once; or, where BusFault is
	 * enabled and masked, it waits.  DDI 0403E B1.5.14 */
	dsb
	ldr	r3, =DP_SCS_SHCSR
	ldr	r0, [r3]
	mov	r1, r12
	mvns	r1, r1
	ands	r1, r0
	lsls	r1, r1, #31 - DP_SHCSR_BUS_PENDED_BIT
	bpl	succeeded
	movs	r1, #1
	lsls	r1, r1, #DP_SHCSR_BUS_PENDED_BIT
	bics	r0, r1
	str	r0, [r3]
	ldr	r0, =DP_CFSR_IMPRECISE
	str	r0, [r3, #4]		/* CFSR */
	b	dp_cortexm_access_failed
#else
	b	succeeded
#endif

#if DP_CORTEXM_HAS_FAULTS
	/* bool dp_cortexm_user_load(uint32_t address, unsigned width, void *to) */
	function dp_cortexm_user_load
	cmp	r1, #2
	bhi	2f
	beq	1f
	ldrbt	r3, [r0]
	b	byte
1:	ldrht	r3, [r0]
	b	half
2:	ldrt	r3, [r0]
	b	word
#endif

	/* bool dp_access_load(uint32_t address, unsigned width, void *to) */
	function dp_access_load
	cmp	r1, #2
	bhi	2f
	beq	1f
	ldrb	r3, [r0]
byte:	strb	r3, [r2]
	b	succeeded
1:	ldrh	r3, [r0]
half:	strh	r3, [r2]
	b	succeeded
2:	ldr	r3, [r0]
word:	str	r3, [r2]

succeeded:
	dsb
	movs	r0, #1
	bx	lr
	.global	dp_cortexm_access_bytes
	.equ	dp_cortexm_access_bytes, . - dp_cortexm_access_begin

	.global	dp_cortexm_access_failed
dp_cortexm_access_failed:
	movs	r0, #0
	bx	lr
	.ltorg

#ifdef __ARM_ARCH_6M__
	/* For a switch: behind the call is a table of distances in halfwords, from the table itself.
	 * r0: which one. All registers but flags and lr stay.  dp_port_cpu.h */
	.macro	case name, load, scale
	function dprobes_cortexm_case_\name
	push	{r0, r1}
	mov	r1, lr
	subs	r1, #1			/* bit 0 */
	.if	\scale
	lsls	r0, r0, #\scale
	.endif
	\load	r0, [r1, r0]
	lsls	r0, r0, #1
	add	lr, lr, r0
	pop	{r0, r1}
	bx	lr
	.endm
	case	uqi, ldrb, 0
	case	sqi, ldrsb, 0
	case	uhi, ldrh, 1
	case	shi, ldrsh, 1
#endif
