/* SPDX-License-Identifier: BSD-2-Clause */
/* This file adds the points at which entry(e) keeps its values. */
#include "entered.h"

#include <string.h>

/* The function of the point; null: the point stands in none. */
static const struct dp_symbol *function_of(const struct d_front *d, const struct d_point *point)
{
	const bool leaves = point->kind == D_POINT_RETURN || point->kind == D_POINT_TAIL;
	if (dph_d_is_anywhere(point) || !d->image)
		return NULL;
	return dp_image_function(d->image, point->address - (leaves ? point->offset : 0));
}

static bool is_cold(const struct dp_symbol *symbol)
{
	return strstr(symbol->name, ".cold") != NULL;
}

/* The point at the function's entry; it is made where the program has none. */
static struct d_point *entry_of(struct d_front *d, const struct d_point *point,
				const struct dp_symbol *symbol)
{
	struct d_point **at = &d->points;
	for (; *at; at = &(*at)->next)
		if ((*at)->kind == D_POINT_ENTRY && !(*at)->provided &&
		    (*at)->address == symbol->value)
			return *at;
	*at = dph_d_entry_point(d, symbol, point->place);
	(*at)->optional = point->optional;
	return *at;
}

static void match_first(struct d_front *d, struct d_point *point, struct d_clause *clause)
{
	for (const struct d_match *match = point->matches; match; match = match->next)
		if (match->clause == clause)
			return;
	struct d_match *made = dph_pool_take(d->pool, sizeof(*made));
	*made = (struct d_match){.next = point->matches, .clause = clause};
	point->matches = made;
}

static void enter(struct d_front *d, const struct d_point *point, const struct d_clause *clause)
{
	const struct dp_symbol *symbol = function_of(d, point);
	if (symbol && !is_cold(symbol)) {
		match_first(d, entry_of(d, point, symbol), clause->entered->keep);
		return;
	}
	dph_d_error(d, D_HERE_LOCATION, clause->there->place,
		    symbol ? "entry() is for clauses in a function; %s:%s stands in a part of a "
			     "function that has no entry"
			   : "entry() is for clauses in a function; %s:%s stands in none",
		    point->part[DPH_PROBE_PROVIDER], point->part[DPH_PROBE_NAME]);
}

/* The call is over: the values go behind the clauses that read them. */
static void leave(struct d_front *d, struct d_point *point)
{
	struct d_match *first = point->matches, *last = first, **end;
	while (last && last->next)
		last = last->next;
	end = last ? &last->next : &point->matches;
	for (const struct d_match *match = first; match && last;
	     match = match == last ? NULL : match->next)
		if (match->clause->entered) {
			*end = dph_pool_take(d->pool, sizeof(**end));
			(*end)->clause = match->clause->entered->drop;
			end = &(*end)->next;
		}
}

void dph_d_enter_functions(struct d_front *d)
{
	for (struct d_point *point = d->points; point; point = point->next) {
		for (const struct d_match *match = point->matches; match; match = match->next)
			if (match->clause->entered)
				enter(d, point, match->clause);
		if (point->kind == D_POINT_RETURN || point->kind == D_POINT_TAIL)
			leave(d, point);
	}
}
