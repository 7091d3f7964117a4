/* SPDX-License-Identifier: BSD-2-Clause */
/* nested.c: the entry of its interrupt, and the store that raises it. */
	.syntax unified
	.arm

	.section .text.start, "ax"
	.global	firmware_irq
	.type	firmware_irq, %function
firmware_irq:
	sub	lr, lr, #4
	push	{r0-r3, r12, lr}
	mov	r0, lr
	bl	interrupted
	ldmfd	sp!, {r0-r3, r12, pc}^
	.size	firmware_irq, . - firmware_irq

	/* raise_by_store(place, value) */
	.text
	.global	raise_by_store
	.type	raise_by_store, %function
raise_by_store:
	str	r1, [r0]
	bx	lr
	.size	raise_by_store, . - raise_by_store
