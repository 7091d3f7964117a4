/* SPDX-License-Identifier: BSD-2-Clause */
/* This file supplies the interrupt mask, the CPU number and the time stamp. */
#include "ppc_port.h"

/* External and decrementer interrupts, on BookE critical ones too. Machine checks are not masked.
 */
dp_irq dp_port_mask(void)
{
	uint32_t msr = dp_ppc_msr();

	dp_ppc_msr_put(msr & ~(uint32_t)DP_MSR_MASK);
	return msr & DP_MSR_MASK;
}

void dp_port_unmask(dp_irq saved)
{
	dp_ppc_msr_put((dp_ppc_msr() & ~(uint32_t)DP_MSR_MASK) | saved);
}

#if DP_WITH_SHARED_LINE
bool dp_port_unmasked(void)
{
	return (dp_ppc_msr() & DP_MSR_EE) != 0;
}
#endif

unsigned dp_port_cpu_number(void)
{
	return 0;
}

#if DP_WITH_STREAM
/* The time base, if the board says how fast it runs. */
uint64_t dp_port_ticks(void)
{
	uint32_t high, low, again;

	if (dp_port_tick_hz() == 0)
		return 0;
	for (;;) {
		__asm__ volatile("mftbu %0\n\tmftb %1\n\tmftbu %2"
				 : "=&r"(high), "=&r"(low), "=&r"(again));
		if (high == again)
			break;
	}
	return (uint64_t)high << 32 | low;
}

uint32_t dp_port_tick_hz(void)
{
	return dp_ppc->board->ticks == NULL ? dp_ppc->board->tick_hz : 0;
}
#endif
