/* SPDX-License-Identifier: BSD-2-Clause */
/* FreeRTOS writes the interrupt level of Status; this CPU has a mask of the lines in these bits.
 * Other kernels write IE, by mfc0 and mtc0, or by di and ei where the CPU has them. */
#include "critical.h"

#define IE      1u
#define IM_MASK 0xfc00u
#define HAZARD  "ssnop\n\tssnop\n\tssnop\n\tehb"

static inline __attribute__((always_inline)) uint32_t get_status(void)
{
	uint32_t status;

	__asm__ volatile("mfc0 %0, $12" : "=r"(status)::"memory");
	return status;
}

static inline __attribute__((always_inline)) void set_status(uint32_t status)
{
	__asm__ volatile("mtc0 %0, $12\n\t" HAZARD ::"r"(status) : "memory");
}

PROBE_TARGET unsigned critical_enter_level(void)
{
	uint32_t old = get_status();

	set_status(old & ~IM_MASK);
	return old & IM_MASK;
}

PROBE_TARGET void critical_leave_level(unsigned state)
{
	set_status((get_status() & ~IM_MASK) | state);
}

PROBE_TARGET unsigned critical_enter_status(void)
{
	set_status(get_status() & ~IE);
	critical_count();
	return 0;
}

PROBE_TARGET void critical_leave_status(unsigned state)
{
	(void)state;
	if (critical_count_down())
		set_status(get_status() | IE);
}

#if __mips_isa_rev >= 2
PROBE_TARGET unsigned critical_enter_di(void)
{
	uint32_t old;

	__asm__ volatile("di %0\n\tehb" : "=r"(old)::"memory");
	return old & IE;
}

PROBE_TARGET void critical_leave_di(unsigned state)
{
	if (state)
		__asm__ volatile("ei\n\tehb" ::: "memory");
}
#endif

const struct critical_way critical_ways[] = {
	{critical_enter_level, critical_leave_level},
	{critical_enter_status, critical_leave_status},
#if __mips_isa_rev >= 2
	{critical_enter_di, critical_leave_di},
#endif
	{0},
};
