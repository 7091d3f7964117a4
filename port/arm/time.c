/* SPDX-License-Identifier: BSD-2-Clause */
/* This file supplies the interrupt mask, the CPU number and the time stamp. */
#include "arm_port.h"

dp_irq dp_port_mask(void)
{
	uint32_t cpsr;

	__asm__ volatile("mrs %0, cpsr" : "=r"(cpsr));
	/* FIQ too: some firmware schedules from it. */
	__asm__ volatile("msr cpsr_c, %0" ::"r"(cpsr | DP_PSR_I | DP_PSR_F) : "memory");
	return cpsr;
}

void dp_port_unmask(dp_irq saved)
{
	__asm__ volatile("msr cpsr_c, %0" ::"r"(saved) : "memory");
}

#if DP_WITH_SHARED_LINE
bool dp_port_unmasked(void)
{
	uint32_t cpsr;

	__asm__ volatile("mrs %0, cpsr" : "=r"(cpsr));
	return !(cpsr & DP_PSR_I);
}
#endif

unsigned dp_port_cpu_number(void)
{
#if DP_PORT_CPUS > 1
	uint32_t mpidr;

	__asm__ volatile("mrc p15, 0, %0, c0, c0, 5" : "=r"(mpidr));
	return mpidr & 0xff;
#else
	return 0;
#endif
}

#if DP_WITH_STREAM
#ifdef DP_PORT_COUNTER
/* The cycle counter, if it counts: some machines stop the counter. The board supplies the
 * frequency. Without a frequency, or with another clock, the port does not touch the counter. */
void dp_arm_time_init(void)
{
	uint32_t control, before;

	if (dp_arm->board->ticks != NULL || dp_arm->board->tick_hz == 0)
		return;
	__asm__ volatile("mrc p15, 0, %0, c9, c12, 0" : "=r"(control));
	__asm__ volatile("mcr p15, 0, %0, c9, c12, 0" ::"r"(control | 1)); /* PMCR.E */
	__asm__ volatile("mcr p15, 0, %0, c9, c12, 1" ::"r"(0x80000000u)); /* PMCNTENSET.C */
	__asm__ volatile("isb");
	before = DP_PORT_COUNTER();
	for (unsigned i = 0; i < 100 && !dp_arm->ticks_run; i++)
		dp_arm->ticks_run = DP_PORT_COUNTER() != before;
}

uint64_t dp_port_ticks(void)
{
	uint32_t now;
	dp_irq irq;

	if (!dp_arm->ticks_run)
		return 0;
	irq = dp_port_mask();
	now = DP_PORT_COUNTER();
	if (now < dp_arm->ticks_last)
		dp_arm->ticks_high++;
	dp_arm->ticks_last = now;
	dp_port_unmask(irq);
	return (uint64_t)dp_arm->ticks_high << 32 | now;
}

uint32_t dp_port_tick_hz(void)
{
	return dp_arm->ticks_run ? dp_arm->board->tick_hz : 0;
}

#else

/* No counter before ARMv7 that firmware does not own. */
void dp_arm_time_init(void)
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
