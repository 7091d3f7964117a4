/* SPDX-License-Identifier: BSD-2-Clause */
/* `exit 2` stops the target before an instruction (PROTOCOL.md 10). Elsewhere it is `exit`. */
#include "stops.h"

#include "object/exits.h"
#include "refusal.h"

#include "dp_object.h"

enum {
	STOP = 1,
	CRASH = 2
};

/* Why the target stops nowhere; null: it stops. */
static const char *stops_nowhere(const struct dp_session *session)
{
	const struct dp_hello_answer *target = dp_session_target(session);

	if (!(dp_hello_parts(target) >> DP_PART_HALT & 1))
		return "the agent was built without the feature HALT";
	if (!(target->rights & DP_RIGHT_WRITE))
		return "the session may not write; add --write";
	return NULL;
}

static bool stops_at(const struct dp_point_info *point)
{
	return point->kind == DP_PROBE_BREAK && point->phase == DP_PHASE_BEFORE;
}

static bool is_watch(const struct dp_point_info *point)
{
	return point->kind != DP_PROBE_BREAK && point->kind != DP_PROBE_TIMER &&
	       point->kind != DP_PROBE_EVENT;
}

/* An agent of before takes `exit 1` at a watchpoint for `exit`, and has said so nowhere. */
static void warn_of_watches(const struct dp_session *session, const struct dp_object_file *object,
			    const struct dp_program_info *program, const char *name,
			    struct dp_messages *messages)
{
	const uint64_t parts = dp_hello_parts(dp_session_target(session));
	struct dp_point_info point;

	if (!(parts >> DP_PART_HALT & 1) || parts >> DP_PART_WATCH_STOP & 1)
		return;
	for (unsigned i = 0; dp_object_point(object, i, &point); i++)
		if (is_watch(&point) && dph_handler_exits_with(program, &point, STOP))
			dph_reservation(
				messages,
				"%s: exit 1 of the probe with minor = %u does not stop the "
				"firmware: this agent does not stop at watchpoints; build the "
				"firmware with the agent of this dprobes",
				name, point.minor);
}

void dph_warn_of_stops(const struct dp_session *session, const struct dp_object_file *object,
		       const char *name, struct dp_messages *messages)
{
	const char *nowhere = stops_nowhere(session);
	struct dp_program_info program;
	struct dp_point_info point;

	dp_object_program(object, &program);
	warn_of_watches(session, object, &program, name, messages);
	if (!dph_exits_with(&program, 0, program.code_bytes, CRASH))
		return;
	if (nowhere != NULL) {
		dph_reservation(messages, "%s: exit 2 does not stop the firmware: %s", name,
				nowhere);
		return;
	}
	for (unsigned i = 0; dp_object_point(object, i, &point); i++)
		if (!stops_at(&point) && dph_handler_exits_with(&program, &point, CRASH))
			dph_reservation(messages,
					"%s: exit 2 of the probe with minor = %u does not stop the "
					"firmware: it stops before an instruction (phase = before)",
					name, point.minor);
}
