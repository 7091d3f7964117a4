/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Critical sections as ports of FreeRTOS and kernels like it have them: critical/critical.elf,
 * built with DEMO_WITH_CRITICAL. critical_CPU.c in the folder of a CPU has the CPU's ways to mask
 * interrupts. A task uses them without end; a tick that comes inside a section is counted.
 */
#ifndef DEMO_CRITICAL_H
#define DEMO_CRITICAL_H

#include <stddef.h>
#include <stdint.h>

/* One way. enter masks interrupts and returns what leave takes. Pairs nest. context: a task. */
struct critical_way {
	unsigned (*enter)(void);
	void (*leave)(unsigned state);
};

extern const struct critical_way critical_ways[];
extern const size_t critical_way_count;

/* How many sections of a way that counts are entered. The ways that count count here. */
extern volatile uint32_t critical_nesting;

#ifdef DEMO_WITH_CRITICAL
/* context: start-up. */
void critical_create(void);

/* context: timer_isr. */
void critical_tick(void);
#else
static inline void critical_create(void)
{
}

static inline void critical_tick(void)
{
}
#endif

#endif
