/* SPDX-License-Identifier: BSD-2-Clause */
/* A function that returns by return() runs none of its return instructions: its clauses of `return`
 * have one more point, of the phase DP_PHASE_RETURNED at the function's first instruction. The
 * return() may be another program's. */
#include "returned.h"

#include "dp_object.h"
#include "dp_errors.h"
#include "debuginfo/variable.h"
#include "lang/d/read/functions.h"
#include "symbols/elf_image.h"

#include <string.h>

static bool says_return(const struct d_statement *list)
{
	for (; list; list = list->next)
		if (list->kind == D_STATEMENT_IF ? says_return(list->yes) || says_return(list->no)
						 : dph_d_calls(list->expression, D_CALL_RETURN))
			return true;
	return false;
}

/* Does a clause of the function with this entry say return()? */
static bool returns_early(const struct d_front *d, uint64_t entry)
{
	for (const struct d_point *point = d->points; point; point = point->next)
		for (const struct d_match *match = point->matches; match; match = match->next)
			if (point->kind == D_POINT_ENTRY && point->address == entry &&
			    says_return(match->clause->body))
				return true;
	return false;
}

/* Is the point one where a function is left? */
static bool leaves(const struct d_point *point)
{
	return (point->kind == D_POINT_RETURN || point->kind == D_POINT_TAIL) && !point->provided &&
	       point->phase != DP_PHASE_RETURNED;
}

static uint64_t entry_of(const struct d_point *point)
{
	return point->address - point->offset;
}

/* Where the first instruction leaves the function, its clauses of `return` run behind it: a hit
 * that returns by return() does not execute it. */
static void wait_for_end(const struct d_front *d, uint64_t entry)
{
	for (struct d_point *point = d->points; point; point = point->next)
		if (leaves(point) && !point->offset && point->address == entry && !point->taken)
			point->phase = DP_PHASE_AFTER;
}

/* Does a node of the list read a variable of the function at the point? */
static bool reads_local(const struct d_front *d, const struct d_point *point,
			const struct d_node *list)
{
	struct dph_variable variable;
	const char *why;
	for (const struct d_node *node = list; node; node = node->next) {
		if (dph_d_calls(node, D_CALL_ENTRY))
			continue; /* read at the entry */
		if (node->kind == D_NODE_NAME && !dph_d_variable_named(d, node) &&
		    dph_variable_at(d->debug, point->address, point->outer, node->text, &variable,
				    &why))
			return true;
		if (reads_local(d, point, node->a) || reads_local(d, point, node->b) ||
		    reads_local(d, point, node->c) || reads_local(d, point, node->list))
			return true;
	}
	return false;
}

static bool body_reads_local(const struct d_front *d, const struct d_point *point,
			     const struct d_statement *list)
{
	for (; list; list = list->next)
		if (reads_local(d, point, list->expression) ||
		    (list->kind == D_STATEMENT_IF && (body_reads_local(d, point, list->yes) ||
						      body_reads_local(d, point, list->no))))
			return true;
	return false;
}

/* Can the clause run after return()? The variables of the function are gone then. */
static bool runs_after(const struct d_front *d, const struct d_point *point,
		       const struct d_clause *clause)
{
	return !d->debug || (!reads_local(d, point, clause->predicate) &&
			     !body_reads_local(d, point, clause->body));
}

/* Add the clause in the order of the program. */
static void add_clause(struct d_front *d, struct d_point *point, struct d_clause *clause)
{
	struct d_match **at = &point->matches;
	while (*at && (*at)->clause->number < clause->number)
		at = &(*at)->next;
	if (*at && (*at)->clause == clause)
		return;
	struct d_match *made = dph_pool_take(d->pool, sizeof(*made));
	*made = (struct d_match){.next = *at, .clause = clause};
	*at = made;
}

/* The point of `first`, the first point where its function is left. */
static struct d_point *returned(struct d_front *d, const struct d_point *first)
{
	const struct dp_symbol *symbol = dp_image_function(d->image, entry_of(first));
	struct d_point *made = dph_pool_take(d->pool, sizeof(*made));
	*made = *first;
	made->kind = D_POINT_RETURN;
	made->phase = DP_PHASE_RETURNED;
	made->address = entry_of(first);
	made->isa = symbol ? symbol->isa : first->isa;
	made->offset = 0;
	made->taken = false;
	made->next = NULL;
	made->matches = NULL;
	for (const struct d_point *point = first; point; point = point->next)
		if (leaves(point) && entry_of(point) == made->address)
			for (const struct d_match *match = point->matches; match;
			     match = match->next)
				if (runs_after(d, point, match->clause))
					add_clause(d, made, match->clause);
	return made;
}

/* May another program let the function return? Not of a wildcard, which would need twice the
 * entries of the agent's table. */
static bool may_return(struct d_front *d, const struct d_point *made)
{
	return !(d->lacks >> DP_PART_RETURN & 1) && !made->optional &&
	       !dph_d_point_refused(d, made);
}

static bool has(const struct d_point *list, uint64_t address)
{
	while (list && list->address != address)
		list = list->next;
	return list != NULL;
}

void dph_d_add_returned(struct d_front *d)
{
	struct d_point *list = NULL, **end = &list, **last = &d->points;
	for (const struct d_point *point = d->points; point; point = point->next) {
		if (!leaves(point) || has(list, entry_of(point)))
			continue;
		struct d_point *made = returned(d, point);
		if (!made->matches)
			continue;
		if (!returns_early(d, made->address) && !may_return(d, made))
			continue;
		wait_for_end(d, made->address);
		*end = made;
		end = &made->next;
	}
	while (*last)
		last = &(*last)->next;
	*last = list;
}
