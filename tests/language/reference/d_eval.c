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

static bool load(struct hit *hit, const struct dt_node *node, uint64_t *value)
{
	const unsigned bytes = node->type.bits / 8;
	uint64_t address = D_NOWHERE, index;

	if (node->a) {
		if (!eval(hit, node->a, &index))
			return false;
		address = D_MEMORY + index * bytes;
	}
	if (address < D_MEMORY || address + bytes > D_MEMORY + D_MEMORY_BYTES) {
		snprintf(hit->fault, sizeof hit->fault, "invalid address (0x%" PRIx64 ")", address);
		return false;
	}
	*value = dt_narrow(node->type,
			   number_at(hit->run->program, (unsigned)(address - D_MEMORY), bytes));
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
	const struct dt_type to = hit->run->program->variables[node->index];
	const uint64_t old = hit->run->variables[node->index];
	const struct dt_type type = working_type(node->sign, to, node->a->type);

	if (!eval(hit, node->a, value))
		return false;
	if (*node->sign && !binary(hit, node->sign, type, dt_narrow(type, old), *value, value))
		return false;
	*value = hit->run->variables[node->index] = dt_narrow(to, *value);
	return true;
}

static uint64_t step(struct hit *hit, const struct dt_node *node)
{
	const uint64_t old = hit->run->variables[node->index];
	const uint64_t now = dt_narrow(node->type, node->sign[0] == '+' ? old + 1 : old - 1);

	hit->run->variables[node->index] = now;
	return node->postfix ? old : now;
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
	uint64_t b;

	*value = node->value;
	if (node->constant)
		return true;
	switch (node->kind) {
	case DT_VARIABLE:
		*value = hit->run->variables[node->index];
		return true;
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
		*value = step(hit, node);
		return true;
	default:
		return assign(hit, node, value);
	}
}

/* --- statements and clauses --- */

static bool statements(struct hit *hit, const struct dt_list *list);

static bool statement(struct hit *hit, const struct dt_statement *s)
{
	uint64_t value = 0;

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
	for (unsigned i = D_GLOBALS; i < D_VARIABLES; i++)
		run->variables[i] = 0;
	if (clauses(&hit, false))
		clauses(&hit, true);
}
