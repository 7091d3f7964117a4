/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of commands holds cli_commands.def as data, and the seed's verbs. */
#ifndef DPH_CLI_COMMANDS_H
#define DPH_CLI_COMMANDS_H

#include "cli.h"

struct dph_command {
	const char *name, *words, *summary, *options;
	enum dp_table
		table; /* the table that the command prints; NONE: the command takes no --format */
	int (*run)(const struct dph_cli *cli);
};
extern const struct dph_command dph_commands[];
extern const size_t dph_command_count;

const struct dph_command *dph_command_named(const char *name);
bool dph_command_takes(const struct dph_command *command, enum dph_cli_option option);
bool dph_command_has_format(const struct dph_command *command, const struct dp_sink_kind *format);

/* Return the help of the option in this command. */
const char *dph_command_help(const struct dph_command *command, enum dph_cli_option option);

/* `--insert`, `-i`: the command a verb of the seed means, or null. */
const struct dph_command *dph_verb(const char *word);

#endif
