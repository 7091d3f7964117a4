/* SPDX-License-Identifier: BSD-2-Clause */
/* This file adds the points at which entry(e) keeps its values. */
#include "entered.h"

#include "debuginfo/frame.h"
#include "exits.h"

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

/* The point at the function's entry; null: the program has none. */
static struct d_point **find_entry(struct d_front *d, const struct dp_symbol *symbol)
{
	struct d_point **at = &d->points;
	while (*at && !((*at)->kind == D_POINT_ENTRY && !(*at)->provided &&
			(*at)->address == symbol->value))
		at = &(*at)->next;
	return at;
}

/* Probes of one address run in the order of the points: the entry stands before the others. */
static void bring_forward(struct d_front *d, struct d_point **entry)
{
	struct d_point *point = *entry, **at = &d->points;
	while (*at != point && (*at)->address != point->address)
		at = &(*at)->next;
	if (*at == point)
		return;
	*entry = point->next;
	point->next = *at;
	*at = point;
}

static void warn_again(struct d_front *d, const struct d_clause *clause,
		       const struct dp_symbol *symbol)
{
	if (dph_d_begins_again(d, symbol))
		dph_warning(d, clause->there->place,
			    "%s branches back to its first instruction: entry() has the value of "
			    "the last time that this instruction ran",
			    symbol->name);
}

static struct d_point *entry_of(struct d_front *d, const struct d_point *point,
				const struct d_clause *clause, const struct dp_symbol *symbol)
{
	struct d_point **at = find_entry(d, symbol);
	if (!*at) {
		*at = dph_d_entry_point(d, symbol, point->place);
		(*at)->optional = point->optional;
		warn_again(d, clause, symbol);
	}
	struct d_point *entry = *at;
	bring_forward(d, at);
	return entry;
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

static void refuse_arguments(struct d_front *d, const struct d_point *point,
			     const struct d_clause *clause)
{
	if (point->provided && clause->entered->arguments)
		dph_d_error(d, D_HERE_LOCATION, clause->there->place,
			    "entry() has arguments of the function, and '%s:::%s' arguments of its "
			    "own; name a parameter of the function",
			    point->part[DPH_PROBE_PROVIDER], point->part[DPH_PROBE_NAME]);
}

static void enter(struct d_front *d, const struct d_point *point, const struct d_clause *clause)
{
	const struct dp_symbol *symbol = function_of(d, point);
	refuse_arguments(d, point, clause);
	if (symbol && !is_cold(symbol)) {
		match_first(d, entry_of(d, point, clause, symbol), clause->entered->keep);
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

/* --- points without a frame ------------------------------------------------------------------ */

static bool has_frame(struct d_front *d, const struct d_point *point)
{
	struct dph_frame *frame = dph_pool_take(d->pool, sizeof(*frame));
	const char *why;
	if (dph_d_is_anywhere(point) ||
	    (point->kind == D_POINT_RETURN && point->phase != DP_PHASE_BEFORE))
		return true;
	return d->debug && dph_frame_at(d->debug, point->address, frame, &why);
}

/* Can the entry of the point's function not be probed? */
static bool is_entry_refused(struct d_front *d, const struct d_point *point)
{
	const struct dp_symbol *symbol = function_of(d, point);
	return symbol && dph_d_point_refused(d, dph_d_entry_point(d, symbol, point->place));
}

/* Leave out the clauses with entry(e). Returns whether there is one. */
static bool drop_matches(struct d_point *point)
{
	bool any = false;
	for (struct d_match **at = &point->matches; *at;)
		if ((*at)->clause->entered) {
			*at = (*at)->next;
			any = true;
		} else {
			at = &(*at)->next;
		}
	return any;
}

/* A wildcard leaves out points at which the frame is not known, or whose function has an entry that
 * cannot be probed. */
static void leave_out(struct d_front *d)
{
	const struct d_point *first = NULL;
	size_t out = 0;
	for (struct d_point **at = &d->points; *at;) {
		struct d_point *point = *at;
		if (point->optional && (!has_frame(d, point) || is_entry_refused(d, point)) &&
		    drop_matches(point)) {
			first = first ? first : point;
			out++;
		}
		if (point->matches)
			at = &point->next;
		else
			*at = point->next;
	}
	if (out)
		dph_warning(d, first->place,
			    "%zu points are left out: a clause has entry(), which needs call frame "
			    "information and an entry that can be probed; the first one is in %s",
			    out, first->part[DPH_PROBE_FUNCTION]);
}

void dph_d_enter_functions(struct d_front *d)
{
	leave_out(d);
	for (struct d_point *point = d->points; point; point = point->next) {
		for (const struct d_match *match = point->matches; match; match = match->next)
			if (match->clause->entered)
				enter(d, point, match->clause);
		if (point->kind == D_POINT_RETURN || point->kind == D_POINT_TAIL)
			leave(d, point);
	}
}
