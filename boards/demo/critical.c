/* SPDX-License-Identifier: BSD-2-Clause */
/* Critical sections in the manner of FreeRTOS on a Cortex-A: they nest, and they raise the
 * interrupt controller's priority mask while interrupts are off for a few instructions. In A32 and
 * in Thumb code. A task enters them without end, and counts each tick that came inside one. */
#include "critical.h"

#include <stdbool.h>
#include <stdint.h>

#include "kernel.h"

#define GICC_PMR (*(volatile uint32_t *)0x1e000104u) /* GIC: ARM IHI 0048 */
#define MASK_ALL 0u
#define MASK_NO  0xffu
#define ROUNDS   8u
#define SPIN     200u

/* Read by programs. */
volatile uint32_t critical_rounds, critical_broken;
static volatile uint32_t nesting;

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
	PROBE_TARGET __attribute__((target(#set))) void critical_enter_##set(void)                 \
	{                                                                                          \
		critical_mask_##set(MASK_ALL);                                                     \
		nesting = nesting + 1;                                                             \
	}                                                                                          \
	PROBE_TARGET __attribute__((target(#set))) void critical_exit_##set(void)                  \
	{                                                                                          \
		nesting = nesting - 1;                                                             \
		if (nesting == 0)                                                                  \
			critical_mask_##set(MASK_NO);                                              \
	}

SECTIONS(arm)
SECTIONS(thumb)

static void section(void (*enter)(void), void (*leave)(void))
{
	uint32_t began;

	enter();
	began = tick_count;
	enter();
	for (volatile unsigned i = 0; i < SPIN; i++)
		;
	leave();
	if (tick_count != began || nesting != 1)
		critical_broken++;
	leave();
}

static void critical_main(void *arg)
{
	(void)arg;
	for (;;) {
		for (unsigned i = 0; i < ROUNDS; i++) {
			section(critical_enter_arm, critical_exit_arm);
			section(critical_enter_thumb, critical_exit_thumb);
		}
		critical_rounds++;
		task_sleep_ms(2);
	}
}

void critical_create(void)
{
	static uint64_t stack[192];

	task_create("critical", PRIORITY_LOG, critical_main, NULL, stack, sizeof(stack));
}
