/* SPDX-License-Identifier: BSD-2-Clause */
#include "ops.h"

#define DP_PART_CORE DPH_CORE
#define OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)           \
	{code, text, RPN_ARG_##operand, RPN_FLOW_##flow, RPN_GROUP_##group, DP_PART_##part},
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
