/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of options is built from cli_options.def. */
#include "cli_options.h"

#include <string.h>

#define OPTION(id, name, letter, value, help) [DPH_OPT_##id] = {name, letter, value, help},
const struct dph_option dph_options[DPH_OPT_COUNT] = {
#include "cli_options.def"
};

bool dph_option_common(enum dph_cli_option option)
{
	return option >= DPH_OPT_QUIET;
}

bool dph_option_shared(enum dph_cli_option option)
{
	return (option >= DPH_OPT_BOARD && option <= DPH_OPT_TIMEOUT) || option == DPH_OPT_VERBOSE;
}

const struct dph_option *dph_option_spelled(const char *word, const char *dashes, size_t letters)
{
	const size_t n = strlen(dashes);
	for (int i = 0; i < DPH_OPT_COUNT && strncmp(word, dashes, n) == 0; i++) {
		const struct dph_option *o = &dph_options[i];
		if (letters == 1 ? o->letter && word[n] == o->letter && !word[n + 1]
				 : strcmp(word + n, o->name) == 0)
			return o;
	}
	return NULL;
}
