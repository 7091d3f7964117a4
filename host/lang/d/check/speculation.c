/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules for the statements of a clause that speculates or commits, as DTrace has them: they
 * follow the order of the text. */
#include "speculation.h"

#include "lang/d/read/functions.h"

/* What a statement does. */
enum kind {
	OTHER,
	SPECULATE,
	COMMIT,
	RECORDS,    /* a value */
	EXIT,       /* records, too */
	AGGREGATES, /* updates an aggregation, or acts on it */
	ACTS,       /* stops the firmware, or changes what it does */
	KINDS
};

/* The clause so far. */
struct order {
	struct d_front *d;
	const struct d_node *before[KINDS]; /* the last statement of each kind; null: none */
	bool wrong;
};

/* `kind` may not follow `behind`. */
static const struct rule {
	enum kind behind, kind;
	enum d_tag tag;
	const char *text;
} rules[] = {
	{SPECULATE, SPECULATE, D_SPEC_SPEC, "a clause has one speculation"},
	{COMMIT, SPECULATE, D_SPEC_COMM, "a clause commits or speculates; write two clauses"},
	{RECORDS, SPECULATE, D_SPEC_DREC, "speculate() stands before what the clause records"},
	{AGGREGATES, SPECULATE, D_AGG_SPEC,
	 "an aggregation counts at once, and no speculation holds it back; write two clauses"},
	{EXIT, SPECULATE, D_EXIT_SPEC, "exit() does not wait for a commit; write two clauses"},
	{ACTS, SPECULATE, D_ACT_SPEC, "this does not wait for a commit; write two clauses"},
	{COMMIT, COMMIT, D_COMM_COMM, "a clause commits once; write two clauses"},
	{RECORDS, COMMIT, D_COMM_DREC, "a clause that commits records nothing; write two clauses"},
	{EXIT, COMMIT, D_COMM_DREC, "a clause that commits records nothing; write two clauses"},
	{SPECULATE, COMMIT, D_COMM_DREC,
	 "the record of this clause is not in the speculation yet; write two clauses"},
	{COMMIT, RECORDS, D_DREC_COMM, "a clause that commits records nothing; write two clauses"},
	{COMMIT, EXIT, D_DREC_COMM, "a clause that commits records nothing; write two clauses"},
	{COMMIT, AGGREGATES, D_AGG_COMM,
	 "a clause that commits updates no aggregation; write two clauses"},
	{SPECULATE, AGGREGATES, D_AGG_SPEC,
	 "an aggregation counts at once, and no speculation holds it back; write two clauses"},
	{SPECULATE, EXIT, D_EXIT_SPEC, "exit() does not wait for a commit; write two clauses"},
	{SPECULATE, ACTS, D_ACT_SPEC, "this does not wait for a commit; write two clauses"},
};

static enum kind kind_of(const struct d_node *node)
{
	const struct d_function *function = dph_d_called(node);
	if (node->kind == D_NODE_ASSIGN && node->a->kind == D_NODE_AGGREGATION)
		return AGGREGATES;
	if (!function)
		return OTHER;
	switch (function->how) {
	case D_CALL_SPECULATE:
		return SPECULATE;
	case D_CALL_COMMIT:
		return COMMIT;
	case D_CALL_DISCARD:
		return OTHER;
	case D_CALL_EXIT:
		return EXIT;
	case D_CALL_PRINTA:
	case D_CALL_CLEAR:
	case D_CALL_TRUNC:
	case D_CALL_NORMALIZE:
	case D_CALL_DENORMALIZE:
		return AGGREGATES;
	case D_CALL_BREAKPOINT:
	case D_CALL_RETURN:
	case D_CALL_FREEZE:
		return ACTS;
	default:
		return RECORDS;
	}
}

static void check_node(struct order *order, const struct d_node *node)
{
	const enum kind kind = kind_of(node);
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].kind == kind && order->before[rules[i].behind] && !order->wrong) {
			dph_d_error(order->d, rules[i].tag, node->place, "%s", rules[i].text);
			order->wrong = true;
		}
	order->before[kind] = node;
}

/* nested: the statements are in an `if`. */
static void check_list(struct order *order, const struct d_statement *list, bool nested)
{
	for (; list; list = list->next) {
		if (list->kind == D_STATEMENT_IF) {
			check_list(order, list->yes, true);
			check_list(order, list->no, true);
			continue;
		}
		check_node(order, list->expression);
		if (!nested || order->wrong || !dph_d_calls(list->expression, D_CALL_SPECULATE))
			continue;
		dph_d_error(order->d, D_SYNTAX, list->expression->place,
			    "the whole record of a clause is speculated, or none of it; write a "
			    "clause with a predicate in place of the 'if'");
		order->wrong = true;
	}
}

bool dph_d_speculates(const struct d_clause *clause)
{
	bool found = false;
	for (const struct d_statement *s = clause->body; s; s = s->next)
		found = found ||
			(s->kind != D_STATEMENT_IF && dph_d_calls(s->expression, D_CALL_SPECULATE));
	return found;
}

bool dph_d_check_speculation(struct d_front *d, const struct d_clause *clause)
{
	struct order order = {.d = d};
	check_list(&order, clause->body, false);
	return !order.wrong;
}
