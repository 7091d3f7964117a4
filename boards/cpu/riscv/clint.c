/* SPDX-License-Identifier: BSD-2-Clause */
/* mtime and mtimecmp of hart 0. One comparator serves the tick and the sensor.  Privileged
 * ISA 3.2.1; SiFive FU540-C000 manual, chapter 9 */
#include "arch.h"
#include "kernel.h"
#include "riscv_board.h"

#define MTIMECMP 0x4000u
#define MTIME    0xbff8u

static uintptr_t clint;

struct alarm {
	uint64_t next;
	uint32_t period; /* 0: off */
};
static struct alarm tick, sensor;

static inline uint32_t half(uintptr_t offset)
{
	return *(volatile uint32_t *)(clint + offset);
}

BOARD_HIT_PATH uint64_t clint_clock(void)
{
	uint32_t high, low;

	do {
		high = half(MTIME + 4);
		low = half(MTIME);
	} while (high != half(MTIME + 4));
	return (uint64_t)high << 32 | low;
}

BOARD_HIT_PATH uint32_t clint_counter(void)
{
	return half(MTIME);
}

/* No interrupt on the way: the comparator never holds less than it is to hold. */
static void compare_set(uint64_t value)
{
	volatile uint32_t *compare = (volatile uint32_t *)(clint + MTIMECMP);

	compare[1] = 0xffffffffu;
	compare[0] = (uint32_t)value;
	compare[1] = (uint32_t)(value >> 32);
}

static void compare_nearest(void)
{
	uint64_t next = UINT64_MAX;

	if (tick.period != 0)
		next = tick.next;
	if (sensor.period != 0 && sensor.next < next)
		next = sensor.next;
	compare_set(next);
}

void clint_init(uintptr_t base)
{
	clint = base;
	tick.period = sensor.period = 0;
	compare_nearest();
	riscv_enable(RISCV_TIMER);
}

static void alarm_start(struct alarm *a, uint32_t period)
{
	unsigned state = arch_irq_save();

	a->period = period;
	a->next = clint_clock() + period;
	compare_nearest();
	arch_irq_restore(state);
}

void clint_tick_start(uint32_t period)
{
	alarm_start(&tick, period);
}

void clint_sensor_start(uint32_t period)
{
	alarm_start(&sensor, period);
}

/* Alarms that are late by more than a period are lost, not repeated. */
static bool is_due(struct alarm *a, uint64_t now)
{
	if (a->period == 0 || a->next > now)
		return false;
	a->next += a->period;
	if (a->next <= now)
		a->next = now + a->period;
	return true;
}

void clint_irq(void)
{
	uint64_t now = clint_clock();

	if (is_due(&tick, now))
		timer_isr();
	if (is_due(&sensor, now))
		sensor_isr();
	compare_nearest();
}
