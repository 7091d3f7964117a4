/* SPDX-License-Identifier: BSD-2-Clause */
/* Count and Compare, coprocessor 0 registers 9 and 11.  MD00090 9.20, 9.23 */
#include "arch.h"
#include "mips_board.h"

static uint32_t period, next;

static inline void compare_set(uint32_t value)
{
	__asm__ volatile("mtc0 %0, $11\n\tehb" ::"r"(value));
}

/* The counter wraps each 25 s; the tick reads it often enough. */
BOARD_HIT_PATH uint64_t count_clock(void)
{
	static uint32_t last, wraps;
	unsigned state = arch_hit_irq_save();
	uint32_t now = count_now();
	uint64_t result;

	if (now < last)
		wraps++;
	last = now;
	result = (uint64_t)wraps << 32 | now;
	arch_hit_irq_restore(state);
	return result;
}

/* Compare must be ahead of Count when it is written: a match that has been missed comes 25 s later.
 */
static void compare_ahead(void)
{
	compare_set(next);
	while ((int32_t)(next - count_now()) <= 0) {
		next = count_now() + period;
		compare_set(next);
	}
}

void count_tick_start(unsigned hz)
{
	period = COUNT_HZ / hz;
	next = count_now() + period;
	compare_ahead();
}

/* Ticks that are late by more than a period are lost, not repeated. */
void count_tick_ack(void)
{
	next += period;
	compare_ahead();
}

uint32_t count_pending(void)
{
	uint32_t cause, status;

	__asm__ volatile("mfc0 %0, $13" : "=r"(cause));
	__asm__ volatile("mfc0 %0, $12" : "=r"(status));
	return cause & status & 0xff00;
}

void count_enable(uint32_t ip)
{
	uint32_t status;

	__asm__ volatile("mfc0 %0, $12" : "=r"(status));
	__asm__ volatile("mtc0 %0, $12\n\tehb" ::"r"(status | ip));
}
