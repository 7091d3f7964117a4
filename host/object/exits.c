/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds `exit n` in code. */
#include "exits.h"

#include "tables/ops.h"

#include "dp_object.h"

static uint32_t next(const struct dp_program_info *program, uint32_t at)
{
	return at + 1 +
	       rpn_operand_bytes(dph_op_find(program->code[at])->operand, program->word_bytes);
}

bool dph_exits_with(const struct dp_program_info *program, uint32_t first, uint32_t end,
		    unsigned number)
{
	for (uint32_t at = first; at < end; at = next(program, at))
		if (program->code[at] == RPN_EXIT_N && program->code[at + 1] == number)
			return true;
	return false;
}

bool dph_handler_exits_with(const struct dp_program_info *program,
			    const struct dp_point_info *point, unsigned number)
{
	const uint32_t first = next(program, point->entry);
	uint32_t end = first;

	while (end < program->code_bytes && program->code[end] != RPN_HANDLER &&
	       program->code[end] != RPN_PROC)
		end = next(program, end);
	return dph_exits_with(program, first, end, number);
}
