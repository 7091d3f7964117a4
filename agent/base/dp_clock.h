/* SPDX-License-Identifier: BSD-2-Clause */
/* The time stamp of records and sync lines. Without STREAM ticks and rate are 0. */
#ifndef DP_CLOCK_H
#define DP_CLOCK_H

#include "dp_build.h"
#include "dp_lock.h"
#include "dp_state.h"

uint64_t dp_clock_ticks(const struct dp_agent *agent);
uint32_t dp_clock_hz(const struct dp_agent *agent);

#if DP_COUNTER == DP_COUNTER_CPU && !defined(DP_PORT_COUNTER)
#error "DP_COUNTER: this CPU has no counter of its own; give the address of a register, or 0"
#elif (DP_COUNTER % 4 != 0 && DP_COUNTER != DP_COUNTER_CPU) || DP_COUNTER > UINTPTR_MAX
#error "DP_COUNTER: give DP_COUNTER_CPU, the address of a 32-bit register, or 0"
#endif

/* What reads the low 32 bits of dp_clock_ticks for hits; null: nothing does. */
typedef uint32_t (*dp_counter)(void);
#if DP_COUNTER
static inline uint32_t dp_counter_read(void)
{
#if DP_COUNTER == DP_COUNTER_CPU
	return DP_PORT_COUNTER();
#else
	return *(const volatile uint32_t *)(uintptr_t)DP_COUNTER;
#endif
}

static inline dp_counter dp_counter_of(const struct dp_board *board)
{
	(void)board;
	return dp_counter_read;
}
#else
static inline dp_counter dp_counter_of(const struct dp_board *board)
{
	return board->counter;
}
#endif

/* Does a hit call the board for the time? Then the callback may be hit. */
enum {
	DP_CLOCK_CALLS = DP_WITH_STREAM && DP_COUNTER == 0
};

#if DP_WITH_STREAM
/* Do hits read the time by the counter that the board or DP_COUNTER names? The counter of the CPU
 * runs from dp_port_attach on. context: THREAD, interrupts masked. */
enum dp_err dp_clock_accept(const struct dp_agent *agent);

static inline uint64_t dp_now(const struct dp_agent *agent)
{
	return dp_clock_ticks(agent);
}

/* The same from the counter, if there is one. context: HIT. Inlined: a hit that logs takes 9
 * instructions less on MIPS, 12 less on PowerPC. */
static inline __attribute__((__always_inline__)) uint64_t dp_hit_now(struct dp_agent *agent)
{
	dp_counter counter = dp_counter_of(agent->board);
	uint64_t *clock = &DP_THIS_CPU(agent)->clock;

	if (__builtin_expect(!counter, 0))
		return dp_clock_ticks(agent);
	*clock += counter() - (uint32_t)*clock;
	return *clock;
}

/* The low half of the time. context: thread. */
static inline uint32_t dp_now_low(const struct dp_agent *agent)
{
	dp_counter counter = dp_counter_of(agent->board);

	return counter ? counter() : (uint32_t)dp_clock_ticks(agent);
}

/* Note the time from which hits count on. context: thread. */
static inline void dp_clock_note(struct dp_agent *agent)
{
	dp_irq irq;

	if (!dp_counter_of(agent->board))
		return;
	irq = dp_mask_take();
	DP_THIS_CPU(agent)->clock = dp_clock_ticks(agent);
	dp_mask_give(irq);
}

static inline uint32_t dp_tick_hz(const struct dp_agent *agent)
{
	return dp_clock_hz(agent);
}
#else
static inline enum dp_err dp_clock_accept(const struct dp_agent *agent)
{
	(void)agent;
	return DP_ERR_OK;
}

static inline uint64_t dp_now(const struct dp_agent *agent)
{
	(void)agent;
	return 0;
}

static inline uint64_t dp_hit_now(struct dp_agent *agent)
{
	(void)agent;
	return 0;
}

static inline uint32_t dp_now_low(const struct dp_agent *agent)
{
	(void)agent;
	return 0;
}

static inline void dp_clock_note(struct dp_agent *agent)
{
	(void)agent;
}

static inline uint32_t dp_tick_hz(const struct dp_agent *agent)
{
	(void)agent;
	return 0;
}
#endif

#endif
