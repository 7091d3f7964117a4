/* SPDX-License-Identifier: BSD-2-Clause */
/* `exit 2` stops the target before an instruction (PROTOCOL.md 10). Elsewhere it is `exit`. */
#include "stops.h"

#include "object/exits.h"
#include "refusal.h"

#include "dp_object.h"

enum {
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

void dph_warn_of_stops(const struct dp_session *session, const struct dp_object_file *object,
		       const char *name, struct dp_messages *messages)
{
	const char *nowhere = stops_nowhere(session);
	struct dp_program_info program;
	struct dp_point_info point;

	dp_object_program(object, &program);
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
