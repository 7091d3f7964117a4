/* SPDX-License-Identifier: BSD-2-Clause */
/* cli and sti with a count, as FreeRTOS has them, and pushf, cli and popf. */
#include "critical.h"

PROBE_TARGET unsigned critical_enter_counted(void)
{
	__asm__ volatile("cli" ::: "memory");
	critical_count();
	return 0;
}

PROBE_TARGET void critical_leave_counted(unsigned state)
{
	(void)state;
	if (critical_count_down())
		__asm__ volatile("sti" ::: "memory");
}

PROBE_TARGET unsigned critical_enter_flags(void)
{
	unsigned old;

	__asm__ volatile("pushf\n\tpop %0\n\tcli" : "=r"(old)::"memory");
	return old;
}

PROBE_TARGET void critical_leave_flags(unsigned state)
{
	__asm__ volatile("push %0\n\tpopf" ::"r"(state) : "memory", "cc");
}

const struct critical_way critical_ways[] = {
	{critical_enter_counted, critical_leave_counted},
	{critical_enter_flags, critical_leave_flags},
	{0},
};
