/* SPDX-License-Identifier: BSD-2-Clause */
/* FreeRTOS raises BASEPRI on a Cortex-M3 or M4, with interrupts off meanwhile on the first
 * Cortex-M7, and masks by PRIMASK on a Cortex-M0. Tasks count; handlers keep the mask that they
 * found. */
#include "critical.h"

#include "cortexm_modes.h"

#define LEVEL "%[level]"

/* Raise BASEPRI, between the instructions before and behind. */
#define RAISE(before, behind)                                                                      \
	__asm__ volatile(before "mov r3, " LEVEL "\n\tmsr basepri, r3\n\tisb\n\tdsb" behind        \
			 :                                                                         \
			 : [level] "i"(LEVEL_IRQ)                                                  \
			 : "r3", "memory")

static inline __attribute__((always_inline)) void set_basepri(uint32_t level)
{
	__asm__ volatile("msr basepri, %0" ::"r"(level) : "memory");
}

/* Where there is a floating-point unit, the task uses a register of it that PendSV saves. */
static inline __attribute__((always_inline)) void use_float(void)
{
#ifdef __ARM_FP
	__asm__ volatile("vmov.f32 s16, #1.0" ::: "s16");
#endif
}

PROBE_TARGET unsigned critical_enter_basepri(void)
{
	RAISE("", "");
	critical_count();
	return 0;
}

PROBE_TARGET void critical_leave_basepri(unsigned state)
{
	if (critical_count_down())
		set_basepri(state);
}

PROBE_TARGET unsigned critical_enter_raised(void)
{
	uint32_t old;

	__asm__ volatile("mrs %0, basepri" : "=r"(old));
	RAISE("cpsid i\n\t", "\n\tcpsie i");
	return old;
}

PROBE_TARGET void critical_leave_raised(unsigned state)
{
	set_basepri(state);
}

PROBE_TARGET unsigned critical_enter_cps(void)
{
	use_float();
	__asm__ volatile("cpsid i" ::: "memory");
	critical_count();
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	return 0;
}

PROBE_TARGET void critical_leave_cps(unsigned state)
{
	(void)state;
	if (critical_count_down())
		__asm__ volatile("cpsie i" ::: "memory");
}

PROBE_TARGET unsigned critical_enter_primask(void)
{
	uint32_t old;

	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(old)::"memory");
	return old;
}

PROBE_TARGET void critical_leave_primask(unsigned state)
{
	__asm__ volatile("msr primask, %0" ::"r"(state) : "memory");
}

const struct critical_way critical_ways[] = {
	{critical_enter_basepri, critical_leave_basepri},
	{critical_enter_raised, critical_leave_raised},
	{critical_enter_cps, critical_leave_cps},
	{critical_enter_primask, critical_leave_primask},
	{0},
};
