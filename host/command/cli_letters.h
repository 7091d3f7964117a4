/* SPDX-License-Identifier: BSD-2-Clause */
/* The letters of D's command. */
#ifndef DPH_CLI_LETTERS_H
#define DPH_CLI_LETTERS_H

#include "cli_options.h"
#include "cli_words.h"

struct dph_letter {
	char letter;
	bool value;         /* takes one */
	const char *option; /* "--clause"; null: the command says it all */
};

/* The row of a letter; null: it is none of D's. */
const struct dph_letter *dph_letter_of(char c);

/* The spelling of the option in the words that the user wrote: "-n", or "--clause". */
const char *dph_words_spelling(struct dph_words *w, const struct dph_option *option);

#endif
