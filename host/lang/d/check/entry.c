/* SPDX-License-Identifier: BSD-2-Clause */
/* entry(e) becomes an element of an array, whose keys are the task and the frame of the call. The
 * frame is that of the canonical frame address (CFA), so recursion, interrupts and equal functions
 * of two tasks have values of their own. */
#define _GNU_SOURCE
#include "entry.h"

#include "debuginfo/frame.h"
#include "lang/d/read/functions.h"
#include "lang/d/read/provided.h"

#include <string.h>

/* A clause with entry(e). */
struct entries {
	struct d_front *d;
	struct d_clause *clause;
	bool faults; /* a value of it may fault at the entry */
};

/* --- the tree ------------------------------------------------------------------------------- */

static struct d_node *make(struct d_front *d, enum d_node_kind kind, struct dph_place place)
{
	struct d_node *node = dph_pool_take(d->pool, sizeof(*node));
	*node = (struct d_node){.kind = kind, .place = place, .text = ""};
	return node;
}

/* self->NAME[the frame] */
static struct d_node *element(struct d_front *d, const char *name, struct dph_place place)
{
	struct d_node *node = make(d, D_NODE_INDEX, place);
	node->a = make(d, D_NODE_SCOPED, place);
	node->a->scope = D_SCOPE_THREAD;
	node->a->text = name;
	node->list = make(d, D_NODE_FRAME, place);
	return node;
}

static struct d_statement *assignment(struct d_front *d, const char *name, struct d_node *value,
				      struct dph_place place)
{
	struct d_statement *made = dph_pool_take(d->pool, sizeof(*made));
	made->kind = D_STATEMENT_EXPRESSION;
	made->expression = make(d, D_NODE_ASSIGN, place);
	made->expression->a = element(d, name, place);
	made->expression->b = value;
	return made;
}

static struct d_node *number(struct d_front *d, uint64_t value, struct dph_place place)
{
	struct d_node *node = make(d, D_NODE_NUMBER, place);
	node->value = value;
	return node;
}

static void append(struct d_statement **list, struct d_statement *one)
{
	while (*list)
		list = &(*list)->next;
	*list = one;
}

/* An array of the clause. Its name is no word, so that the program cannot have it. */
static struct d_variable *array(struct d_front *d, const char *value, struct dph_place place)
{
	const char *name = dph_pool_print(d->pool, "entry(%s)", value);
	for (unsigned n = 2; dph_d_variable_find(d, D_SCOPE_THREAD, name); n++)
		name = dph_pool_print(d->pool, "entry(%s) %u", value, n);
	struct d_variable *made = dph_d_variable_make(d, D_SCOPE_THREAD, name, place);
	made->indexed = made->hidden = true;
	return made;
}

static struct d_clause *hidden(struct d_front *d, const struct d_clause *of)
{
	struct d_clause *made = dph_pool_take(d->pool, sizeof(*made));
	made->number = of->number;
	made->place = of->place;
	return made;
}

/* The clause has entry(e): it runs only where the values of the call are there. */
static void begin(struct entries *e, struct dph_place place)
{
	struct d_front *d = e->d;
	if (e->clause->entered)
		return;
	struct d_variable *there = array(d, "", place);
	struct d_entered *made = dph_pool_take(d->pool, sizeof(*made));
	made->keep = hidden(d, e->clause);
	made->drop = hidden(d, e->clause);
	made->drop->body = assignment(d, there->name, number(d, 0, place), place);
	made->drop->there = element(d, there->name, place);
	there->first = assignment(d, there->name, number(d, 1, place), place)->expression;
	there->clause = made->keep;
	made->there = there;
	e->clause->there = element(d, there->name, place);
	e->clause->entered = made;
}

/* May the computation of the value fault? */
static bool may_fault(const struct d_node *value)
{
	return value->kind != D_NODE_NAME && value->kind != D_NODE_NUMBER;
}

/* Does the value name an argument by its number? */
static bool has_argument(const struct d_node *node)
{
	for (; node; node = node->next)
		if ((node->kind == D_NODE_NAME && dph_d_argument_number(node->text) >= 0) ||
		    dph_d_is_args(node) || has_argument(node->a) || has_argument(node->b) ||
		    has_argument(node->c) || has_argument(node->list))
			return true;
	return false;
}

/* The value is kept at the entry, and read here. */
static void keep(struct entries *e, struct d_node *call)
{
	struct d_front *d = e->d;
	struct d_node *value = call->list, *next = call->next;
	begin(e, call->place);
	struct d_variable *made = array(d, dph_d_source_text(d, value), call->place);
	struct d_statement *set = assignment(d, made->name, value, value->place);
	made->first = set->expression;
	made->clause = e->clause->entered->keep;
	e->faults = e->faults || may_fault(value);
	e->clause->entered->arguments = e->clause->entered->arguments || has_argument(value);
	append(&e->clause->entered->keep->body, set);
	append(&e->clause->entered->drop->body,
	       assignment(d, made->name, number(d, 0, call->place), call->place));
	*call = *element(d, made->name, call->place);
	call->next = next;
}

static bool has_entry(const struct d_node *node)
{
	return node &&
	       (dph_d_calls(node, D_CALL_ENTRY) || has_entry(node->a) || has_entry(node->b) ||
		has_entry(node->c) || has_entry(node->list) || has_entry(node->next));
}

