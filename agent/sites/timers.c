/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of timers: periods, and when each timer is due. Written without 64-bit multiplication,
 * division and variable shifts of the compiler: small cores would call a library for them. */
#include "dp_timers.h"

#include "dp_at_work.h"
#include "dp_clock.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_object.h"
#include "dp_plan.h"
#include "dp_verdict.h"

#if DP_WITH_TIMERS
static void add(struct dp_moment *to, const struct dp_moment *by)
{
	uint32_t part = to->part + by->part;

	to->whole += by->whole + (part < by->part);
	to->part = part;
}

/* A copy of the struct calls memcpy on RISC-V (gcc 12, -Os). */
static void set(struct dp_moment *to, const struct dp_moment *from)
{
	to->whole = from->whole;
	to->part = from->part;
}

static void twice(struct dp_moment *moment)
{
	moment->whole = moment->whole << 1 | moment->part >> 31;
	moment->part <<= 1;
}

static void half(struct dp_moment *moment)
{
	moment->part = moment->part >> 1 | (uint32_t)moment->whole << 31;
	moment->whole >>= 1;
}

/* The period in units of which there are hz in a second: seconds * hz + nanoseconds * hz / 10^9. A
 * long division, bit by bit of hz, and 32 bits behind them. The rest is below 10^9, so that the
 * next one fits 32 bits. Without CHECKS the object may have any numbers, and no period is 0. */
static void period_of(struct dp_moment *period, uint32_t seconds, uint32_t nanoseconds, uint32_t hz)
{
	uint32_t rest = 0;

	period->whole = 0;
	period->part = 0;
	for (unsigned bits = 64; bits > 0; bits--) {
		uint32_t bit = hz >> 31, units = 0;

		for (rest += rest + (bit ? nanoseconds : 0); rest >= DP_TIMER_NANOSECONDS; units++)
			rest -= DP_TIMER_NANOSECONDS;
		if (bits > 32) {
			period->whole += period->whole + (bit ? seconds : 0) + units;
		} else {
			period->part += period->part + units;
		}
		hz <<= 1;
	}
	if (period->whole == 0 && period->part == 0)
		period->part = 1;
}

static bool is_sampled(const struct dp_point *point)
{
	return (dp_get_u32(point->row + DP_PT_ADDRESS) & DP_TIMER_SAMPLED) != 0;
}

static uint32_t hz_of(const struct dp_agent *agent, bool sampled)
{
	return sampled ? agent->board->sample_hz : dp_tick_hz(agent);
}

static void point_period(const struct dp_agent *agent, const struct dp_point *point,
			 struct dp_moment *period)
{
	period_of(period, dp_get_u32(point->row + DP_PT_ADDRESS) & DP_TIMER_SECONDS,
		  dp_get_u32(point->row + DP_PT_EXTENT), hz_of(agent, is_sampled(point)));
}

/* --- the kind of probe points --- */

static enum dp_no_timer reason(const struct dp_agent *agent, const struct dp_point *point)
{
	struct dp_moment period;

	if (hz_of(agent, is_sampled(point)) == 0)
		return is_sampled(point) ? DP_NO_TIMER_SAMPLES : DP_NO_TIMER_CLOCK;
	point_period(agent, point, &period);
	if (period.whole >> 62 != 0)
		return DP_NO_TIMER_LONG;
	return agent->timers.count == DP_TIMERS ? DP_NO_TIMER_FREE : (enum dp_no_timer)0;
}

enum dp_err dp_timer_check(struct dp_agent *agent, struct dp_spot *spot)
{
	enum dp_no_timer found = reason(agent, &spot->point);

	return found == 0 ? DP_ERR_OK : dp_refuse(spot->verdict, DP_ERR_NO_TIMER, (dp_addr)found);
}

/* The first period of a sample. They differ, so that samples of one period are not due in one call:
 * the whole period, then 1/2, 3/4, 1/4, 7/8 of it, and so on. */
static void stagger(struct dp_timer *timer, unsigned started)
{
	struct dp_moment share;

	set(&share, &timer->period);
	for (unsigned bits = 4; bits > 0; bits--) {
		half(&share);
		if (!(started & 1))
			add(&timer->due, &share);
		started >>= 1;
	}
	add(&timer->due, &share);
}

/* Enter the timer in the table. context: locked. */
static void enter(struct dp_agent *agent, struct dp_timer *timer)
{
	struct dp_timers *timers = &agent->timers;

	dp_timers_count(timers);
	timer->due.part = 0;
	if (timer->sampled) {
		timer->due.whole = timers->calls;
		stagger(timer, timers->started++);
	} else {
		timer->due.whole = dp_now(agent);
		add(&timer->due, &timer->period);
		timers->ticks++;
	}
	dp_plan_timer(agent, timer->probe, &timer->plan);
	dp_copy_words(&timers->timer[timers->count++], timer, sizeof(*timer));
	dp_timers_plan(timers);
}

