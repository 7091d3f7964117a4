/* SPDX-License-Identifier: BSD-2-Clause */
/* All programs and probes of a target, one after another. */
#include "dprobes_records.h"
#include "dprobes_session.h"

#include <string.h>

/* How many places there are for programs, and how many of them are taken, as far as the agent
 * tells: then the walk need not try all. */
static bool places(struct dp_session *session, unsigned *programs, unsigned *taken)
{
	struct dp_target_limits limits;
	struct dp_target_status status;

	*programs = *taken = UINT8_MAX;
	if (dp_session_target(session)->parts >> DP_PART_LIMITS & 1) {
		if (!dp_session_limits(session, &limits))
			return false;
		*programs = limits.programs;
		return true;
	}
	if (!dp_session_status(session, &status))
		return false;
	*taken = status.programs;
	return true;
}

bool dp_session_walk(struct dp_session *session, const struct dp_walk *walk)
{
	unsigned programs, taken;

	if (!places(session, &programs, &taken))
		return false;
	for (unsigned i = 0; i < programs && taken > 0; i++) {
		struct dp_target_program program;
		struct dp_target_probe probe;
		bool used;

		if (!dp_session_program(session, (uint8_t)i, &program, &used))
			return false;
		if (!used)
			continue;
		taken--;
		if (walk->program != NULL && !walk->program(walk->context, &program))
			return true;
		for (unsigned p = 0; walk->probe != NULL && p < program.probes; p++) {
			if (!dp_session_probe(session, (uint8_t)i, (uint8_t)p, &probe))
				return false;
			if (!walk->probe(walk->context, &program, &probe))
				return true;
		}
	}
	return true;
}

static bool learn_probe(void *context, const struct dp_target_program *program,
			const struct dp_target_probe *probe)
{
	struct dp_probe_meaning meaning = {
		.items = program->items,
		.program = program->index,
		.point = probe->point,
		.major = program->major,
		.minor = probe->minor,
		.address = probe->address,
	};

	memcpy(meaning.name, program->name, sizeof meaning.name);
	if (probe->number != DP_NO_NUMBER)
		dp_records_tell(context, probe->number, &meaning);
	return true;
}

bool dp_session_learn(struct dp_session *session, struct dp_records *records)
{
	const struct dp_walk walk = {.context = records, .probe = learn_probe};

	return dp_session_walk(session, &walk);
}
