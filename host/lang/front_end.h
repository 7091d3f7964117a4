/* SPDX-License-Identifier: BSD-2-Clause */
/* Each language of probe programs is one row in front_end.c. A front end reads the source and
 * builds the program of ir/probe_program.h; a new one is a folder beside rpn/ and a row. */
#ifndef DPH_FRONT_END_H
#define DPH_FRONT_END_H

#include "ir/compilation.h"

struct dph_front_end {
	const char *name;   /* of the language, for messages */
	const char *suffix; /* of its files' names, with the dot */
	/* Is the text, whose file name says nothing, in this language? */
	bool (*recognises)(const struct dph_source *source);
	/* Read the source and build compilation->program. Complaints go to the report; after an
	 * error the program may be incomplete. */
	void (*compile)(struct dph_compilation *compilation);
};

struct dph_front_ends {
	const struct dph_front_end *row;
	size_t count; /* at least 1 */
};

/* All there are. */
extern const struct dph_front_ends dph_front_ends;

/* The front end for a program: the row whose suffix its file name has, else the first one that
 * recognises the text, else the first one. */
const struct dph_front_end *dph_front_end_for(const struct dph_front_ends *front_ends,
					      const struct dph_source *source);

#endif
