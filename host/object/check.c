/* SPDX-License-Identifier: BSD-2-Clause */
/* This file runs the verifier on an object and reports the verdict as a message. */
#define _GNU_SOURCE
#include "dp_bytes.h"
#include "dp_config.h"
#include "dp_errors.h"
#include "dp_object.h"
#include "dp_rpn.h"
#include "base/diag.h"
#include <dprobes/errors.h>
#include "arena.h"
#include "carried_source.h"
#include "empty.h"
#include "formats.h"
#include "object_read.h"
#include "base/pool.h"
#include "prove.h"

#include <stdlib.h>
#include <string.h>

static bool about_code(const struct dp_verdict *verdict)
{
	return verdict->error >= DP_ERR_BAD_OPCODE && verdict->error < DP_ERR_BAD_ENTRY;
}

static void found_text(char *text, size_t bytes, const struct dp_verdict *verdict)
{
	*text = 0;
	if (verdict->probe != 0xffff)
		snprintf(text, bytes, " (probe point %u)", verdict->probe);
	else if (about_code(verdict))
		snprintf(text, bytes, " (code offset %u, found 0x%x)", verdict->where,
			 verdict->found);
	else if (verdict->error == DP_ERR_LIMIT || verdict->error == DP_ERR_NO_SPACE ||
		 verdict->error == DP_ERR_TABLE_FULL || verdict->error == DP_ERR_ARENA_FULL)
		snprintf(text, bytes, " (%u asked for)", verdict->found);
}

/* The source line of the instruction at a code offset, where the object has one. The caller
 * frees *source. */
static struct dp_message at_line(const struct dp_object_file *object, uint32_t offset,
				 char **source)
{
	struct dp_message where = {.severity = DP_ERROR};
	const char *file;
	*source = NULL;
	if (object->bytes <= object->travelling ||
	    !dp_object_line(object, offset, &file, &where.line))
		return where;
	where.file = (char *)file;
	if (dph_carried_file(object))
		*source = dph_carried_line(object, where.line);
	where.source = *source;
	return where;
}

void dph_verdict_message(const struct dp_object_file *object, const struct dp_verdict *verdict,
			 const char *name, struct dp_messages *messages)
{
	struct dp_message where = {.severity = DP_ERROR};
	char *source = NULL, found[64];
	if (about_code(verdict))
		where = at_line(object, verdict->where, &source);
	if (!where.file)
		where.file = (char *)name;
	found_text(found, sizeof(found), verdict);
	const char *why = verdict->refusal ? dp_refusal_sentence(verdict->refusal) : "";
	dph_message(messages, &where, "%s%s%s%s", dp_error_sentence(verdict->error),
		    *why ? ": " : "", why, found);
	free(source);
}

static void warn_silent(const struct dp_object_file *object, struct dp_messages *messages)
{
	struct dph_empty exits;
	if (dph_object_formats(object))
		return;
	dph_find_silent(object, &exits);
	for (size_t i = 0; i < exits.count; i++) {
		char *source;
		struct dp_message where = at_line(object, exits.offsets[i], &source);
		where.severity = DP_WARNING;
		dph_message(messages, &where,
			    "this exit can be reached with nothing logged: each such hit sends an "
			    "empty record; end that way with 'abort'");
		free(source);
	}
	dph_empty_free(&exits);
}

static uint32_t limit(uint32_t given, uint32_t fallback)
{
	return given ? given : fallback;
}

static struct dp_check_options limits_of(const struct dp_check_options *given)
{
	return (struct dp_check_options){
		.log_max = (uint16_t)limit(given->log_max, DP_LOG_MAX),
		.trace_max = (uint16_t)limit(given->trace_max, DP_TRACE_MAX),
		.vars_max = (uint16_t)limit(given->vars_max, RPN_VARS_MAX),
		.gvars_max = (uint16_t)limit(given->gvars_max, DP_GVARS),
		.probes_max = (uint16_t)limit(given->probes_max, DP_MAX_PROBES),
		.arena_bytes = limit(given->arena_bytes, DP_ARENA_BYTES),
		.read_only = given->read_only,
	};
}

static enum dp_err verify(const struct dp_object_file *object,
			  const struct dp_check_options *limits, struct dp_target *target,
			  struct dp_verdict *verdict)
{
	struct dp_layout layout;
	uint32_t needed;

	target->log_max = limits->log_max;
	target->trace_max = limits->trace_max;
	target->vars_max = limits->vars_max;
	target->gvars_max = limits->gvars_max;
	target->probes_max = limits->probes_max;
	target->may_write = !limits->read_only;
	target->build_groups = limits->read_only ? (uint8_t)~RPN_GROUP_DESTRUCTIVE : RPN_GROUP_ALL;
	if (dph_verify(object, target, &layout, verdict) != DP_ERR_OK)
		return verdict->error;
	needed = dph_arena_needed(object);
	if (needed > limits->arena_bytes) {
		verdict->error = DP_ERR_ARENA_FULL;
		verdict->found = needed;
	}
	return verdict->error;
}

bool dp_check_object(const struct dp_object_file *object, const struct dp_check_options *options,
		     struct dp_check_result *result, struct dp_messages *messages)
{
	struct dp_target target;
	struct dp_verdict verdict = {0};
	*result = (struct dp_check_result){.step_budget = DP_STEP_BUDGET,
					   .limits = limits_of(options)};
	if (!dph_target_of(object, &target)) {
		result->error = DP_ERR_BAD_TARGET;
		result->sentence = dp_error_sentence(result->error);
		dph_file_error(messages, NULL, "%s", result->sentence);
		return false;
	}
	result->error = verify(object, &result->limits, &target, &verdict);
	result->sentence = dp_error_sentence(result->error);
	result->accepted = result->error == DP_ERR_OK;
	if (!result->accepted) {
		dph_verdict_message(object, &verdict, NULL, messages);
		return false;
	}
	struct dph_proof proof;
	warn_silent(object, messages);
	dph_prove(object, &proof);
	result->memory = dph_memory_needed(object);
	result->groups = object->data[DP_OBJ_GROUPS];
	result->loops = proof.loops;
	result->calls = proof.calls;
	result->steps_max = proof.steps_max == DPH_UNBOUNDED ? 0 : proof.steps_max;
	result->log_max = proof.log_max;
	return true;
}
