/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables hold cli_options.def and cli_commands.def as data, and the seed's verbs. */
#ifndef DPH_CLI_COMMANDS_H
#define DPH_CLI_COMMANDS_H

#include "cli.h"

struct dph_option {
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* name of its value; null: takes none */
	const char *help;
};
extern const struct dph_option dph_options[DPH_OPT_COUNT];

/* Does this option belong to every command? */
bool dph_option_common(enum dph_cli_option option);

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

/* `-n`, `-s`, `-l` in front, or a command of D: its name, or null. */
const char *dph_d_command(const char *word);
/* A word of such a command line with D's letters replaced; empty: to leave out. */
const char *dph_d_option(const char *word);

/* `--insert`, `-i`: the command a verb of the seed means, or null. */
const struct dph_command *dph_verb(const char *word);

#endif
