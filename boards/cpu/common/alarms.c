/* SPDX-License-Identifier: BSD-2-Clause */
#include "alarms.h"

#include "arch.h"
#include "kernel.h"

struct alarm {
	uint64_t next;
	uint32_t period; /* 0: off */
};
static struct alarm tick, sensor;

static void compare_nearest(void)
{
	uint64_t next = UINT64_MAX;

	if (tick.period != 0)
		next = tick.next;
	if (sensor.period != 0 && sensor.next < next)
		next = sensor.next;
	alarms_compare(next);
}

void alarms_init(void)
{
	tick.period = sensor.period = 0;
	compare_nearest();
}

static void alarm_start(struct alarm *a, uint32_t period)
{
	unsigned state = arch_irq_save();

	a->period = period;
	a->next = alarms_clock() + period;
	compare_nearest();
	arch_irq_restore(state);
}

void alarms_tick_start(uint32_t period)
{
	alarm_start(&tick, period);
}

void alarms_sensor_start(uint32_t period)
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

void alarms_irq(void)
{
	uint64_t now = alarms_clock();

	if (is_due(&tick, now))
		timer_isr();
	if (is_due(&sensor, now))
		sensor_isr();
	compare_nearest();
}
