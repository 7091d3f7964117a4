/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions send the queries and the small changes. */
#define _GNU_SOURCE
#include "pipeline.h"
#include "resend.h"

#include <dprobes/errors.h>

#include <string.h>

enum {
	NAME_PIECE = 48 /* characters in the answer to NAME */
};

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

/* Send one request and read its answer. */
static bool ask(struct dp_session *session, enum dp_cmd command,
		const struct dph_form *request_form, const void *request,
		const struct dph_form *answer_form, void *answer)
{
	struct dph_reply reply;

	return dph_request_ok(session, command, request_form, request, &reply) &&
	       dph_answer(session, &reply, answer_form, answer);
}

bool dph_session_take_limits(struct dp_session *session, const struct dph_reply *reply,
			     struct dp_limits_answer *limits)
{
	if (!dph_answer(session, reply, DPH_OF(limits_answer, limits)))
		return false;
	dph_session_resend(session)->ring = limits->ring;
	return true;
}

bool dp_session_limits(struct dp_session *session, struct dp_limits_answer *limits)
{
	struct dph_reply reply;

	return dph_request_ok(session, DP_CMD_LIMITS, NULL, NULL, &reply) &&
	       dph_session_take_limits(session, &reply, limits);
}

/* --- names --- */

/* A name of which the first answer held a part. The rest is asked for in pieces of that length. */
struct name_rest {
	struct dp_session *session;
	enum dp_cmd command;
	uint8_t index;
	char *name;
	size_t bytes, asked, piece;
};

static bool next_piece(void *context, struct dph_request *request)
{
	struct name_rest *rest = context;
	const struct dp_name_request name = {rest->index, (uint8_t)rest->asked};
	const struct dp_module_request module = {rest->index, (uint8_t)rest->asked};

	if (rest->asked >= rest->bytes)
		return false;
	if (rest->command == DP_CMD_MODULE)
		dph_request_set(request, rest->command, DPH_OF_CONST(module_request, &module));
	else
		dph_request_set(request, rest->command, DPH_OF_CONST(name_request, &name));
	request->tag = (uint32_t)rest->asked;
	rest->asked += rest->piece;
	return true;
}

static bool take_piece(void *context, const struct dph_request *request,
		       const struct dph_reply *reply)
{
	struct name_rest *rest = context;
	struct dp_module_answer module;
	struct dp_name_answer name;
	const char *part;
	size_t count;

	if (reply->error != DP_ERR_OK)
		return dph_session_fail_error(rest->session, request->command, reply->error);
	if (rest->command == DP_CMD_MODULE
		    ? !dph_answer(rest->session, reply, DPH_OF(module_answer, &module))
		    : !dph_answer(rest->session, reply, DPH_OF(name_answer, &name)))
		return false;
	part = rest->command == DP_CMD_MODULE ? module.name : name.name;
	count = strnlen(part, rest->bytes - request->tag);
	memcpy(rest->name + request->tag, part, count < rest->piece ? count : rest->piece);
	return true;
}

/* Fetch the rest of a name. piece: characters that one answer holds. */
static bool fetch_rest(struct dp_session *session, enum dp_cmd command, uint8_t index, char *name,
		       size_t bytes, size_t piece)
{
	const size_t have = strlen(name);
	struct name_rest rest = {
		.session = session,
		.command = command,
		.index = index,
		.name = name,
		.bytes = bytes < DP_TEXT_MAX ? bytes : DP_TEXT_MAX,
		.asked = have,
		.piece = piece,
	};
	const struct dph_asker asker = {.context = &rest, .next = next_piece, .answer = take_piece};

	if (have >= rest.bytes || piece == 0)
		return true;
	memset(name + have, '\0', DP_TEXT_MAX + 1 - have);
	return dph_ask(session, &asker);
}

bool dp_session_module(struct dp_session *session, uint8_t index, struct dp_module_answer *module)
{
	const struct dp_module_request request = {index, 0};

	return ask(session, DP_CMD_MODULE, DPH_OF_CONST(module_request, &request),
		   DPH_OF(module_answer, module)) &&
	       fetch_rest(session, DP_CMD_MODULE, index, module->name, module->name_bytes,
			  strlen(module->name));
}

