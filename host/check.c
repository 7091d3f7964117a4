/* SPDX-License-Identifier: BSD-2-Clause */
/* The verifier's verdict, in words. */
#define _GNU_SOURCE
#include "dp_config.h"
#include "dp_errors.h"
#include "dp_object.h"
#include "dp_rpn.h"
#include "diag.h"
#include "dprobes_errors.h"
#include "object_read.h"
#include "pool.h"
#include "prove.h"

#include <stdlib.h>
#include <string.h>

static bool about_code(const struct dp_verdict *verdict)
{
	return verdict->error >= DP_ERR_BAD_OPCODE && verdict->error < DP_ERR_BAD_ENTRY;
}

/* Line `number` of the source that the object carries, if that is the file's own text. */
static char *carried_line(const struct dp_object_file *object, unsigned number)
{
	struct dph_section source;
	if (!dph_section(object, DP_SECTION_SOURCE, &source) || !source.count)
		return NULL;
	const char *text = (const char *)source.data, *end = text + source.count;
	for (unsigned i = 1; i < number && text; i++) {
		text = memchr(text, '\n', (size_t)(end - text));
		text = text ? text + 1 : NULL;
	}
	if (!text || text >= end)
		return NULL;
	const char *stop = memchr(text, '\n', (size_t)(end - text));
	return dph_strndup(text, (size_t)((stop ? stop : end) - text));
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
		 verdict->error == DP_ERR_TABLE_FULL)
		snprintf(text, bytes, " (%u asked for)", verdict->found);
}

/* First line of the object's program that has a number: only programs of one file carry lines
 * that can be shown. */
static bool single_file(const struct dp_object_file *object)
{
	struct dph_section lines;
	dph_section(object, DP_SECTION_LINES, &lines);
	for (uint32_t i = 1; i < lines.count; i++)
		if (memcmp(lines.data + 8, lines.data + (size_t)i * 12 + 8, 4) != 0)
			return false;
	return lines.count != 0;
}

void dph_verdict_message(const struct dp_object_file *object, const struct dp_verdict *verdict,
			 const char *name, struct dp_messages *messages)
{
	struct dp_message where = {.severity = DP_ERROR, .file = (char *)name};
	const char *file;
	char *source = NULL, found[64];
	if (about_code(verdict) && object->bytes > object->travelling &&
	    dp_object_line(object, verdict->where, &file, &where.line)) {
		where.file = (char *)file;
		if (single_file(object))
			source = carried_line(object, where.line);
		where.source = source;
	}
	found_text(found, sizeof(found), verdict);
	const char *why = verdict->refusal ? dp_refusal_sentence(verdict->refusal) : "";
	dph_message(messages, &where, "%s%s%s%s", dp_error_sentence(verdict->error),
		    *why ? ": " : "", why, found);
	free(source);
}

static uint16_t limit(uint16_t given, uint16_t fallback)
{
	return given ? given : fallback;
}

bool dp_check_object(const struct dp_object_file *object, const struct dp_check_options *options,
		     struct dp_check_result *result, struct dp_messages *messages)
{
	struct dp_target target;
	struct dp_layout layout;
	struct dp_verdict verdict = {0};
	*result = (struct dp_check_result){.step_budget = DP_STEP_BUDGET};
	if (!dph_target_of(object, &target)) {
		result->error = DP_ERR_BAD_TARGET;
		result->sentence = dp_error_sentence(result->error);
		dph_file_error(messages, NULL, "%s", result->sentence);
		return false;
	}
	target.log_max = limit(options->log_max, DP_LOG_MAX);
	target.trace_max = limit(options->trace_max, DP_TRACE_MAX);
	target.vars_max = limit(options->vars_max, RPN_VARS_MAX);
	target.gvars_max = limit(options->gvars_max, DP_GVARS);
	target.probes_max = limit(options->probes_max, DP_MAX_PROBES);
	target.may_write = !options->read_only;
	target.build_groups = options->read_only ? (uint8_t)~RPN_GROUP_DESTRUCTIVE : RPN_GROUP_ALL;
	result->error = dph_verify(object, &target, &layout, &verdict);
	result->sentence = dp_error_sentence(result->error);
	result->accepted = result->error == DP_ERR_OK;
	if (!result->accepted) {
		dph_verdict_message(object, &verdict, NULL, messages);
		return false;
	}
	struct dph_proof proof;
	dph_prove(object, &proof);
	result->groups = object->data[DP_OBJ_GROUPS];
	result->loops = proof.loops;
	result->calls = proof.calls;
	result->steps_max = proof.steps_max == DPH_UNBOUNDED ? 0 : proof.steps_max;
	result->log_max = proof.log_max;
	return true;
}
