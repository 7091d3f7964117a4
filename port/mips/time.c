/* SPDX-License-Identifier: BSD-2-Clause */
/* This file supplies the interrupt mask, the CPU number and the time stamp. */
#include "mips_port.h"

#define DP_EBASE "$15, 1"

dp_irq dp_port_mask(void)
{
	uint32_t status;

	DP_MIPS_GET(status, DP_MIPS_STATUS);
	DP_MIPS_PUT(status & ~(uint32_t)DP_STATUS_IE, DP_MIPS_STATUS);
	return status & DP_STATUS_IE;
}

void dp_port_unmask(dp_irq saved)
{
	uint32_t status;

	DP_MIPS_GET(status, DP_MIPS_STATUS);
	DP_MIPS_PUT((status & ~(uint32_t)DP_STATUS_IE) | saved, DP_MIPS_STATUS);
}

#if DP_WITH_SHARED_LINE
bool dp_port_unmasked(void)
{
	const uint32_t all = DP_STATUS_IE | DP_STATUS_EXL | DP_STATUS_ERL;
	uint32_t status;

	DP_MIPS_GET(status, DP_MIPS_STATUS);
	return (status & all) == DP_STATUS_IE;
}
#endif

unsigned dp_port_cpu_number(void)
{
#if DP_PORT_CPUS > 1
	uint32_t ebase;

	DP_MIPS_GET(ebase, DP_EBASE);
	return ebase & 0x3ff;
#else
	return 0;
#endif
}

#if DP_WITH_STREAM
/* Count, if the board supplies the rate of Count. Some kernels set Count back: such a board has
 * a clock of its own. */
uint64_t dp_port_ticks(void)
{
	uint32_t now;
	uint64_t result;
	dp_irq irq;

	if (dp_port_tick_hz() == 0)
		return 0;
	irq = dp_port_mask();
	now = DP_PORT_COUNTER();
	if (now < dp_mips->ticks_last)
		dp_mips->ticks_high++;
	dp_mips->ticks_last = now;
	result = (uint64_t)dp_mips->ticks_high << 32 | now;
	dp_port_unmask(irq);
	return result;
}

uint32_t dp_port_tick_hz(void)
{
	return dp_mips->board->ticks == NULL ? dp_mips->board->tick_hz : 0;
}
#endif
