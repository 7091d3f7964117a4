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
#define OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)           \
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

const struct dph_op *dph_op_find(uint8_t code)
{
	for (size_t i = 0; i < dph_op_count; i++)
		if (dph_ops[i].code == code)
			return &dph_ops[i];
	return NULL;
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
