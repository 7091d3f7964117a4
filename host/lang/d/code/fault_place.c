/* SPDX-License-Identifier: BSD-2-Clause */
/* Places of faults in the formats. Two for each clause come first, its predicate and its
 * statements; then those of expressions. */
#define _GNU_SOURCE
#include "fault_place.h"

#include "formats.h"
#include "lang/d/read/tree.h"

#include <string.h>

enum {
	PLACES_MAX = 0x7fff /* a word has a place and a clause */
};

/* Where a fault was, for people: part of the clause, and its place. */
static const char *place_text(const struct d_front *d, bool asks, struct dph_place place)
{
	const char *part = asks ? "predicate" : "action";
	if (!place.line)
		return part;
	return dph_pool_print(d->pool, "%s, %s:%u:%zu", part, place.line->file, place.line->number,
			      place.start + 1);
}

static void add(struct d_format_table *f, const char *text)
{
	f->places = dph_grow(f->places, &f->place_capacity, f->place_count, sizeof(*f->places));
	f->places[f->place_count++] = text;
}

static struct dph_place body_place(const struct d_clause *clause)
{
	const struct d_statement *first = clause->body;
	return first && first->expression ? first->expression->place : clause->place;
}

void dph_d_clause_places(struct d_front *d)
{
	for (const struct d_clause *c = d->clauses; c; c = c->next) {
		add(d->formats, place_text(d, true, c->predicate ? c->predicate->place : c->place));
		add(d->formats, place_text(d, false, body_place(c)));
	}
}

unsigned dph_d_fault_place(struct d_front *d, unsigned clause, bool asks, struct dph_place place)
{
	struct d_format_table *f = d->formats;
	const char *text = place_text(d, asks, place);
	for (size_t i = 0; i < f->place_count; i++)
		if (strcmp(f->places[i], text) == 0)
			return (unsigned)i;
	if (!place.line || f->place_count == PLACES_MAX)
		return 2 * clause + !asks;
	add(f, text);
	return (unsigned)f->place_count - 1;
}
