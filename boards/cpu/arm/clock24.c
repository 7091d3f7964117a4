/* SPDX-License-Identifier: BSD-2-Clause */
/* 64 bits from a 32-bit counter that wraps each 179 s. The tick reads it often enough. */
#include "arch.h"
#include "arm_board.h"

BOARD_HIT_PATH uint64_t clock24_read(uintptr_t counter)
{
	static uint32_t last, wraps;
	unsigned state = arch_hit_irq_save();
	uint32_t now = reg_read(counter, 0);
	uint64_t result;

	if (now < last)
		wraps++;
	last = now;
	result = (uint64_t)wraps << 32 | now;
	arch_hit_irq_restore(state);
	return result;
}
