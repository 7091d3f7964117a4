/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the part that a program needs and an agent lacks. */
#include "parts.h"

#include "dp_object.h"
#include "tables/ops.h"

static bool missing(uint64_t parts, unsigned part)
{
	return part != DPH_CORE && !(parts >> part & 1);
}

/* The object is verified: every opcode is known, every operand whole. */
static bool in_code(const struct dp_program_info *program, uint64_t parts, unsigned *part,
		    uint32_t *where)
{
	for (uint32_t at = 0; at < program->code_bytes;) {
		const struct dph_op *op = dph_op_find(program->code[at]);

		*part = op->part;
		*where = at;
		if (missing(parts, op->part))
			return true;
		at += 1 + rpn_operand_bytes(op->operand, program->word_bytes);
	}
	return false;
}

static bool has_events(const struct dp_object_file *object, const struct dp_program_info *program)
{
	struct dp_point_info point;
	bool found = false;

	for (unsigned i = 0; i < program->points && !found; i++)
		found = dp_object_point(object, i, &point) && point.kind == DP_PROBE_EVENT;
	return found;
}

bool dph_part_missing(const struct dp_object_file *object, uint64_t parts, unsigned *part,
		      uint32_t *where)
{
	struct dp_program_info program;
	struct dp_module_info module;

	dp_object_program(object, &program);
	if (in_code(&program, parts, part, where))
		return true;
	*where = UINT32_MAX;
	*part = DP_PART_EVENTS;
	if (missing(parts, *part) && has_events(object, &program))
		return true;
	*part = DP_PART_TRACES;
	if (program.autostacktrace && missing(parts, *part))
		return true;
	*part = DP_PART_GLOBALS;
	if (program.gvars > 0 && missing(parts, *part))
		return true;
	*part = DP_PART_MODULES;
	for (unsigned i = 0; i < program.modules; i++)
		if (missing(parts, *part) && dp_object_module(object, i, &module) &&
		    module.type != DP_MODULE_KERNEL)
			return true;
	return false;
}