enum dp_err dp_timer_arm(struct dp_agent *agent, struct dp_probe *probe, struct dp_spot *spot)
{
	struct dp_timer timer;
	dp_irq irq;
	enum dp_err error = DP_ERR_BUSY;

	timer.probe = (uint8_t)(probe - agent->probe);
	timer.sampled = is_sampled(&spot->point);
	point_period(agent, &spot->point, &timer.period);
	irq = dp_lock_take();
	if (dp_work_holds(agent) && probe->state == DP_PROBE_WAITING) {
		error = DP_ERR_NO_TIMER;
		if (agent->timers.count < DP_TIMERS) {
			enter(agent, &timer);
			probe->state = DP_PROBE_ARMED;
			error = DP_ERR_OK;
		}
	}
	dp_lock_give(irq);
	return error == DP_ERR_NO_TIMER
		       ? dp_refuse_point(spot->verdict, error, probe->point, DP_NO_TIMER_FREE)
		       : error;
}

void dp_timer_drop(struct dp_agent *agent, unsigned probe)
{
	struct dp_timers *timers = &agent->timers;
	struct dp_timer *timer = timers->timer, *end = timer + timers->count;

	while (timer < end && timer->probe != probe)
		timer++;
	if (timer == end)
		return;
	timers->count--;
	timers->ticks -= !timer->sampled;
	for (; timer + 1 < end; timer++)
		dp_copy_words(timer, timer + 1, sizeof(*timer));
}

void dp_timer_disarm(struct dp_agent *agent, struct dp_probe *probe)
{
	dp_irq irq = dp_lock_take();

	dp_timers_count(&agent->timers);
	dp_timer_drop(agent, (unsigned)(probe - agent->probe));
	dp_timers_plan(&agent->timers);
	if (probe->state == DP_PROBE_ARMED) /* one that has ended does not begin again */
		probe->state = DP_PROBE_WAITING;
	dp_lock_give(irq);
}

#if DP_WITH_INTEGRITY
void dp_timers_renew(struct dp_agent *agent)
{
	struct dp_timers *timers = &agent->timers;
	struct dp_timer *timer;
	dp_irq irq;

	if (++timers->renewed >= timers->count)
		timers->renewed = 0;
	timer = &timers->timer[timers->renewed];
	if (timers->count == 0 || dp_plan_timer_stands(agent, timer))
		return;
	irq = dp_lock_take();
	if (timers->renewed < timers->count)
		dp_plan_timer(agent, timer->probe, &timer->plan);
	dp_lock_give(irq);
}
#endif

/* --- when a timer is due --- */

/* Nearly always the next end is behind now. Else the steps grow to the largest power of two of
 * periods that fits, and shrink again. */
uint32_t dp_timer_go_on(struct dp_timer *timer, uint64_t now)
{
	struct dp_moment step;
	uint64_t periods = 1;
	uint32_t passed = 1;
	unsigned doubled = 0;

	set(&step, &timer->period);
	add(&timer->due, &step);
	if (!dp_timer_is_due(timer, now))
		return 0;
	while (step.whole <= (now - timer->due.whole) >> 1) {
		twice(&step);
		periods <<= 1;
		doubled++;
	}
	for (;; doubled--) {
		struct dp_moment later;

		set(&later, &timer->due);
		add(&later, &step);
		if (dp_moment_up(&later) <= now) {
			set(&timer->due, &later);
			passed += (uint32_t)periods;
		}
		if (doubled == 0)
			break;
		half(&step);
		periods >>= 1;
	}
	add(&timer->due, &step);
	return passed;
}

void dp_timers_count(struct dp_timers *timers)
{
	timers->calls += timers->span - timers->wait;
	timers->span = timers->wait;
}

void dp_timers_plan(struct dp_timers *timers)
{
	const struct dp_timer *timer = timers->timer;
	uint64_t next = 0;

	for (unsigned n = timers->count; n > 0; n--, timer++) {
		uint64_t left = dp_timer_is_due(timer, timers->calls)
					? 1
					: dp_moment_up(&timer->due) - timers->calls;

		if (timer->sampled && (next == 0 || left < next))
			next = left;
	}
	timers->span = timers->wait = next > UINT32_MAX ? UINT32_MAX : (uint32_t)next;
}

uint32_t dp_timers_wait(const struct dp_agent *agent, uint64_t now)
{
	uint64_t wait = UINT32_MAX;

	for (unsigned i = 0; i < agent->timers.count; i++) {
		const struct dp_timer *timer = &agent->timers.timer[i];

		if (timer->sampled)
			continue;
		if (dp_timer_is_due(timer, now))
			return 0;
		if (dp_moment_up(&timer->due) - now < wait)
			wait = dp_moment_up(&timer->due) - now;
	}
	return (uint32_t)wait;
}
#endif
