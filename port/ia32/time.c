/* SPDX-License-Identifier: BSD-2-Clause */
/* This file supplies the interrupt mask, the CPU number and the time stamp. */
#include "ia32_port.h"

static uint32_t eflags(void)
{
	uint32_t value;

	__asm__ volatile("pushf\n\tpop %0" : "=r"(value) : : "memory");
	return value;
}

dp_irq dp_port_mask(void)
{
	const uint32_t saved = eflags() & DP_FLAG_IF;

	__asm__ volatile("cli" ::: "memory");
	return saved;
}

void dp_port_unmask(dp_irq saved)
{
	if (saved != 0)
		__asm__ volatile("sti" ::: "memory");
}

#if DP_WITH_SHARED_LINE
bool dp_port_unmasked(void)
{
	return (eflags() & DP_FLAG_IF) != 0;
}
#endif

unsigned dp_port_cpu_number(void)
{
	return 0;
}

#if DP_WITH_STREAM
/* The time-stamp counter, if the board says how fast it runs. SDM 3B 17.17 */
uint64_t dp_port_ticks(void)
{
	uint32_t low, high;

	if (dp_port_tick_hz() == 0)
		return 0;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

uint32_t dp_port_tick_hz(void)
{
	return dp_ia32->board->ticks == NULL ? dp_ia32->board->tick_hz : 0;
}
#endif
