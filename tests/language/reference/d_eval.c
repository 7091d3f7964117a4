/* SPDX-License-Identifier: BSD-2-Clause */
/* The evaluator of the tree: expressions from the left to the right, clauses as D.md says. */
#include "d_tree.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A hit in progress. */
struct hit {
	struct dt_run *run;
	const struct dt_clause *clause;
	bool acting;   /* in the clause's statements */
	bool exits;    /* the clause has said so */
	int status;    /* of that exit */
	size_t start;  /* of the clause's text */
	bool recorded; /* by the clause */
	char fault[64];
};

__attribute__((format(printf, 2, 3))) static void say(struct dt_run *run, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	run->bytes += (size_t)vsnprintf(run->text + run->bytes, sizeof run->text - run->bytes,
					format, args);
	va_end(args);
}

/* --- expressions; false: a fault --- */

static bool eval(struct hit *hit, const struct dt_node *node, uint64_t *value);

static uint64_t number_at(const struct dt_program *program, unsigned at, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 |
			program->memory[program->big_endian ? at + i : at + bytes - 1 - i];
	return value;
}

static bool fault_at(struct hit *hit, uint64_t address)
{
	snprintf(hit->fault, sizeof hit->fault, "invalid address (0x%" PRIx64 ")", address);
	return false;
}

static uint64_t word(const struct hit *hit, uint64_t value)
{
	return dt_narrow((struct dt_type){.bits = hit->run->program->word_bits}, value);
}

static bool read_at(struct hit *hit, uint64_t address, struct dt_type type, uint64_t *value)
{
	const unsigned bytes = type.bits / 8;

	if (address < D_MEMORY || address > D_MEMORY + D_MEMORY_BYTES - bytes)
		return fault_at(hit, address);
	*value = dt_narrow(type,
			   number_at(hit->run->program, (unsigned)(address - D_MEMORY), bytes));
	return true;
}

static bool load(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	uint64_t address = D_NOWHERE, index;

	if (node->a) {
		if (!eval(hit, node->a, &index))
			return false;
		address = word(hit, D_MEMORY + index * (node->type.bits / 8));
	}
	return read_at(hit, address, node->type, value);
}

/* --- pointers --- */

static uint64_t moved(const struct hit *hit, const char *sign, uint64_t address, uint64_t by,
		      struct dt_type type)
{
	const uint64_t bytes = by * type.pointed;

	return word(hit, sign[0] == '-' ? address - bytes : address + bytes);
}

static bool move(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	uint64_t address, by;

	if (!eval(hit, node->a, &address) || !eval(hit, node->b, &by))
		return false;
	*value = moved(hit, node->sign, address, by, node->type);
	return true;
}

static bool pointed(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	uint64_t address, index = 0;

	if (!eval(hit, node->a, &address) || (node->b && !eval(hit, node->b, &index)))
		return false;
	return read_at(hit, moved(hit, "+", address, index, node->a->type), node->type, value);
}

static bool apart(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	const struct dt_type type = node->a->type;
	const struct dt_type number = {.bits = type.bits, .is_signed = true};
	uint64_t a, b;

	if (!eval(hit, node->a, &a) || !eval(hit, node->b, &b))
		return false;
	if (node->sign[0] != '-')
		return dt_apply(node->sign, (struct dt_type){.bits = type.bits}, a, b, value);
	return dt_apply("/", number, a - b, type.pointed, value);
}

/* --- variables and elements --- */

static bool key(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	*value = 0;
	return !node || eval(hit, node, value);
}

