/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions, and the small changes: one request each. */
#include "session_request.h"

#include "dprobes_errors.h"

#include "dp_bytes.h"

#include <string.h>

bool dp_session_has_part(struct dp_session *session, enum dp_part part)
{
	if (dp_session_target(session)->parts >> part & 1)
		return true;
	dp_session_fail(session, DP_FAILED_AGENT,
			"the agent was built without %s; build the firmware with DP_WITH_%s",
			dp_part_sentence(part), dp_part_name(part));
	dp_session_set_error(session, DP_ERR_LEFT_OUT);
	return false;
}

bool dp_session_limits(struct dp_session *session, struct dp_target_limits *limits)
{
	struct dp_reply reply;
	struct dp_fields f;

	if (!dp_session_has_part(session, DP_PART_LIMITS))
		return false;
	if (!dp_request_ok(session, DP_CMD_LIMITS, NULL, 0, &reply))
		return false;
	f = dp_fields_of(&reply);
	limits->log = dp_field_u16(&f);
	limits->trace = dp_field_u16(&f);
	limits->vars = dp_field_u16(&f);
	limits->gvars = dp_field_u16(&f);
	limits->jmpmax = dp_field_u16(&f);
	limits->stack = dp_field_u16(&f);
	limits->budget = dp_field_u32(&f);
	limits->arena = dp_field_u32(&f);
	limits->arena_free = dp_field_u32(&f);
	limits->probes = dp_field_u8(&f);
	limits->probes_free = dp_field_u8(&f);
	limits->programs = dp_field_u8(&f);
	limits->slots = dp_field_u8(&f);
	limits->slots_free = dp_field_u8(&f);
	limits->ring = dp_field_u32(&f);
	limits->agent_bytes = dp_field_u32(&f);
	limits->stack_high_water = dp_field_u16(&f);
	return dp_fields_done(session, &f);
}

static bool module_part(struct dp_session *session, uint8_t index, size_t offset,
			struct dp_target_module *module, size_t *name_bytes)
{
	const uint8_t arguments[] = {index, (uint8_t)offset};
	struct dp_reply reply;
	struct dp_fields f;
	uint8_t id_bytes;

	if (!dp_request_ok(session, DP_CMD_MODULE, arguments, sizeof arguments, &reply))
		return false;
	f = dp_fields_of(&reply);
	module->type = dp_field_u8(&f);
	module->identity = dp_field_u8(&f);
	module->base = dp_field_u64(&f);
	module->bytes = dp_field_u64(&f);
	id_bytes = dp_field_u8(&f);
	module->id_bytes = 0;
	while (id_bytes-- > 0 && module->id_bytes < sizeof module->id)
		module->id[module->id_bytes++] = dp_field_u8(&f);
	*name_bytes = dp_field_u8(&f);
	dp_field_rest(&f, module->name + offset, sizeof module->name - 1 - offset);
	return dp_fields_done(session, &f);
}

bool dp_session_module(struct dp_session *session, uint8_t index, struct dp_target_module *module)
{
	size_t have = 0, name_bytes;

	memset(module, 0, sizeof *module);
	do {
		if (!module_part(session, index, have, module, &name_bytes))
			return false;
		if (strlen(module->name) <= have)
			break;
		have = strlen(module->name);
	} while (have < name_bytes && have < sizeof module->name - 1);
	return true;
}

void dp_fields_status(struct dp_fields *fields, struct dp_target_status *status)
{
	status->programs = dp_field_u8(fields);
	status->probes = dp_field_u8(fields);
	status->log_target = dp_field_u8(fields);
	status->log_mode = dp_field_u8(fields);
	status->sent = dp_field_u32(fields);
	status->dropped = dp_field_u32(fields);
	status->missed = dp_field_u32(fields);
	status->withdrawn = dp_field_u32(fields);
	status->strays = dp_field_u32(fields);
	status->line =
		fields->left == 0 ? DP_LOG_LEAVE : dp_field_u8(fields); /* an answer may end here */
	status->own_text = fields->left != 0 && dp_field_u8(fields) != 0;
}

bool dp_session_status(struct dp_session *session, struct dp_target_status *status)
{
	struct dp_reply reply;
	struct dp_fields f;

	if (!dp_request_ok(session, DP_CMD_STATUS, NULL, 0, &reply))
		return false;
	f = dp_fields_of(&reply);
	dp_fields_status(&f, status);
	return dp_fields_done(session, &f);
}

/* The rest of a name that was too long for PROGRAM. */
static bool long_name(struct dp_session *session, struct dp_target_program *program,
		      size_t name_bytes)
{
	size_t have = strlen(program->name);

	while (have < name_bytes && have < sizeof program->name - 1) {
		const uint8_t arguments[] = {program->index, (uint8_t)have};
		struct dp_reply reply;
		struct dp_fields f;
		size_t more;

		if (!dp_request_ok(session, DP_CMD_NAME, arguments, sizeof arguments, &reply))
			return false;
		f = dp_fields_of(&reply);
		more = dp_field_rest(&f, program->name + have, sizeof program->name - 1 - have);
		if (more == 0)
			break;
		have += more;
	}
	return true;
}

bool dp_session_program(struct dp_session *session, uint8_t index,
			struct dp_target_program *program, bool *used)
{
	struct dp_reply reply;
	struct dp_fields f;
	size_t name_bytes;

