/* SPDX-License-Identifier: BSD-2-Clause */
/* A this-> variable that is only recorded needs no value on the target. If the host computes its
 * value, records carry the operands instead. */
#include "defer.h"

#include "lang/d/read/functions.h"

#include <string.h>

/* A statement that may go: this->name = value. The value stays the same when it is evaluated twice.
 */
struct candidate {
	struct d_front *d;
	const struct d_statement *statement;
	struct d_node *value;
	const char *name;
	/* what the visit has found: */
	bool behind;     /* the visit is behind the statement, in its clause */
	bool changed;    /* ... and behind another change of a variable */
	bool recorded;   /* ... and in an action that records */
	bool refused;    /* the variable is needed on the target */
	bool substitute; /* the visit puts the value in */
	unsigned uses;
};

/* --- the value ----------------------------------------------------------------------------- */

/* Is a part of the node a division by a constant, or a function of the host? */
static bool has_hosted(const struct d_node *node)
{
	if (!node)
		return false;
	const bool divides = node->kind == D_NODE_BINARY &&
			     (node->op == D_OP_DIV || node->op == D_OP_MOD) &&
			     node->b->kind == D_NODE_NUMBER && node->b->value;
	return divides || (dph_d_calls(node, D_CALL_HOST)) || has_hosted(node->a) ||
	       has_hosted(node->b) || has_hosted(node->c) || has_hosted(node->list) ||
	       has_hosted(node->next);
}

/* --- the uses ------------------------------------------------------------------------------ */

static bool is_use(const struct candidate *c, const struct d_node *node)
{
	return node->kind == D_NODE_SCOPED && node->scope == D_SCOPE_CLAUSE &&
	       strcmp(node->text, c->name) == 0;
}

static void substitute(const struct candidate *c, struct d_node *use)
{
	struct d_node *copy = dph_d_copy(c->d, c->value);
	copy->place = use->place; /* the record names the variable */
	copy->deferred = true;
	copy->next = use->next;
	*use = *copy;
}

static void visit(struct candidate *c, struct d_node *node)
{
	for (; node; node = node->next) {
		if (is_use(c, node)) {
			c->uses++;
			c->refused = c->refused || !c->recorded || c->changed;
			if (c->substitute)
				substitute(c, node);
			continue;
		}
		visit(c, node->a);
		visit(c, node->b);
		visit(c, node->c);
		visit(c, node->list);
		if (node->kind == D_NODE_ASSIGN || node->kind == D_NODE_STEP)
			c->changed = c->behind;
	}
}

/* Does an action record its arguments? */
static bool is_recording(const struct d_node *node)
{
	return dph_d_calls(node, D_CALL_TRACE) || dph_d_calls(node, D_CALL_PRINTF) ||
	       dph_d_calls(node, D_CALL_PRINT);
}

static void visit_statements(struct candidate *c, struct d_statement *list)
{
	for (; list; list = list->next) {
		if (list == c->statement) {
			c->behind = true;
			continue;
		}
		c->recorded = c->behind && list->kind == D_STATEMENT_EXPRESSION &&
			      is_recording(list->expression);
		visit(c, list->expression);
		c->recorded = false;
		visit_statements(c, list->yes);
		visit_statements(c, list->no);
	}
}

static void visit_program(struct candidate *c)
{
	for (struct d_clause *clause = c->d->clauses; clause; clause = clause->next) {
		visit(c, clause->predicate);
		visit_statements(c, clause->body);
		c->behind = c->changed = false;
	}
}

/* --- statements ---------------------------------------------------------------------------- */

static bool is_candidate(const struct d_front *d, const struct d_statement *s)
{
	const struct d_node *e = s->expression;
	if (s->kind != D_STATEMENT_EXPRESSION || e->kind != D_NODE_ASSIGN || e->op != D_OP_NONE ||
	    e->a->kind != D_NODE_SCOPED || e->a->scope != D_SCOPE_CLAUSE)
		return false;
	const struct d_variable *variable = dph_d_variable_find(d, D_SCOPE_CLAUSE, e->a->text);
	return variable && !variable->declared && !variable->indexed && has_hosted(e->b) &&
	       !dph_d_changes(e->b);
}

/* Nothing may change between the statement and the records: the value is computed there, and may
 * fault there. Returns whether the statement is no longer needed. */
static bool defer(struct d_front *d, const struct d_statement *s)
{
	if (!is_candidate(d, s))
		return false;
	struct candidate c = {
		.d = d, .statement = s, .value = s->expression->b, .name = s->expression->a->text};
	visit_program(&c);
	if (c.refused || !c.uses)
		return false;
	c.substitute = true;
	visit_program(&c);
	return true;
}

/* Returns whether a statement is gone. */
static bool defer_in(struct d_front *d, struct d_clause *clause)
{
	bool some = false;
	for (struct d_statement **at = &clause->body; *at;)
		if (defer(d, *at)) {
			*at = (*at)->next;
			some = true;
		} else {
			at = &(*at)->next;
		}
	return some;
}

void dph_d_defer(struct d_front *d)
{
	bool some;
	do { /* a value may stand in that of another variable */
		some = false;
		for (struct d_clause *clause = d->clauses; clause; clause = clause->next)
			some = defer_in(d, clause) || some;
	} while (some);
}