/* Has the value a variable of the clause, which has none at the entry? */
static const struct d_node *of_clause(const struct d_node *node)
{
	const struct d_node *found = NULL;
	for (; node && !found; node = node->next) {
		if (node->kind == D_NODE_SCOPED && node->scope == D_SCOPE_CLAUSE)
			return node;
		found = of_clause(node->a);
		found = found ? found : of_clause(node->b);
		found = found ? found : of_clause(node->c);
		found = found ? found : of_clause(node->list);
	}
	return found;
}

static void refuse_of_clause(struct d_front *d, const struct d_node *node)
{
	dph_d_error(d, D_HERE_LOCATION, node->place,
		    "'this->%s' has no value at the entry; entry() is for what the function has "
		    "there",
		    node->text);
}

static void refuse_change(struct d_front *d, const struct d_node *node)
{
	if ((node->kind == D_NODE_ASSIGN || node->kind == D_NODE_STEP) &&
	    dph_d_calls(node->a, D_CALL_ENTRY))
		dph_d_error(d, D_OP_LVAL, node->a->place, "this is a value, and no variable");
}

static void visit(struct entries *e, struct d_node *node)
{
	for (; node; node = node->next) {
		refuse_change(e->d, node);
		if (!dph_d_calls(node, D_CALL_ENTRY)) {
			visit(e, node->a);
			visit(e, node->b);
			visit(e, node->c);
			visit(e, node->list);
		} else if (dph_d_argument_count(node) != 1) {
			continue; /* dph_d_check_function says so */
		} else if (has_entry(node->list)) {
			dph_d_error(e->d, D_PROTO_ARG, node->list->place,
				    "entry() stands inside entry(); the value is that of the entry "
				    "without it");
		} else if (dph_d_changes(node->list)) {
			dph_d_error(e->d, D_OP_WRITE, node->list->place,
				    "entry() changes no variable");
		} else if (of_clause(node->list)) {
			refuse_of_clause(e->d, of_clause(node->list));
		} else {
			keep(e, node);
		}
	}
}

static void visit_statements(struct entries *e, const struct d_statement *list)
{
	for (; list; list = list->next) {
		visit(e, list->expression);
		visit_statements(e, list->yes);
		visit_statements(e, list->no);
	}
}

/* The assignments of 0 again: a check changes each tree for itself. */
static struct d_statement *zeros(struct d_front *d, const struct d_statement *list)
{
	struct d_statement *made = NULL;
	for (; list; list = list->next)
		append(&made,
		       assignment(d, list->expression->a->a->text,
				  number(d, 0, list->expression->place), list->expression->place));
	return made;
}

/* The values are there when all of them are kept. A fault leaves none, nor those of a call in the
 * same frame that has not returned. */
static void end(struct entries *e)
{
	struct d_entered *entered = e->clause->entered;
	if (!entered)
		return;
	if (e->faults) {
		struct d_statement *none = zeros(e->d, entered->drop->body);
		append(&none, entered->keep->body);
		entered->keep->body = none;
	}
	struct d_statement *last = dph_pool_take(e->d->pool, sizeof(*last));
	last->kind = D_STATEMENT_EXPRESSION;
	last->expression = entered->there->first;
	append(&entered->keep->body, last);
}

void dph_d_entries(struct d_front *d)
{
	for (struct d_clause *clause = d->clauses; clause; clause = clause->next) {
		struct entries e = {.d = d, .clause = clause};
		visit(&e, clause->predicate);
		visit_statements(&e, clause->body);
		end(&e);
	}
}

/* --- at a point ----------------------------------------------------------------------------- */

/* The CFA as a value; null: no call frame information has it. */
static const struct dph_location *frame_address(const struct dph_d_check *c)
{
	struct dph_frame *frame = dph_pool_take(c->d->pool, sizeof(*frame));
	const char *why;
	if (!c->d->debug || !dph_frame_at(c->d->debug, c->point->address, frame, &why) ||
	    !frame->cfa.count)
		return NULL;
	struct dph_piece *piece = dph_pool_take(c->d->pool, sizeof(*piece));
	struct dph_location *location = dph_pool_take(c->d->pool, sizeof(*location));
	*piece = (struct dph_piece){.kind = DPH_PIECE_VALUE, .steps = frame->cfa};
	*location = (struct dph_location){.pieces = piece, .count = 1};
	return dph_location_readable(location) ? location : NULL;
}

void dph_d_check_frame(const struct dph_d_check *c, struct d_node *node)
{
	const bool returned =
		c->point->kind == D_POINT_RETURN && c->point->phase != DP_PHASE_BEFORE;
	const struct dph_location *location = returned ? NULL : frame_address(c);
	dph_d_set_wrong(node);
	if (location) {
		node->is.home = D_HOME_LOCATION;
		node->is.location = location;
		node->is.offset = 0;
	} else if (!(returned || c->point->kind == D_POINT_ENTRY) ||
		   !dph_d_set_register(c, node, "sp")) {
		dph_d_error(c->d, D_HERE_LOCATION, node->place,
			    "the frame of %s is not known here: the firmware has no call frame "
			    "information for it",
			    c->point->part[DPH_PROBE_FUNCTION]);
		return;
	}
	node->is.type = dph_d_type_integer(c->d, c->d->program->target.word_bytes, false);
}

void dph_d_check_entry(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_error(c->d, D_HERE_LOCATION, node->place,
		    "entry() stands in a clause; the declaration of a probe has its own place");
}
