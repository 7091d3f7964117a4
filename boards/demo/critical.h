/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Critical sections as ports of FreeRTOS and kernels like it have them: critical/critical.elf,
 * built with DEMO_WITH_CRITICAL. critical_CPU.c in the folder of a CPU has the CPU's ways to mask
 * interrupts. A task uses them without end; a tick that comes inside a section is counted.
 */
#ifndef DEMO_CRITICAL_H
#define DEMO_CRITICAL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel.h"

/* One way. enter masks interrupts and returns what leave takes. Pairs nest. context: a task. */
struct critical_way {
	unsigned (*enter)(void);
	void (*leave)(unsigned state);
};

/* The CPU's ways; behind the last one stands one without functions. */
extern const struct critical_way critical_ways[];

/* How many sections of a way that counts are entered. */
extern volatile uint32_t critical_nesting;

/* The part of a way that counts. context: interrupts are masked. */
static inline __attribute__((always_inline)) void critical_count(void)
{
	critical_nesting = critical_nesting + 1;
}

/* Returns whether the section is the outermost one. */
static inline __attribute__((always_inline)) bool critical_count_down(void)
{
	critical_nesting = critical_nesting - 1;
	return critical_nesting == 0;
}

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
