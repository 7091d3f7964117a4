/* SPDX-License-Identifier: BSD-2-Clause */
/* The points of all clauses of a program: a point has every clause that matches it. */
#include "point.h"

#include "entered.h"
#include "returned.h"

#include <string.h>

static bool same_point(const struct d_point *a, const struct d_point *b)
{
	bool same = a->address == b->address && a->phase == b->phase && a->kind == b->kind;
	for (unsigned i = 0; i < DPH_PROBE_WHOLE; i++)
		same = same && strcmp(a->part[i], b->part[i]) == 0;
	return same;
}

static bool has_match(const struct d_point *point, const struct d_clause *clause)
{
	const struct d_match *match = point->matches;
	while (match && match->clause != clause)
		match = match->next;
	return match != NULL;
}

/* Is it the same place of a function under another name, such as that of an alias? */
static bool same_place(const struct d_point *a, const struct d_point *b)
{
	const bool same = a->address == b->address && a->phase == b->phase && a->kind == b->kind &&
			  a->taken == b->taken && a->provided == b->provided;
	if (!same || a->provided)
		return same;
	return strcmp(a->part[DPH_PROBE_PROVIDER], "fbt") == 0 &&
	       strcmp(b->part[DPH_PROBE_PROVIDER], "fbt") == 0;
}

/* Find the place where the clause already runs, else the point, else the end of the list. */
static struct d_point **find_point(struct d_point **list, const struct d_point *wanted,
				   const struct d_clause *clause)
{
	struct d_point **same = NULL, **at = list;
	for (; *at; at = &(*at)->next) {
		if (same_place(*at, wanted) && has_match(*at, clause))
			return at;
		if (!same && same_point(*at, wanted))
			same = at;
	}
	return same ? same : at;
}

static void add_match(struct d_front *d, struct d_point *point, struct d_clause *clause)
{
	struct d_match **end = &point->matches;
	for (; *end; end = &(*end)->next)
		if ((*end)->clause == clause)
			return;
	*end = dph_pool_take(d->pool, sizeof(**end));
	(*end)->clause = clause;
}

static void merge(struct d_front *d, struct d_point *found, struct d_clause *clause)
{
	while (found) {
		struct d_point *next = found->next;
		struct d_point **at = find_point(
			found->kind == D_POINT_ERROR ? &d->errors : &d->points, found, clause);
		if (!*at) {
			*at = found;
			found->next = NULL;
		}
		(*at)->optional = (*at)->optional && found->optional;
		add_match(d, *at, clause);
		found = next;
	}
}

void dph_d_find_points(struct d_front *d)
{
	for (struct d_clause *clause = d->clauses; clause; clause = clause->next)
		for (struct d_description *at = clause->descriptions; at; at = at->next)
			merge(d, dph_d_leave_out(d, at, dph_d_points_of(d, at)), clause);
	dph_d_add_returned(d);
	dph_d_enter_functions(d);
	size_t count = 0;
	if (d->errors && !d->points)
		dph_d_error(d, D_PDESC_ZERO, d->errors->place,
			    "ERROR runs behind a hit with a fault, and no clause of this program "
			    "has a probe; add one");
	const struct d_point *excess = NULL;
	for (const struct d_point *point = d->points; point; point = point->next)
		if (++count == d->probes_max + 1)
			excess = point;
	if (excess)
		dph_d_error(d, D_HERE_LIMIT, excess->place,
			    "the descriptions match %zu probe points, and %s room for %u; say "
			    "which",
			    count,
			    d->probes_max < DPH_MAX_PROBES ? "this agent has" : "agents have",
			    d->probes_max);
}
