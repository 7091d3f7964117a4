/* SPDX-License-Identifier: BSD-2-Clause */
/* These functions send the queries and the small changes, one request each. */
#include "session_request.h"

#include <dprobes/errors.h>

#include <string.h>

bool dp_session_has_part(struct dp_session *session, enum dp_part part)
{
	if (dp_hello_parts(dp_session_target(session)) >> part & 1)
		return true;
	dph_session_fail(session, DP_FAILED_AGENT,
			 "the agent was built without %s; build the firmware with DP_WITH_%s",
			 dp_part_sentence(part), dp_part_feature(part));
	dph_session_set_error(session, DP_ERR_LEFT_OUT);
	return false;
}

/* One request and its answer. */
static bool ask(struct dp_session *session, enum dp_cmd command,
		const struct dph_form *request_form, const void *request,
		const struct dph_form *answer_form, void *answer)
{
	struct dph_reply reply;

	return dph_request_ok(session, command, request_form, request, &reply) &&
	       dph_answer(session, &reply, answer_form, answer);
}

bool dp_session_limits(struct dp_session *session, struct dp_limits_answer *limits)
{
	return ask(session, DP_CMD_LIMITS, NULL, NULL, DPH_OF(limits_answer, limits));
}

/* Put what one answer holds of a name behind what is there. Returns how many characters it held. */
static size_t append(char *name, size_t have, const char *part)
{
	const size_t room = DP_TEXT_MAX - have, count = strlen(part);

	memcpy(name + have, part, count < room ? count + 1 : room);
	name[DP_TEXT_MAX] = '\0';
	return count;
}

bool dp_session_module(struct dp_session *session, uint8_t index, struct dp_module_answer *module)
{
	char name[DP_TEXT_MAX + 1] = "";
	size_t have = 0, more;

	do {
		const struct dp_module_request request = {index, (uint8_t)have};

		if (!ask(session, DP_CMD_MODULE, DPH_OF_CONST(module_request, &request),
			 DPH_OF(module_answer, module)))
			return false;
		more = append(name, have, module->name);
		have += more;
	} while (more > 0 && have < module->name_bytes && have < DP_TEXT_MAX);
	memcpy(module->name, name, sizeof name);
	return true;
}

bool dp_session_status(struct dp_session *session, struct dp_status_answer *status)
{
	return ask(session, DP_CMD_STATUS, NULL, NULL, DPH_OF(status_answer, status));
}

/* The rest of a name that was too long for PROGRAM. */
static bool long_name(struct dp_session *session, struct dp_program_answer *program)
{
	size_t have = strlen(program->name);

	while (have < program->name_bytes && have < DP_TEXT_MAX) {
		const struct dp_name_request request = {program->index, (uint8_t)have};
		struct dp_name_answer answer;
		size_t more;

		if (!ask(session, DP_CMD_NAME, DPH_OF_CONST(name_request, &request),
			 DPH_OF(name_answer, &answer)))
			return false;
		more = append(program->name, have, answer.name);
		if (more == 0)
			break;
		have += more;
	}
	return true;
}

bool dp_session_program(struct dp_session *session, uint8_t index,
			struct dp_program_answer *program, bool *used)
{
	const struct dp_program_request request = {index};
	struct dph_reply reply;

	*used = false;
	memset(program, 0, sizeof *program);
	if (!dph_request(session, DP_CMD_PROGRAM, DPH_OF_CONST(program_request, &request), &reply))
		return false;
	if (reply.error == DP_ERR_NO_PROGRAM)
		return true;
	if (reply.error != DP_ERR_OK)
		return dph_session_fail_error(session, DP_CMD_PROGRAM, reply.error);
	*used = true;
	return dph_answer(session, &reply, DPH_OF(program_answer, program)) &&
	       long_name(session, program);
}

bool dp_session_probe(struct dp_session *session, uint8_t program, uint8_t index,
		      struct dp_probe_answer *probe)
{
	const struct dp_probe_request request = {program, index};

	return ask(session, DP_CMD_PROBE, DPH_OF_CONST(probe_request, &request),
		   DPH_OF(probe_answer, probe));
}

bool dp_session_original(struct dp_session *session, uint8_t program,
			 const struct dp_probe_answer *probe, uint8_t *bytes, size_t *count)
{
	const struct dp_original_request request = {program, probe->point};
	struct dp_original_answer answer;

	if (!dp_session_has_part(session, DP_PART_ORIGINAL) ||
	    !ask(session, DP_CMD_ORIGINAL, DPH_OF_CONST(original_request, &request),
		 DPH_OF(original_answer, &answer)))
		return false;
	*count = answer.bytes.count;
	memcpy(bytes, answer.bytes.bytes, *count);
	return true;
}

/* A stack word in the target's byte order. */
static uint64_t word(const struct dp_hello_answer *target, const uint8_t *bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < target->word_bytes; i++)
		value = value << 8 | bytes[target->big_endian ? i : target->word_bytes - 1u - i];
	return value;
}

bool dp_session_vars(struct dp_session *session, uint8_t program, uint16_t first, bool reset,
		     uint64_t *words, size_t room, size_t *count, size_t *there)
{
	const struct dp_hello_answer *target = dp_session_target(session);
	size_t got;

	*count = 0;
	if (!dp_session_has_part(session, DP_PART_VARS))
		return false;
	do {
		const struct dp_vars_request request = {
			.program = program,
			.first = (uint16_t)(first + *count),
			.count = room - *count < 0xff ? (uint8_t)(room - *count) : 0xff,
			.reset = reset,
		};
		struct dp_vars_answer answer;

		if (!ask(session, DP_CMD_VARS, DPH_OF_CONST(vars_request, &request),
			 DPH_OF(vars_answer, &answer)))
			return false;
		*there = answer.there;
		got = answer.words.count / target->word_bytes;
		for (size_t i = 0; i < got && *count < room; i++)
			words[(*count)++] =
				word(target, answer.words.bytes + i * target->word_bytes);
	} while (got > 0 && *count < room && first + *count < *there);
	return true;
}

bool dp_session_text(struct dp_session *session, uint64_t address, uint32_t bytes, bool original,
		     uint32_t *crc, uint32_t *sites)
{
	const struct dp_text_request request = {address, bytes, original};
	struct dp_text_answer answer;

	if (!dp_session_has_part(session, DP_PART_TEXT) ||
	    !ask(session, DP_CMD_TEXT, DPH_OF_CONST(text_request, &request),
		 DPH_OF(text_answer, &answer)))
		return false;
	*crc = answer.crc;
	if (sites != NULL)
		*sites = answer.sites;
	return true;
}

bool dp_session_remove(struct dp_session *session, uint8_t program, uint8_t *removed)
{
	const struct dp_remove_request request = {program};
	struct dp_remove_answer answer;

	if (!ask(session, DP_CMD_REMOVE, DPH_OF_CONST(remove_request, &request),
		 DPH_OF(remove_answer, &answer)))
		return false;
	*removed = answer.removed;
	return true;
}

bool dp_session_log(struct dp_session *session, uint8_t target, uint8_t mode, uint8_t *now_target,
		    uint8_t *now_mode)
{
	const struct dp_log_request request = {target, mode};
	struct dp_log_answer answer;

	if ((target == DP_LOG_COM2 && !dp_session_has_part(session, DP_PART_COM2)) ||
	    !ask(session, DP_CMD_LOG, DPH_OF_CONST(log_request, &request),
		 DPH_OF(log_answer, &answer)))
		return false;
	*now_target = answer.target;
	*now_mode = answer.mode;
	return true;
}
