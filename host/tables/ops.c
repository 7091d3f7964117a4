/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of instructions holds the rows of protocol/rpn_ops.def. */
#include "ops.h"

#define DP_PART_CORE DPH_CORE
enum {
	WORDS_0,
	WORDS_1,
	WORDS_2,
	WORDS_3,
	WORDS_V = DPH_VARIES
};
#define DP_OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)        \
	{code,           text,         RPN_ARG_##operand, RPN_FLOW_##flow, RPN_GROUP_##group,      \
	 DP_PART_##part, WORDS_##pops, WORDS_##pushes},
const struct dph_op dph_ops[] = {
#include "rpn_ops.def"
};
const size_t dph_op_count = sizeof(dph_ops) / sizeof(*dph_ops);

#define OLD(text, policy, now) {text, DPH_OLD_##policy, now},
const struct dph_old dph_olds[] = {
#include "old_spellings.def"
};
const size_t dph_old_count = sizeof(dph_olds) / sizeof(*dph_olds);

enum {
#define DP_OP(code, name, ...) ROW_##name,
#include "rpn_ops.def"
	ROWS
};
_Static_assert(ROWS <= UINT8_MAX, "a row's number and one fit a byte");

/* The row of each code, counted from 1. */
static const uint8_t row_of[UINT8_MAX + 1] = {
#define DP_OP(code, name, ...) [code] = ROW_##name + 1,
#include "rpn_ops.def"
};

unsigned dph_map_part(unsigned kind)
{
	static const uint8_t parts[] = {
#define DP_KIND_OF_MAP(number, name, values, part, sentence) [number] = DP_PART_##part,
#include "map_kinds.def"
	};
	return parts[kind];
}

const struct dph_op *dph_op_find(uint8_t code)
{
	return row_of[code] == 0 ? NULL : &dph_ops[row_of[code] - 1];
}

const struct dph_op *dph_op_push(uint64_t *value, unsigned word_bytes)
{
	int64_t n = (int64_t)*value;
	if (word_bytes == 4)
		n = (int32_t)(uint32_t)*value;
	*value = (uint64_t)n;
	if (n >= INT8_MIN && n <= INT8_MAX)
		return dph_op_find(RPN_PUSH_8);
	if (n >= INT16_MIN && n <= INT16_MAX)
		return dph_op_find(RPN_PUSH_16);
	return dph_op_find(RPN_PUSH_W);
}
