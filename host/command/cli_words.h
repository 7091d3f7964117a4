/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of the command line, in other spellings than the parser's. */
#ifndef DPH_CLI_WORDS_H
#define DPH_CLI_WORDS_H

#include "base/pool.h"

#include <stdbool.h>

/* `--group = a`, `-D k = v`, and `--group a b` become one word each, as in
 * DProbes 3.6.4. */
struct dph_words {
	struct dph_pool pool;
	char **list;
	int count;
	bool ends_with_list; /* of several words: `--group a b` */
	bool of_d;           /* D's letters were read */
	const char *refused; /* why not; null: they go together */
};

/* Take the words of a command, its name first. dph_pool_free frees the pool of w.
 * w: zeroed, but for the pool. seed_style: a verb of DProbes 3.6.4 came first. */
void dph_words_normalize(struct dph_words *w, char **argv, int argc, bool seed_style);

/* `--apply-ppdf --group a b FILE`: no other word is there, so the last of the list is the PROGRAM.
 * Before: ends_with_list. */
void dph_words_part_list(struct dph_words *w);

#endif
