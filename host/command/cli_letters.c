/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of letters is built from cli_letters.def. */
#include "cli_letters.h"

#include <string.h>

static const struct dph_letter letters[] = {
#define LETTER(letter, value, option) {letter, value, option},
#include "cli_letters.def"
};

const struct dph_letter *dph_letter_of(char c)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (letters[i].letter == c)
			return &letters[i];
	return NULL;
}

const char *dph_words_spelling(struct dph_words *w, const struct dph_option *option)
{
	for (size_t i = 0; w->of_d && i < sizeof(letters) / sizeof(*letters); i++)
		if (letters[i].option && strcmp(letters[i].option + 2, option->name) == 0)
			return dph_pool_print(&w->pool, "-%c", letters[i].letter);
	return dph_pool_print(&w->pool, "--%s", option->name);
}
