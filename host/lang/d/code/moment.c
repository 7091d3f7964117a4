/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock of a clause. */
#include "moment.h"

#include "lang/d/read/provided.h"

#include <string.h>

enum {
	VARIABLES_MAX = 8 /* one assigned to another */
};

static unsigned reads(const struct d_node *node, const struct d_node *values);

/* Count the reads of the value that the node stands for, if it is an argument. */
static unsigned reads_of_argument(const struct d_node *node, const struct d_node *values)
{
	const bool typed = dph_d_is_args(node);
	uint64_t n = typed ? node->list->value : 0;
	if (!typed && (node->kind != D_NODE_NAME || dph_d_argument_number(node->text) < 0))
		return 0;
	if (typed && node->list->kind != D_NODE_NUMBER) /* it may be any of them */
		return reads(values, NULL);
	if (!typed)
		n = (uint64_t)dph_d_argument_number(node->text);
	for (; values && n > 0; n--)
		values = values->next;
	if (!values)
		return 0;
	struct d_node alone = *values;
	alone.next = NULL;
	return reads(&alone, NULL);
}

/* Count the reads of the clock in a list of nodes. values: of a declared probe, which arguments
 * stand for; null: none. A check at another point may have put a value in an argument's place. */
static unsigned reads(const struct d_node *node, const struct d_node *values)
{
	unsigned count = 0;
	for (; node; node = node->next) {
		const struct d_node *of = node->written ? node->written : node;
		count += of->kind == D_NODE_NAME && strcmp(of->text, "timestamp") == 0;
		count += values ? reads_of_argument(of, values) : 0;
		count += reads(of->a, values) + reads(of->b, values) + reads(of->c, values) +
			 reads(of->list, values);
	}
	return count;
}

static unsigned reads_in(const struct d_statement *s, const struct d_node *values)
{
	unsigned count = 0;
	for (; s; s = s->next)
		count += reads(s->expression, values) + reads_in(s->yes, values) +
			 reads_in(s->no, values);
	return count;
}

/* Words that the clock takes. */
static unsigned words(const struct d_lower *l)
{
	return l->code->word_bytes == 8 ? 1 : 2;
}

void dph_d_moment_begin(struct d_lower *l, const struct d_provided *provided,
			const struct d_clause *clause)
{
	const struct d_node *values = provided ? provided->values : NULL;
	unsigned count = provided ? reads(provided->predicate, NULL) : 0;
	count += reads(clause->predicate, values) + reads_in(clause->body, values);
	l->keeps_time = count > 1;
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
