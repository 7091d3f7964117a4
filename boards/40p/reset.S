/* SPDX-License-Identifier: BSD-2-Clause */
/* Jump from the reset vector to _start. */
	.section .reset, "a"	/* not of the text that the agent knows */
	lis	12, _start@ha
	addi	12, 12, _start@l
	mtctr	12
	bctr
