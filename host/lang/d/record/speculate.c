/* SPDX-License-Identifier: BSD-2-Clause */
/* The actions speculate, commit and discard take the number of a speculation. */
#include "speculate.h"

#include "lang/d/code/speculation.h"

/* Push the number. Returns false: the error is said. */
static bool push_number(struct d_record *record, const struct d_node *node)
{
	if (!dph_d_check_scalar(record->check, node->list, D_PROTO_ARG, "the speculation"))
		return false;
	dph_d_lower_value(record->lower, node->list);
	return true;
}

void dph_d_speculate(struct d_record *record, struct d_node *node)
{
	if (push_number(record, node))
		dph_d_speculation_keep(record->lower);
}

void dph_d_commit(struct d_record *record, struct d_node *node)
{
	if (push_number(record, node))
		dph_d_speculation_do(record->lower, RPN_COMMIT);
}

void dph_d_discard(struct d_record *record, struct d_node *node)
{
	if (push_number(record, node))
		dph_d_speculation_do(record->lower, RPN_DISCARD);
}
