/* SPDX-License-Identifier: BSD-2-Clause */
/* Each language of probe programs is one row in front_end.c. A front end reads the source and
 * builds the program of ir/probe_program.h; a new one is a folder beside rpn/ and a row. */
#ifndef DPH_FRONT_END_H
#define DPH_FRONT_END_H

#include "ir/compilation.h"

struct dph_front_end {
	const char *name;   /* of the language, for messages */
	const char *suffix; /* of its files' names, with the dot */
	/* Return whether the text is in this language. Used for a file name without a known
	 * suffix. */
	bool (*recognises)(const struct dph_source *source);
	/* Read the source and build compilation->program. Complaints go to the report; after an
	 * error the program may be incomplete. */
	void (*compile)(struct dph_compilation *compilation);
	bool takes_arguments; /* words behind the program */
};

struct dph_front_ends {
	const struct dph_front_end *row;
	size_t count; /* at least 1 */
};

/* The front ends. */
extern const struct dph_front_ends dph_front_ends;

/* Return the front end for a program: the row with the suffix of the file name, else the first
 * row that recognises the text, else the first row. */
const struct dph_front_end *dph_front_end_for(const struct dph_front_ends *front_ends,
					      const struct dph_source *source);

#endif
