/* SPDX-License-Identifier: BSD-2-Clause */
#include "critical.h"

#include <stddef.h>

#include "board.h"

#define ROUNDS 4u
#define SPIN   200u

/* Read by programs. */
volatile uint32_t critical_rounds, critical_broken;
volatile uint32_t critical_nesting;
static volatile bool inside;

void critical_tick(void)
{
	if (inside)
		critical_broken++;
}

/* Reads the counter seldom: an access to a device is dear in QEMU. */
static void wait(uint32_t counts)
{
	uint32_t began = board_counter();

	while (board_counter() - began < counts)
		for (volatile unsigned i = 0; i < SPIN; i++)
			;
}

/* Two sections, one inside the other. */
static void section(const struct critical_way *way, uint32_t counts)
{
	unsigned outer = way->enter(), inner;

	inside = true;
	inner = way->enter();
	wait(counts);
	way->leave(inner);
	wait(counts);
	if (critical_nesting > 1)
		critical_broken++;
	inside = false;
	way->leave(outer);
}

/* A section in which a tick is due: the tick comes behind the section. */
static void long_section(const struct critical_way *way)
{
	uint32_t began = tick_count;

	section(way, board_clock_hz() / TICK_HZ);
	while (tick_count == began)
		;
}

static void critical_main(void *arg)
{
	(void)arg;
	for (;;) {
		for (const struct critical_way *way = critical_ways; way->enter; way++) {
			for (unsigned n = 0; n < ROUNDS; n++)
				section(way, 0);
			long_section(way);
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
