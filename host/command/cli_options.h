/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of `dprobes`. A new option is one row in cli_options.def. */
#ifndef DPH_CLI_OPTIONS_H
#define DPH_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define OPTION(id, name, letter, value, help) DPH_OPT_##id,
enum dph_cli_option {
#include "cli_options.def"
	DPH_OPT_COUNT,
};

struct dph_option {
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* name of its value; null: takes none */
	const char *help;
};
extern const struct dph_option dph_options[DPH_OPT_COUNT];

/* Does this option belong to every command? */
bool dph_option_common(enum dph_cli_option option);

/* Does every command accept this option, also one that does nothing with it? The options name the
 * target and its firmware, so that one list of them serves all commands of a script. */
bool dph_option_shared(enum dph_cli_option option);

/* The option that the word spells behind these dashes; null: none.
 * letters: 1: by its letter, 0: by its name. */
const struct dph_option *dph_option_spelled(const char *word, const char *dashes, size_t letters);

#endif
