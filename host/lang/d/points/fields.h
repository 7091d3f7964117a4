/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe description, split into its fields, and the points that it matches so far. */
#ifndef DPH_D_FIELDS_H
#define DPH_D_FIELDS_H

#include "point.h"
#include "symbols/code_names.h"

/* Functions that a description finds no way out of. */
struct d_no_exit {
	const struct dp_symbol *first, *last;
	uint64_t offset; /* of the first branch */
	size_t functions;
};

/* A description, split. Empty fields match all. */
struct d_fields {
	struct d_front *d;
	struct dph_place place;
	const char *text;
	const char *part[DPH_PROBE_WHOLE];
	struct d_point *list, **end;
	size_t count;
	struct d_no_exit unknown;
};

/* Split the text. Returns false, and complains, where it is no description. */
bool dph_d_split(struct d_fields *f);
/* Does the field of the provider match, and is the provider written, and this one? */
bool dph_d_provider_is(const struct d_fields *f, const char *name);
bool dph_d_provider_named(const struct d_fields *f, const char *name);
/* Add a point before an instruction. function: null: it is in none. */
struct d_point *dph_d_add_point(struct d_fields *f, enum d_point_kind kind, const char *provider,
				const char *function, const char *name);
/* Visit the functions of the description; context: f. visit: null: count alone.
 * Returns their number. */
size_t dph_d_each_function(struct d_fields *f, dph_code_visit *visit);

/* function_points.c: add the points of functions, instructions and addresses that match. */
void dph_d_find_functions(struct d_fields *f);

/* line_points.c: read line:FILE:FUNCTION:NUMBER, or FILE:NUMBER, and add its points.
 * why: receives the reason where there is none.
 * Returns false where the text is no place of a source. */
bool dph_d_find_line(struct d_fields *f, const char **why);

/* no_point.c: complain that the description matches nothing, and say what would do. */
void dph_d_no_point(struct d_fields *f);
/* The same of a description of hooks. provider: of the hooks; "": all. */
void dph_d_no_hook(struct d_fields *f, const char *provider);
/* Is the provider there? Complains where it is not. */
bool dph_d_provider_there(struct d_fields *f);

#endif
