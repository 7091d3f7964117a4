/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock of a clause. */
#include "moment.h"

#include <string.h>

enum {
	VARIABLES_MAX = 8 /* one assigned to another */
};

static unsigned reads(const struct d_node *node)
{
	unsigned count = 0;
	for (; node; node = node->next) {
		count += node->kind == D_NODE_NAME && strcmp(node->text, "timestamp") == 0;
		count += reads(node->a) + reads(node->b) + reads(node->c) + reads(node->list);
	}
	return count;
}

static unsigned reads_of(const struct d_statement *s)
{
	unsigned count = 0;
	for (; s; s = s->next)
		count += reads(s->expression) + reads_of(s->yes) + reads_of(s->no);
	return count;
}

/* Words that the clock takes. */
static unsigned words(const struct d_lower *l)
{
	return l->code->word_bytes == 8 ? 1 : 2;
}

void dph_d_moment_begin(struct d_lower *l, const struct d_clause *clause)
{
	l->keeps_time = reads(clause->predicate) + reads_of(clause->body) > 1;
	if (!l->keeps_time)
		return;
	dph_d_emit(l->code, RPN_PUSH_NS, 0);
	for (unsigned i = 0; i < words(l); i++)
		dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, D_TEMP_TIME + i));
}

void dph_d_moment_push(struct d_lower *l)
{
	if (!l->keeps_time) {
		dph_d_emit(l->code, RPN_PUSH_NS, 0);
		return;
	}
	for (unsigned i = words(l); i-- > 0;)
		dph_d_emit(l->code, RPN_PUSH_LV_N, dph_d_temp(l, D_TEMP_TIME + i));
}

/* depth: variables that may still be followed. */
static bool is_time(const struct d_front *d, const struct d_node *node, unsigned depth)
{
	const struct d_variable *variable = dph_d_variable_of(d, node);
	if (variable)
		return depth > 0 && variable->first && variable->first->kind == D_NODE_ASSIGN &&
		       is_time(d, variable->first->b, depth - 1);
	switch (node->kind) {
	case D_NODE_NAME:
		return strcmp(node->text, "timestamp") == 0;
	case D_NODE_BINARY:
		return (node->op == D_OP_ADD || node->op == D_OP_SUB) &&
		       (is_time(d, node->a, depth) || is_time(d, node->b, depth));
	case D_NODE_CHOICE:
		return is_time(d, node->b, depth) || is_time(d, node->c, depth);
	case D_NODE_CAST:
		return is_time(d, node->a, depth);
	case D_NODE_ASSIGN:
		return is_time(d, node->b, depth);
	default:
		return false;
	}
}

bool dph_d_is_time(const struct d_front *d, const struct d_node *node)
{
	return is_time(d, node, VARIABLES_MAX);
}
