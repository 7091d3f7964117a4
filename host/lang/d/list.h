/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of probe points that descriptions match, for people. */
#ifndef DPH_D_LIST_H
#define DPH_D_LIST_H

#include "base/pool.h"

#include <stdbool.h>
#include <stdint.h>

struct dp_image;
struct dp_messages;

struct dph_d_listed {
	const char *name; /* "fbt:demo:queue_put:entry" */
	uint64_t address;
	bool nowhere;        /* BEGIN, tick-1s: no place in the code */
	unsigned outer;      /* as struct dp_code_place */
	const char *refused; /* why no target can probe it; null: a target may be able to */
	const char *place;   /* "fbt:demo:queue_put:entry" of a declared probe; null: another one */
	const char *arguments; /* "(int32_t in r0)" of a static hook; null: another one */
	const char *declared;  /* file and line of the declaration; null: there is none */
	bool again; /* stands in the list before; of none that dph_d_points leaves there */
};

struct dph_d_list {
	struct dph_d_listed *points;
	size_t count;
	struct dph_pool pool;       /* of all texts */
	const char *const *options; /* of D, as those of dp_build_options; the caller's */
	size_t option_count;
	const char **hidden; /* sentences about declarations that do not count */
	size_t hidden_count;
};

/* Find the points of descriptions in the image, each point once.
 * descriptions: one, or several with commas between them; or clauses, whose predicates and
 * statements are parsed and make no difference.
 * list: all zero but for options before, or with the points of other descriptions; dph_d_list_free
 * frees it, whatever this returned. Returns false where a description matches nothing; messages has
 * the reason. */
bool dph_d_points(struct dp_image *image, const char *descriptions, struct dph_d_list *list,
		  struct dp_messages *messages);
void dph_d_list_free(struct dph_d_list *list);

#endif
