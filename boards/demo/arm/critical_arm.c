/* SPDX-License-Identifier: BSD-2-Clause */
/* FreeRTOS on a Cortex-A raises the priority mask of the interrupt controller while interrupts are
 * off for a few instructions. In A32 and in Thumb code. */
#include "critical.h"

#define GICC_PMR (*(volatile uint32_t *)0x1e000104u) /* GIC: ARM IHI 0048 */
#define MASK_ALL 0u
#define MASK_NO  0xffu

static inline __attribute__((always_inline)) void irq_off(void)
{
	__asm__ volatile("cpsid i\n\tdsb\n\tisb" ::: "memory");
}

static inline __attribute__((always_inline)) void irq_on(void)
{
	__asm__ volatile("cpsie i\n\tdsb\n\tisb" ::: "memory");
}

/* One set of the functions in each instruction set. */
#define SECTIONS(set)                                                                              \
	PROBE_TARGET __attribute__((target(#set))) uint32_t critical_mask_##set(uint32_t mask)     \
	{                                                                                          \
		uint32_t old;                                                                      \
                                                                                                   \
		irq_off();                                                                         \
		old = GICC_PMR;                                                                    \
		if (old != mask) {                                                                 \
			GICC_PMR = mask;                                                           \
			__asm__ volatile("dsb\n\tisb" ::: "memory");                               \
		}                                                                                  \
		irq_on();                                                                          \
		return old;                                                                        \
	}                                                                                          \
	PROBE_TARGET __attribute__((target(#set))) unsigned critical_enter_##set(void)             \
	{                                                                                          \
		critical_mask_##set(MASK_ALL);                                                     \
		critical_count();                                                                  \
		return 0;                                                                          \
	}                                                                                          \
	PROBE_TARGET __attribute__((target(#set))) void critical_leave_##set(unsigned state)       \
	{                                                                                          \
		(void)state;                                                                       \
		if (critical_count_down())                                                         \
			critical_mask_##set(MASK_NO);                                              \
	}

SECTIONS(arm)
SECTIONS(thumb)

const struct critical_way critical_ways[] = {
	{critical_enter_arm, critical_leave_arm},
	{critical_enter_thumb, critical_leave_thumb},
	{0},
};