/* The element; an index outside of the bound is an invalid address. */
static bool element(struct hit *hit, const struct dt_node *node, uint64_t **place)
{
	struct dt_run *run = hit->run;
	struct dt_entry *list = run->entries[node->index];
	const unsigned bound = run->program->arrays[node->index].bound;
	uint64_t keys[D_KEYS];
	unsigned i = 0;

	if (!key(hit, node->a, &keys[0]) || !key(hit, node->b, &keys[1]))
		return false;
	if (bound && keys[0] >= bound)
		return fault_at(hit, word(hit, keys[0]));
	const unsigned count = run->entry_count[node->index]; /* a key may have made entries */

	while (i < count && (list[i].keys[0] != keys[0] || list[i].keys[1] != keys[1]))
		i++;
	if (i == D_ENTRIES) {
		run->full = true;
		i = 0;
	} else if (i == count) {
		list[run->entry_count[node->index]++] =
			(struct dt_entry){.keys = {keys[0], keys[1]}};
	}
	*place = &list[i].value;
	return true;
}

static bool place_of(struct hit *hit, const struct dt_node *node, uint64_t **place)
{
	if (node->kind == DT_ELEMENT)
		return element(hit, node, place);
	*place = &hit->run->variables[node->index];
	return true;
}

static bool binary(struct hit *hit, const char *sign, struct dt_type type, uint64_t a, uint64_t b,
		   uint64_t *value)
{
	if (dt_apply(sign, type, a, b, value))
		return true;
	snprintf(hit->fault, sizeof hit->fault, "division by zero");
	return false;
}

static bool is_shift(const char *sign)
{
	return (sign[0] == '<' || sign[0] == '>') && sign[0] == sign[1];
}

/* The type in which the operation is done. */
static struct dt_type working_type(const char *sign, struct dt_type a, struct dt_type b)
{
	return is_shift(sign) ? dt_promoted(a) : dt_common(a, b);
}

static bool assign(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	const struct dt_type to = node->type;
	uint64_t *place, old;

	if (!place_of(hit, node->to, &place))
		return false;
	old = *place;
	if (!eval(hit, node->a, value))
		return false;
	if (*node->sign && to.pointed) {
		*value = moved(hit, node->sign, old, *value, to);
	} else if (*node->sign) {
		const struct dt_type type = working_type(node->sign, to, node->a->type);

		if (!binary(hit, node->sign, type, dt_narrow(type, old), *value, value))
			return false;
	}
	*value = *place = dt_narrow(to, *value);
	return true;
}

static bool step(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	uint64_t *place;

	if (!place_of(hit, node->to, &place))
		return false;
	const uint64_t by = node->type.pointed ? node->type.pointed : 1, old = *place;

	*place = dt_narrow(node->type, node->sign[0] == '+' ? old + by : old - by);
	*value = node->postfix ? old : *place;
	return true;
}

static bool logical(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	uint64_t a, b;

	if (!eval(hit, node->a, &a))
		return false;
	*value = a != 0;
	if ((node->sign[0] == '&' && !a) || (node->sign[0] == '|' && a))
		return true;
	if (!eval(hit, node->b, &b))
		return false;
	*value = node->sign[0] == '^' ? !a != !b : b != 0;
	return true;
}

static bool unary(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	if (!eval(hit, node->a, value))
		return false;
	if (node->sign[0] == '!')
		*value = !*value;
	else if (node->sign[0] == '-')
		*value = dt_narrow(node->type, 0 - *value);
	else
		*value = dt_narrow(node->type, node->sign[0] == '~' ? ~*value : *value);
	return true;
}

static bool choice(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	uint64_t condition;

	if (!eval(hit, node->a, &condition) || !eval(hit, condition ? node->b : node->c, value))
		return false;
	*value = dt_narrow(node->type, *value);
	return true;
}

