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

static inline uint32_t upper(void)
{
	uint32_t value;

	__asm__ volatile("mftbu %0" : "=r"(value));
	return value;
}

static inline uint32_t lower(void)
{
	uint32_t value;

	__asm__ volatile("mftb %0" : "=r"(value));
	return value;
}

BOARD_HIT_PATH uint64_t board_clock(void)
{
	uint32_t high = upper(), low = lower();

	if (high != upper()) { /* it has just wrapped, and will not do so again soon */
		high = upper();
		low = lower();
	}
	return (uint64_t)high << 32 | low;
}

BOARD_HIT_PATH uint32_t board_counter(void)
{
	return lower();
}

uint32_t board_clock_hz(void)
{
	return ppc_timebase_hz;
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
	uint64_t now = board_clock(), next = UINT64_MAX;

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
	a->next = board_clock() + period;
	set_alarm();
	arch_irq_restore(state);
}

/* Moments that are late by more than a period are lost, not repeated. */
static bool due(struct alarm *a)
{
	uint64_t now = board_clock();

	if (a->period == 0 || now < a->next)
		return false;
	a->next += a->period;
	if (a->next <= now)
		a->next = now + a->period;
	return true;
}

void decrementer_init(void)
{
	__asm__ volatile("mtdec %0" ::"r"(0x7fffffffu));
	acknowledge();
	enable();
}

void board_tick_start(unsigned hz)
{
	start(&tick, ppc_timebase_hz / hz);
}

uint32_t board_sensor_start(unsigned period_us)
{
	start(&sensor, (uint32_t)((uint64_t)ppc_timebase_hz * period_us / 1000000));
	return sensor.period;
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
