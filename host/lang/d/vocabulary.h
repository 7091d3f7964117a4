/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of D, for `dprobes help --json`: the rows of the tables of the front end. */
#ifndef DPH_D_VOCABULARY_H
#define DPH_D_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

struct dph_d_word {
	const char *kind; /* "provider", "action", "builtin", "option", "constant", "aggregation" */
	const char *name; /* "fbt", "printf", "arg0" */
	const char *form; /* of a provider: its probe description; null: no provider */
	bool is_function; /* an action or an aggregation, which takes arguments */
	unsigned least, most; /* arguments */
	const char *meaning;  /* null: refused */
	const char *refused;  /* why the front end refuses the word; null: it takes the word */
	const char *example;  /* a program for the demo firmware; null: of an option, or refused */
};

/* Find a word. index: from 0. Returns a word with name null behind the last one. */
struct dph_d_word dph_d_word(size_t index);

#endif
