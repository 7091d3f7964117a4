/* SPDX-License-Identifier: BSD-2-Clause */
/* Can the target run the timers of a program? The agent would refuse them at COMMIT with one
 * number; this file knows the sentence before a byte of the object travels. */
#include "timed.h"

#include "dp_object.h"
#include "refusal.h"
#include "tables/timers.h"

#include <inttypes.h>

struct needs {
	unsigned timers;
	bool sampled, ticks;
};

/* Does the agent have the part? One without it says so by its parts. */
static bool has_timers(const struct dp_session *session)
{
	return dp_hello_parts(dp_session_target(session)) >> DP_PART_TIMERS & 1;
}

static bool is_timer(const struct dp_object_file *object, unsigned index,
		     struct dp_point_info *point)
{
	return dp_object_point(object, index, point) && point->kind == DP_PROBE_TIMER;
}

static unsigned points_of(const struct dp_object_file *object)
{
	struct dp_program_info program;

	dp_object_program(object, &program);
	return program.points;
}

static struct needs needs_of(const struct dp_object_file *object)
{
	struct needs needs = {0};
	struct dp_point_info point;

	for (unsigned i = 0; i < points_of(object); i++)
		if (is_timer(object, i, &point)) {
			needs.timers++;
			needs.sampled = needs.sampled || point.address & DP_TIMER_SAMPLED;
			needs.ticks = needs.ticks || !(point.address & DP_TIMER_SAMPLED);
		}
	return needs;
}

static bool refuse(enum dp_failure_kind *kind)
{
	*kind = DP_FAILED_AGENT;
	return false;
}

/* The board samples sample_hz times a second: a shorter period is none that it has. */
static void warn_rates(const struct dp_object_file *object, const char *name, uint32_t sample_hz,
		       struct dp_messages *messages)
{
	struct dp_point_info point;
	char timer[DPH_TIMER_ROOM];

	for (unsigned i = 0; i < points_of(object); i++)
		if (is_timer(object, i, &point) && point.address == DP_TIMER_SAMPLED &&
		    (uint64_t)point.extent * sample_hz < DP_TIMER_NANOSECONDS)
			dph_reservation(
				messages,
				"%s: %s runs %" PRIu32
				" times a second: the board samples no more often (sample_hz)",
				name, dph_timer_name(point.address, point.extent, timer),
				sample_hz);
}

bool dph_timers_fit(struct dp_session *session, const struct dp_object_file *object,
		    const char *name, bool replaces, enum dp_failure_kind *kind,
		    struct dp_messages *messages)
{
	const struct needs needs = needs_of(object);
	struct dp_hardware_answer hardware;

	if (needs.timers == 0 || !has_timers(session))
		return true;
	if (!dp_session_hardware(session, &hardware))
		return false;
	if (needs.sampled && hardware.sample_hz == 0) {
		dph_refusal(messages,
			    "%s: profile never runs: the firmware does not call dprobes_sample, or "
			    "its board has no sample_hz (agent/README.md, Timers); tick needs "
			    "neither",
			    name);
		return refuse(kind);
	}
	if (needs.ticks && dp_session_target(session)->hz == 0) {
		dph_refusal(messages, "%s: tick never runs: the board has no clock (tick_hz)",
			    name);
		return refuse(kind);
	}
	if (needs.timers > (replaces ? hardware.timers : hardware.timers_free)) {
		dph_refusal(messages,
			    "%s needs %u timer(s), and %u of the agent's %u are free; remove "
			    "another program ('dprobes list' shows the programs), or build the "
			    "firmware with a larger DP_TIMERS",
			    name, needs.timers, hardware.timers_free, hardware.timers);
		return refuse(kind);
	}
	warn_rates(object, name, hardware.sample_hz, messages);
	return true;
}
