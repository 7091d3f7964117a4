/* SPDX-License-Identifier: BSD-2-Clause */
/* This file supplies the interrupt mask, the CPU number and the time stamp. */
#include "cortexm_port.h"

dp_irq dp_port_mask(void)
{
	uint32_t primask;

	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory");
	return primask;
}

void dp_port_unmask(dp_irq saved)
{
	__asm__ volatile("msr primask, %0" ::"r"(saved) : "memory");
}

/* A handler masks its own level, at least. */
#if DP_WITH_SHARED_LINE
bool dp_port_unmasked(void)
{
	uint32_t primask, level, other = 0;

	__asm__ volatile("mrs %0, primask" : "=r"(primask));
	__asm__ volatile("mrs %0, ipsr" : "=r"(level));
#if DP_CORTEXM_HAS_FAULTS
	__asm__ volatile("mrs %0, basepri" : "=r"(other));
#endif
	return (primask | level | other) == 0;
}
#endif

unsigned dp_port_cpu_number(void)
{
	return 0;
}

#if DP_WITH_STREAM
#ifdef DP_PORT_COUNTER
#define DP_DWT_CTRL  (*(volatile uint32_t *)0xe0001000u)
#define DP_TRCENA    0x01000000u
#define DP_CYCCNTENA 1u

/* The cycle counter, if it counts: some cores have none. The board supplies the frequency. Without
 * a frequency, or with another clock, the port does not touch the counter.  DDI 0403E C1.8 */
void dp_cortexm_time_init(void)
{
	uint32_t before;

	if (dp_cortexm->board->ticks != NULL || dp_cortexm->board->tick_hz == 0)
		return;
	DP_SCS(DEMCR) |= DP_TRCENA;
	DP_DWT_CTRL |= DP_CYCCNTENA;
	before = DP_PORT_COUNTER();
	for (unsigned i = 0; i < 100 && !dp_cortexm->ticks_run; i++)
		dp_cortexm->ticks_run = DP_PORT_COUNTER() != before;
}

uint64_t dp_port_ticks(void)
{
	uint32_t now;
	dp_irq irq;

	if (!dp_cortexm->ticks_run)
		return 0;
	irq = dp_port_mask();
	now = DP_PORT_COUNTER();
	if (now < dp_cortexm->ticks_last)
		dp_cortexm->ticks_high++;
	dp_cortexm->ticks_last = now;
	dp_port_unmask(irq);
	return (uint64_t)dp_cortexm->ticks_high << 32 | now;
}

uint32_t dp_port_tick_hz(void)
{
	return dp_cortexm->ticks_run ? dp_cortexm->board->tick_hz : 0;
}

#else

/* No counter that firmware does not own. */
void dp_cortexm_time_init(void)
{
}

uint64_t dp_port_ticks(void)
{
	return 0;
}

uint32_t dp_port_tick_hz(void)
{
	return 0;
}

#endif
#endif
