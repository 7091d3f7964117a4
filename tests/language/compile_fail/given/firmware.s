@ SPDX-License-Identifier: BSD-2-Clause
@ Firmware for programs that need some: ARM code with a literal in it, Thumb code, data.
	.syntax unified
	.text
	.arm
	.global arm_func
	.type arm_func, %function
arm_func:
	push {r4, lr}
	ldr r0, =0x12345678
	pop {r4, pc}
	.ltorg
	.size arm_func, . - arm_func
	.thumb
	.global thumb_func
	.type thumb_func, %function
	.thumb_func
thumb_func:
	push {r4, lr}
	bl arm_func
	pop {r4, pc}
	.size thumb_func, . - thumb_func
	.arm
	.global irq_func
	.type irq_func, %function
irq_func:
	subs pc, lr, #4
	.size irq_func, . - irq_func
	.data
	.global counter
	.type counter, %object
counter:
	.word 7
	.size counter, 4
