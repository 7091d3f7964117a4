/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for variables of a firing that a clause may read before it assigns them. An
 * assignment counts in its own clause only: a predicate or a fault may skip another one. */
#include "fresh.h"

struct search {
	const struct dph_d_check *check;
	struct d_lower *lower;
	const struct d_clause *clause;
	unsigned handler, number; /* of the search */
};

static struct d_variable *firing_variable(const struct search *s, const struct d_node *node)
{
	if (!node || node->kind != D_NODE_SCOPED || node->scope != D_SCOPE_CLAUSE)
		return NULL;
	return dph_d_variable_find(s->check->d, D_SCOPE_CLAUSE, node->text);
}

/* Does every assignment stand behind the node? */
static bool is_early(const struct search *s, const struct d_node *node,
		     const struct d_variable *variable)
{
	if (!variable->clause || variable->clause->number != s->clause->number)
		return variable->clause && variable->clause->number > s->clause->number;
	const struct dph_place *first = &variable->first->place, *here = &node->place;
	if (first->line != here->line)
		return first->line > here->line;
	return first->start > here->start;
}

/* The type says how many words the variable has; no place is taken before it is known. */
static void clear(const struct dph_d_check *c, struct d_lower *l, struct d_variable *variable)
{
	dph_d_check_variable(c, variable);
	const unsigned index = dph_d_variable_index(l, variable);
	const unsigned words = dph_d_variable_words(c->d, variable);
	for (unsigned i = 0; i < words; i++) {
		dph_d_push(l->code, 0);
		dph_d_emit(l->code, RPN_POP_LV_N, index + i);
	}
}

static void read_variable(const struct search *s, const struct d_node *node)
{
	struct d_lower *l = s->lower;
	struct d_variable *variable = firing_variable(s, node);
	if (!variable || variable->assigned == s->number || variable->fresh == s->handler)
		return;
	variable->fresh = s->handler;
	clear(s->check, l, variable);
	if (variable->told || !is_early(s, node, variable))
		return;
	variable->told = true;
	dph_warning(l->d, node->place, "'this->%s' has no value yet; it is 0 here", variable->name);
}

/* sure: the node is evaluated whenever the clause runs. */
static void visit(const struct search *s, const struct d_node *node, bool sure);

static void visit_list(const struct search *s, const struct d_node *node, bool sure)
{
	for (; node; node = node->next)
		visit(s, node, sure);
}

static void visit_assignment(const struct search *s, const struct d_node *node, bool sure)
{
	struct d_variable *variable = firing_variable(s, node->a);
	if (!variable || node->op != D_OP_NONE) /* the old value is read first */
		visit(s, node->a, sure);
	visit(s, node->b, sure);
	if (variable && sure)
		variable->assigned = s->number;
}

static void visit(const struct search *s, const struct d_node *node, bool sure)
{
	if (!node)
		return;
	const bool lazy = node->kind == D_NODE_CHOICE ||
			  (node->kind == D_NODE_BINARY &&
			   (node->op == D_OP_AND_AND || node->op == D_OP_OR_OR));
	if (node->kind == D_NODE_ASSIGN) {
		visit_assignment(s, node, sure);
		return;
	}
	read_variable(s, node);
	visit(s, node->a, sure);
	visit(s, node->b, sure && !lazy);
	visit(s, node->c, sure && !lazy);
	visit_list(s, node->list, sure);
}

static void visit_statements(const struct search *s, const struct d_statement *list, bool sure)
{
	for (; list; list = list->next) {
		visit(s, list->expression, sure);
		visit_statements(s, list->yes, false);
		visit_statements(s, list->no, false);
	}
}

void dph_d_fresh(const struct dph_d_check *check, struct d_lower *l, const struct d_match *matches)
{
	const unsigned handler = ++l->d->searches;
	for (; matches; matches = matches->next) {
		const struct search s = {check, l, matches->clause, handler, ++l->d->searches};
		visit(&s, matches->clause->predicate, true);
		visit_statements(&s, matches->clause->body, true);
	}
}