static bool eval(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	uint64_t b, *place;

	*value = node->value;
	if (node->constant)
		return true;
	switch (node->kind) {
	case DT_VARIABLE:
	case DT_ELEMENT:
		if (!place_of(hit, node, &place))
			return false;
		*value = *place;
		return true;
	case DT_BASE:
		*value = D_MEMORY;
		return true;
	case DT_MOVED:
		return move(hit, node, value);
	case DT_POINTED:
		return pointed(hit, node, value);
	case DT_APART:
		return apart(hit, node, value);
	case DT_LOAD:
		return load(hit, node, value);
	case DT_UNARY:
		return unary(hit, node, value);
	case DT_CAST:
		if (!eval(hit, node->a, value))
			return false;
		*value = dt_narrow(node->type, *value);
		return true;
	case DT_BINARY:
		return eval(hit, node->a, value) && eval(hit, node->b, &b) &&
		       binary(hit, node->sign,
			      working_type(node->sign, node->a->type, node->b->type),
			      dt_narrow(working_type(node->sign, node->a->type, node->b->type),
					*value),
			      b, value);
	case DT_LOGICAL:
		return logical(hit, node, value);
	case DT_CHOICE:
		return choice(hit, node, value);
	case DT_STEP:
		return step(hit, node, value);
	default:
		return assign(hit, node, value);
	}
}

/* --- statements and clauses --- */

static bool statements(struct hit *hit, const struct dt_list *list);

/* The keys of an update come first. */
static bool update(struct hit *hit, const struct dt_statement *s)
{
	uint64_t keys[D_KEYS], value, more;

	if (!key(hit, s->keys[0], &keys[0]) || !key(hit, s->keys[1], &keys[1]) ||
	    !key(hit, s->node, &value) || !key(hit, s->more, &more))
		return false;
	dt_update(hit->run, s->value, keys, value, more);
	return true;
}

static bool statement(struct hit *hit, const struct dt_statement *s)
{
	uint64_t value = 0;

	if (s->action == DT_UPDATE)
		return update(hit, s);
	if (s->node && !eval(hit, s->node, &value))
		return false;
	switch (s->action) {
	case DT_RECORD:
		hit->recorded = true;
		say(hit->run, "%lld|", (long long)value);
		return true;
	case DT_EXIT:
		hit->recorded = hit->exits = true;
		hit->status = (int)s->value;
		return true;
	case DT_IF:
		return statements(hit, value ? s->yes : s->no);
	default:
		return true;
	}
}

static bool statements(struct hit *hit, const struct dt_list *list)
{
	for (unsigned i = 0; list && i < list->count; i++)
		if (!statement(hit, &list->list[i]))
			return false;
	return true;
}

/* Returns false: a fault. */
static bool run_clause(struct hit *hit)
{
	uint64_t value;

	if (hit->clause->predicate) {
		if (!eval(hit, hit->clause->predicate, &value))
			return false;
		if (!value)
			return true;
	}
	hit->acting = true;
	return statements(hit, hit->clause->body);
}

/* The data of a clause that faults is gone, its exit too. */
static bool clause(struct hit *hit)
{
	struct dt_run *run = hit->run;

	hit->start = run->bytes;
	hit->acting = hit->exits = hit->recorded = false;
	const bool good = run_clause(hit);
	run->recorded = run->recorded || hit->recorded || !good;
	if (good) {
		run->status = hit->exits ? hit->status : run->status;
		return true;
	}
	hit->exits = false;
	run->bytes = hit->start;
	say(run, "error on enabled probe ID 1 (addr:firmware::0x1000): %s in %s, t.d:%u\n",
	    hit->fault, hit->acting ? "action" : "predicate", hit->clause->line);
	return false;
}

/* Returns whether a clause has faulted. */
static bool clauses(struct hit *hit, bool errors)
{
	const struct dt_program *program = hit->run->program;
	bool faulted = false;

	hit->exits = false;
	for (unsigned i = 0; i < program->clause_count && !hit->exits; i++) {
		hit->clause = &program->clauses[i];
		if (hit->clause->error == errors)
			faulted = !clause(hit) || faulted;
	}
	return faulted;
}

void dt_hit(struct dt_run *run)
{
	struct hit hit = {.run = run};

	run->bytes = 0;
	run->text[0] = 0;
	run->recorded = false;
	run->status = -1;
	for (unsigned i = D_GLOBALS; i < D_GLOBALS + D_FIRINGS; i++)
		run->variables[i] = 0;
	if (clauses(&hit, false))
		clauses(&hit, true);
}