	*used = false;
	memset(program, 0, sizeof *program);
	if (!dp_request(session, DP_CMD_PROGRAM, &index, 1, &reply))
		return false;
	if (reply.error == DP_ERR_NO_PROGRAM)
		return true;
	if (reply.error != DP_ERR_OK)
		return dp_session_fail_error(session, DP_CMD_PROGRAM, reply.error);
	*used = true;
	f = dp_fields_of(&reply);
	program->index = dp_field_u8(&f);
	program->id = dp_field_u32(&f);
	program->major = dp_field_u16(&f);
	program->items = dp_field_u8(&f);
	program->probes = dp_field_u8(&f);
	program->state = dp_field_u8(&f);
	program->crc = dp_field_u32(&f);
	program->bytes = dp_field_u32(&f);
	program->vars = dp_field_u16(&f);
	name_bytes = dp_field_u8(&f);
	dp_field_rest(&f, program->name, sizeof program->name - 1);
	return dp_fields_done(session, &f) && long_name(session, program, name_bytes);
}

bool dp_session_probe(struct dp_session *session, uint8_t program, uint8_t index,
		      struct dp_target_probe *probe)
{
	const uint8_t arguments[] = {program, index};
	struct dp_reply reply;
	struct dp_fields f;

	if (!dp_request_ok(session, DP_CMD_PROBE, arguments, sizeof arguments, &reply))
		return false;
	f = dp_fields_of(&reply);
	probe->number = dp_field_u8(&f);
	probe->state = dp_field_u8(&f);
	probe->minor = dp_field_u16(&f);
	probe->isa = dp_field_u8(&f);
	probe->address = dp_field_u64(&f);
	probe->original = dp_field_u32(&f);
	probe->insn_bytes = dp_field_u8(&f);
	probe->hits = dp_field_u32(&f);
	probe->missed = dp_field_u32(&f);
	probe->ignored = dp_field_u32(&f);
	probe->faulted = dp_field_u32(&f);
	probe->dropped = dp_field_u32(&f);
	probe->point = dp_field_u8(&f);
	probe->overruns = dp_field_u16(&f);
	probe->kind = dp_field_u8(&f);
	probe->phase = dp_field_u8(&f);
	probe->flags = dp_field_u8(&f);
	probe->maxhits = dp_field_u32(&f);
	return dp_fields_done(session, &f);
}

/* A stack word in the target's byte order. */
static uint64_t word(const struct dp_hello *target, const uint8_t *bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < target->word_bytes; i++)
		value = value << 8 | bytes[target->big_endian ? i : target->word_bytes - 1u - i];
	return value;
}

bool dp_session_vars(struct dp_session *session, uint8_t program, uint16_t first, bool reset,
		     uint64_t *words, size_t room, size_t *count, size_t *there)
{
	const struct dp_hello *target = dp_session_target(session);

	*count = 0;
	if (!dp_session_has_part(session, DP_PART_VARS) ||
	    (program == DP_VARS_GLOBAL && !dp_session_has_part(session, DP_PART_GLOBALS)))
		return false;
	do {
		uint8_t arguments[5] = {program}, bytes[DP_PAYLOAD_MAX];
		struct dp_reply reply;
		struct dp_fields f;
		size_t got;

		dp_put_u16(arguments + 1, (uint16_t)(first + *count));
		arguments[3] = room - *count < 0xff ? (uint8_t)(room - *count) : 0xff;
		arguments[4] = reset;
		if (!dp_request_ok(session, DP_CMD_VARS, arguments, sizeof arguments, &reply))
			return false;
		f = dp_fields_of(&reply);
		*there = dp_field_u16(&f);
		got = dp_field_rest(&f, bytes, sizeof bytes) / target->word_bytes;
		if (!dp_fields_done(session, &f))
			return false;
		for (size_t i = 0; i < got && *count < room; i++)
			words[(*count)++] = word(target, bytes + i * target->word_bytes);
		if (got == 0)
			break;
	} while (*count < room && first + *count < *there);
	return true;
}

bool dp_session_text(struct dp_session *session, uint64_t address, uint32_t bytes, bool original,
		     uint32_t *crc, uint32_t *sites)
{
	uint8_t arguments[13];
	struct dp_reply reply;
	struct dp_fields f;
	uint16_t found;

	if (!dp_session_has_part(session, DP_PART_TEXT))
		return false;
	dp_put_u64(arguments, address);
	dp_put_u32(arguments + 8, bytes);
	arguments[12] = original;
	if (!dp_request_ok(session, DP_CMD_TEXT, arguments, sizeof arguments, &reply))
		return false;
	f = dp_fields_of(&reply);
	*crc = dp_field_u32(&f);
	found = dp_field_u16(&f);
	if (sites != NULL)
		*sites = found;
	return dp_fields_done(session, &f);
}

bool dp_session_remove(struct dp_session *session, uint8_t program, uint8_t *removed)
{
	struct dp_reply reply;
	struct dp_fields f;

	if (!dp_request_ok(session, DP_CMD_REMOVE, &program, 1, &reply))
		return false;
	f = dp_fields_of(&reply);
	*removed = dp_field_u8(&f);
	return dp_fields_done(session, &f);
}

bool dp_session_log(struct dp_session *session, uint8_t target, uint8_t mode, uint8_t *now_target,
		    uint8_t *now_mode)
{
	const uint8_t arguments[] = {target, mode};
	struct dp_reply reply;
	struct dp_fields f;

	if ((mode == DP_LOG_SYNCHRONOUS && !dp_session_has_part(session, DP_PART_SYNC)) ||
	    (target == DP_LOG_COM2 && !dp_session_has_part(session, DP_PART_COM2)) ||
	    !dp_session_has_part(session, DP_PART_LOG))
		return false;
	if (!dp_request_ok(session, DP_CMD_LOG, arguments, sizeof arguments, &reply))
		return false;
	f = dp_fields_of(&reply);
	*now_target = dp_field_u8(&f);
	*now_mode = dp_field_u8(&f);
	return dp_fields_done(session, &f);
}
