/* SPDX-License-Identifier: BSD-2-Clause */
/* Semihosting exit with a status: SYS_EXIT_EXTENDED, "Semihosting for AArch32", section 6. */
	.syntax unified
	.arm
	.text
	.global	semihost_exit
	.type	semihost_exit, %function
semihost_exit:
	push	{r0, lr}
	push	{r0, r1}			/* two words for the block */
	ldr	r1, =0x20026			/* ADP_Stopped_ApplicationExit */
	str	r1, [sp]
	str	r0, [sp, #4]
	mov	r1, sp
	mov	r0, #0x20
	svc	#0x123456
	add	sp, sp, #8
	pop	{r0, pc}
