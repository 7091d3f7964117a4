/* SPDX-License-Identifier: BSD-2-Clause */
/* One alarm clock for two timers: the decrementer runs to the nearer of two moments of the time
 * base. BookE and classic differ in how its interrupt is turned on and acknowledged. */
#include "arch.h"
#include "kernel.h"
#include "ppc_board.h"

#define TSR_DIS 0x08000000u
#define TCR_DIE 0x04000000u

struct alarm {
	uint32_t period; /* 0: off */
	uint64_t next;
};

static struct alarm tick, sensor;
static uint32_t timebase_hz;

BOARD_HIT_PATH uint64_t timebase(void)
{
	uint32_t high, low, again;

	do {
		__asm__ volatile("mftbu %0\n\tmftb %1\n\tmftbu %2"
				 : "=r"(high), "=r"(low), "=r"(again));
	} while (high != again);
	return (uint64_t)high << 32 | low;
}

static void acknowledge(void)
{
#if DP_PPC_BOOKE
	__asm__ volatile("mtspr 336, %0" ::"r"(TSR_DIS));
#endif
}

static void enable(void)
{
#if DP_PPC_BOOKE
	__asm__ volatile("mtspr 340, %0" ::"r"(TCR_DIE));
#endif
}

/* A moment that has gone by is now. */
static void set_alarm(void)
{
	uint64_t now = timebase(), next = UINT64_MAX;

	if (tick.period != 0)
		next = tick.next;
	if (sensor.period != 0 && sensor.next < next)
		next = sensor.next;
	if (next != UINT64_MAX)
		__asm__ volatile("mtdec %0" ::"r"(next > now ? (uint32_t)(next - now) : 1u));
}

static void start(struct alarm *a, uint32_t period)
{
	unsigned state = arch_irq_save();

	a->period = period;
	a->next = timebase() + period;
	set_alarm();
	arch_irq_restore(state);
}

/* Moments that are late by more than a period are lost, not repeated. */
static bool due(struct alarm *a)
{
	uint64_t now = timebase();

	if (a->period == 0 || now < a->next)
		return false;
	a->next += a->period;
	if (a->next <= now)
		a->next = now + a->period;
	return true;
}

void decrementer_init(uint32_t hz)
{
	timebase_hz = hz;
	__asm__ volatile("mtdec %0" ::"r"(0x7fffffffu));
	acknowledge();
	enable();
}

void decrementer_tick(unsigned hz)
{
	start(&tick, timebase_hz / hz);
}

void decrementer_sensor(unsigned period_us)
{
	start(&sensor, (uint32_t)((uint64_t)timebase_hz * period_us / 1000000));
}

void decrementer_irq(void)
{
	acknowledge();
	if (due(&tick))
		timer_isr();
	if (due(&sensor))
		sensor_isr();
	set_alarm();
}
