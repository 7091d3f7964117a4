/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the part that a program needs and an agent lacks. */
#include "parts.h"

#include "dp_object.h"
#include "object_read.h"
#include "tables/ops.h"

static bool missing(uint64_t parts, unsigned part)
{
	return part != DPH_CORE && !(parts >> part & 1);
}

/* The part that the map of the index needs. */
static unsigned map_part(const struct dph_section *maps, uint32_t index)
{
	return dph_map_part(maps->data[index * DP_MAP_BYTES + DP_MAP_KIND]);
}

/* The object is verified: every opcode and map is known, every operand whole. */
static bool in_code(const struct dp_object_file *object, const struct dp_program_info *program,
		    uint64_t parts, unsigned *part, uint32_t *where)
{
	struct dph_section maps;

	dph_section(object, DP_SECTION_MAPS, &maps);
	for (uint32_t at = 0; at < program->code_bytes;) {
		const struct dph_op *op = dph_op_find(program->code[at]);

		*part = op->part;
		*where = at;
		if (missing(parts, *part))
			return true;
		if (op->operand == RPN_ARG_MAP)
			*part = map_part(&maps, program->code[at + 1]);
		if (missing(parts, *part))
			return true;
		at += 1 + rpn_operand_bytes(op->operand, program->word_bytes);
	}
	return false;
}

/* Kinds of points that a part of their own serves. */
static const struct {
	unsigned kind, part;
} kinds[] = {{DP_PROBE_EVENT, DP_PART_EVENTS}, {DP_PROBE_TIMER, DP_PART_TIMERS}};

static bool has_kind(const struct dp_object_file *object, const struct dp_program_info *program,
		     unsigned kind)
{
	struct dp_point_info point;
	bool found = false;

	for (unsigned i = 0; i < program->points && !found; i++)
		found = dp_object_point(object, i, &point) && point.kind == kind;
	return found;
}

bool dph_part_missing(const struct dp_object_file *object, uint64_t parts, unsigned *part,
		      uint32_t *where)
{
	struct dp_program_info program;
	struct dp_module_info module;

	dp_object_program(object, &program);
	if (in_code(object, &program, parts, part, where))
		return true;
	*where = UINT32_MAX;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		*part = kinds[i].part;
		if (missing(parts, *part) && has_kind(object, &program, kinds[i].kind))
			return true;
	}
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
