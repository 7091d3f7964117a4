/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk visits all programs and probes of a target in order. */
#include <dprobes/records.h>
#include <dprobes/session.h>

#include <string.h>

bool dp_session_walk(struct dp_session *session, const struct dp_walk *walk)
{
	struct dp_limits_answer limits;

	if (!dp_session_limits(session, &limits))
		return false;
	for (unsigned i = 0; i < limits.programs; i++) {
		struct dp_program_answer program;
		struct dp_probe_answer probe;
		bool used;

		if (!dp_session_program(session, (uint8_t)i, &program, &used))
			return false;
		if (!used)
			continue;
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

static bool learn_probe(void *context, const struct dp_program_answer *program,
			const struct dp_probe_answer *probe)
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
