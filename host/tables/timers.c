/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of points that are no place in memory: events, and timers by their periods. */
#include "timers.h"

#include "dp_object.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

/* The rate that has this period as D computes it; 0: no whole number of times a second has it. */
static uint32_t rate_of(uint64_t seconds, uint32_t nanoseconds)
{
	const uint32_t second = DP_TIMER_NANOSECONDS;
	const uint32_t rate = nanoseconds ? (second + nanoseconds / 2) / nanoseconds : 1;

	return seconds == 0 && nanoseconds != 0 && second / rate == nanoseconds ? rate : 0;
}

const char *dph_timer_name(uint64_t address, uint32_t nanoseconds, char *text)
{
	enum {
		UNITS = 4,
		RATE_MAX = 100000 /* nobody knows a short period by its rate */
	};
	static const struct {
		uint64_t nanoseconds;
		const char *unit;
	} units[UNITS] = {{DP_TIMER_NANOSECONDS, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
	const bool sampled = address & DP_TIMER_SAMPLED;
	const uint64_t seconds = address & DP_TIMER_SECONDS;
	const uint64_t period = seconds * DP_TIMER_NANOSECONDS + nanoseconds;
	const uint32_t rate = rate_of(seconds, nanoseconds);
	const char *word = sampled ? "profile" : "tick";
	unsigned i = 0;

	while (period % units[i].nanoseconds != 0)
		i++;
	/* One that samples is known by its rate; another one by a period of whole units. */
	if (rate != 0 && rate < RATE_MAX && (sampled || i + 1 == UNITS))
		snprintf(text, DPH_TIMER_ROOM, "%s-%" PRIu32, word, rate);
	else
		snprintf(text, DPH_TIMER_ROOM, "%s-%" PRIu64 "%s", word,
			 period / units[i].nanoseconds, units[i].unit);
	return text;
}

const char *dph_nowhere_name(unsigned kind, uint64_t address, uint32_t nanoseconds, char *text)
{
	if (kind == DP_PROBE_EVENT)
		return address == DP_EVENT_BEGIN ? "BEGIN" : "END";
	return kind == DP_PROBE_TIMER ? dph_timer_name(address, nanoseconds, text) : NULL;
}
