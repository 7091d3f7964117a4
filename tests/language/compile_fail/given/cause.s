# SPDX-License-Identifier: BSD-2-Clause
# Firmware of a MIPS CPU with an instruction that does not do under a probe all that it does without.
	.set noreorder
	.text
	.global mips_func
	.type mips_func, @function
mips_func:
	mfc0 $2, $13
	jr $31
	nop
	.size mips_func, . - mips_func
