/* SPDX-License-Identifier: BSD-2-Clause */
/* FreeRTOS clears and sets MIE of mstatus with an immediate, and counts. Other kernels keep the MIE
 * that they found, with an immediate or with the mask in a register. */
#include "critical.h"

#define MIE 8

PROBE_TARGET unsigned critical_enter_counted(void)
{
	__asm__ volatile("csrc mstatus, %0" ::"i"(MIE) : "memory");
	critical_count();
	return 0;
}

PROBE_TARGET void critical_leave_counted(unsigned state)
{
	(void)state;
	if (critical_count_down())
		__asm__ volatile("csrs mstatus, %0" ::"i"(MIE) : "memory");
}

PROBE_TARGET unsigned critical_enter_immediate(void)
{
	uintptr_t old;

	__asm__ volatile("csrrci %0, mstatus, %1" : "=r"(old) : "i"(MIE) : "memory");
	return old & MIE;
}

PROBE_TARGET void critical_leave_immediate(unsigned state)
{
	if (state)
		__asm__ volatile("csrsi mstatus, %0" ::"i"(MIE) : "memory");
}

PROBE_TARGET unsigned critical_enter_register(void)
{
	uintptr_t old;

	__asm__ volatile("csrrc %0, mstatus, %1" : "=r"(old) : "r"((uintptr_t)MIE) : "memory");
	return old & MIE;
}

PROBE_TARGET void critical_leave_register(unsigned state)
{
	__asm__ volatile("csrs mstatus, %0" ::"r"((uintptr_t)state) : "memory");
}

const struct critical_way critical_ways[] = {
	{critical_enter_counted, critical_leave_counted},
	{critical_enter_immediate, critical_leave_immediate},
	{critical_enter_register, critical_leave_register},
	{0},
};
