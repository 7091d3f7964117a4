/* SPDX-License-Identifier: BSD-2-Clause */
/* A function that returns by return() runs none of its return instructions: its clauses of `return`
 * have one more point, of the phase DP_PHASE_RETURNED at the function's first instruction. */
#include "returned.h"

#include "dp_object.h"
#include "lang/d/read/functions.h"

#include <string.h>

static bool says_return(const struct d_statement *list)
{
	for (; list; list = list->next)
		if (list->kind == D_STATEMENT_IF ? says_return(list->yes) || says_return(list->no)
						 : dph_d_calls(list->expression, D_CALL_RETURN))
			return true;
	return false;
}

static bool returns_early(const struct d_point *point)
{
	for (const struct d_match *match = point->matches; match; match = match->next)
		if (point->kind == D_POINT_ENTRY && says_return(match->clause->body))
			return true;
	return false;
}

/* Is the point one where this function, which has this entry, is left? */
static bool leaves(const struct d_point *point, const struct d_point *entry)
{
	return (point->kind == D_POINT_RETURN || point->kind == D_POINT_TAIL) &&
	       point->phase != DP_PHASE_RETURNED &&
	       point->address - point->offset == entry->address;
}

/* Where the first instruction leaves the function, its clauses of `return` run behind it: a hit
 * that returns by return() does not execute it. */
static void wait_for_end(const struct d_front *d, const struct d_point *entry)
{
	for (struct d_point *point = d->points; point; point = point->next)
		if (leaves(point, entry) && point->address == entry->address && !point->taken)
			point->phase = DP_PHASE_AFTER;
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

/* The point of `entry`, made from the first point where the function is left; null: no clause is
 * for these. */
static struct d_point *returned(struct d_front *d, const struct d_point *entry)
{
	struct d_point *made = NULL;
	for (const struct d_point *point = d->points; point; point = point->next) {
		if (!leaves(point, entry) || point->provided)
			continue;
		if (!made) {
			made = dph_pool_take(d->pool, sizeof(*made));
			*made = *point;
			made->kind = D_POINT_RETURN;
			made->phase = DP_PHASE_RETURNED;
			made->address = entry->address;
			made->isa = entry->isa;
			made->offset = 0;
			made->taken = false;
			made->next = NULL;
			made->matches = NULL;
		}
		for (const struct d_match *match = point->matches; match; match = match->next)
			add_clause(d, made, match->clause);
	}
	return made;
}

void dph_d_add_returned(struct d_front *d)
{
	struct d_point *list = NULL, **end = &list, **last = &d->points;
	for (const struct d_point *point = d->points; point; point = point->next) {
		if (!returns_early(point))
			continue;
		wait_for_end(d, point);
		*end = returned(d, point);
		end = *end ? &(*end)->next : end;
	}
	while (*last)
		last = &(*last)->next;
	*last = list;
}
