/* SPDX-License-Identifier: BSD-2-Clause */
/* FreeRTOS clears and sets EE by mfmsr and mtmsr, and counts. Other kernels have wrteei and wrtee
 * where the CPU is one of BookE. */
#include "critical.h"

#define EE 0x8000u

static inline __attribute__((always_inline)) uint32_t get_msr(void)
{
	uint32_t msr;

	__asm__ volatile("mfmsr %0" : "=r"(msr)::"memory");
	return msr;
}

static inline __attribute__((always_inline)) void set_msr(uint32_t msr)
{
	__asm__ volatile("mtmsr %0" ::"r"(msr) : "memory");
}

PROBE_TARGET unsigned critical_enter_counted(void)
{
	set_msr(get_msr() & ~EE);
	critical_count();
	return 0;
}

PROBE_TARGET void critical_leave_counted(unsigned state)
{
	(void)state;
	if (critical_count_down())
		set_msr(get_msr() | EE);
}

#if DP_PPC_BOOKE
PROBE_TARGET unsigned critical_enter_wrteei(void)
{
	uint32_t old = get_msr();

	__asm__ volatile("wrteei 0" ::: "memory");
	return old & EE;
}

PROBE_TARGET void critical_leave_wrteei(unsigned state)
{
	if (state)
		__asm__ volatile("wrteei 1" ::: "memory");
}

PROBE_TARGET void critical_leave_wrtee(unsigned state)
{
	__asm__ volatile("wrtee %0" ::"r"(state) : "memory");
}
#endif

const struct critical_way critical_ways[] = {
	{critical_enter_counted, critical_leave_counted},
#if DP_PPC_BOOKE
	{critical_enter_wrteei, critical_leave_wrteei},
	{critical_enter_wrteei, critical_leave_wrtee},
#endif
	{0},
};