bool dph_session_program_name(struct dp_session *session, struct dp_program_answer *program)
{
	return fetch_rest(session, DP_CMD_NAME, program->index, program->name, program->name_bytes,
			  NAME_PIECE);
}

bool dp_session_status(struct dp_session *session, struct dp_status_answer *status)
{
	return ask(session, DP_CMD_STATUS, NULL, NULL, DPH_OF(status_answer, status));
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
	       dph_session_program_name(session, program);
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

bool dp_session_range(struct dp_session *session, uint8_t index, struct dp_ranges_answer *range)
{
	const struct dp_ranges_request request = {index};

	return dp_session_has_part(session, DP_PART_RANGES) &&
	       ask(session, DP_CMD_RANGES, DPH_OF_CONST(ranges_request, &request),
		   DPH_OF(ranges_answer, range));
}

bool dp_session_hardware(struct dp_session *session, struct dp_hardware_answer *hardware)
{
	return dp_session_has_part(session, DP_PART_HARDWARE) &&
	       ask(session, DP_CMD_HARDWARE, NULL, NULL, DPH_OF(hardware_answer, hardware));
}

bool dp_session_site(struct dp_session *session, uint8_t program, uint8_t index,
		     struct dp_site_answer *site)
{
	const struct dp_site_request request = {program, index};

	return dp_session_has_part(session, DP_PART_HARDWARE) &&
	       ask(session, DP_CMD_SITE, DPH_OF_CONST(site_request, &request),
		   DPH_OF(site_answer, site));
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

bool dp_session_stop(struct dp_session *session, uint8_t program, uint32_t *records)
{
	const struct dp_stop_request request = {program};
	struct dp_stop_answer answer;

	if (!ask(session, DP_CMD_STOP, DPH_OF_CONST(stop_request, &request),
		 DPH_OF(stop_answer, &answer)))
		return false;
	*records = answer.records;
	return true;
}

bool dp_session_log(struct dp_session *session, uint8_t target, uint8_t mode, uint8_t *now_target,
		    uint8_t *now_mode)
{
	const struct dp_log_request request = {target, mode, DP_LOG_LEAVE};
	struct dp_log_answer answer;

	if ((target == DP_LOG_COM2 && !dp_session_has_part(session, DP_PART_COM2)) ||
	    (mode == DP_LOG_ACKNOWLEDGED && !dp_session_has_part(session, DP_PART_RESEND)) ||
	    !ask(session, DP_CMD_LOG, DPH_OF_CONST(log_request, &request),
		 DPH_OF(log_answer, &answer)))
		return false;
	*now_target = answer.target;
	*now_mode = answer.mode;
	return dph_session_acknowledge(session, answer.mode == DP_LOG_ACKNOWLEDGED);
}

/* Without the right LOG the records come as they come. */
static bool is_wanted(const struct dp_session *session, enum dp_compact choice)
{
	const struct dp_hello_answer *target = dp_session_target(session);

	if (choice != DP_COMPACT_AUTO)
		return choice == DP_COMPACT_ON;
	return (target->rights & DP_RIGHT_LOG) != 0 &&
	       (dp_hello_parts(target) >> DP_PART_COMPACT & 1) != 0 &&
	       dph_session_has_rate(session);
}

bool dp_session_compact(struct dp_session *session, enum dp_compact choice, bool *now)
{
	const struct dp_log_request request = {DP_LOG_LEAVE, DP_LOG_LEAVE, DPH_FORM_COMPACT};
	struct dp_log_answer answer;

	*now = false;
	if (!is_wanted(session, choice))
		return true;
	if (!dp_session_has_part(session, DP_PART_COMPACT) ||
	    !ask(session, DP_CMD_LOG, DPH_OF_CONST(log_request, &request),
		 DPH_OF(log_answer, &answer)))
		return false;
	*now = answer.form == DPH_FORM_COMPACT;
	return true;
}
