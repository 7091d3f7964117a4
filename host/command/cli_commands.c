/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of commands and old verbs are built from cli_commands.def and cli_verbs.def. */
#include "cli_commands.h"

#include "cmd.h"

#include <string.h>

#define COMMAND(name, words, summary, options, table)                                              \
	{#name, words, summary, options, DP_TABLE_##table, dph_cmd_##name},
const struct dph_command dph_commands[] = {
#include "cli_commands.def"
};
const size_t dph_command_count = sizeof(dph_commands) / sizeof(*dph_commands);

const struct dph_command *dph_command_named(const char *name)
{
	for (size_t i = 0; i < dph_command_count; i++)
		if (strcmp(dph_commands[i].name, name) == 0)
			return &dph_commands[i];
	return NULL;
}

static bool word_in(const char *list, const char *word)
{
	size_t bytes = strlen(word);
	for (const char *at = list; *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (strcspn(at, " ") == bytes && memcmp(at, word, bytes) == 0)
			return true;
	return false;
}

bool dph_command_takes(const struct dph_command *command, enum dph_cli_option option)
{
	if (option == DPH_OPT_OUTFILE)
		option = DPH_OPT_OUTPUT;
	if (option == DPH_OPT_FORMAT)
		return command->table != DP_TABLE_NONE;
	return dph_option_common(option) || word_in(command->options, dph_options[option].name);
}

bool dph_command_has_format(const struct dph_command *command, const struct dp_sink_kind *format)
{
	return dp_sink_shows(format, command->table);
}

const char *dph_command_help(const struct dph_command *command, enum dph_cli_option option)
{
	static const struct {
		const char *command;
		enum dph_cli_option option;
		const char *help;
	} own[] = {
#define HELP(command, id, help) {#command, DPH_OPT_##id, help},
#include "cli_help.def"
	};
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (own[i].option == option && strcmp(own[i].command, command->name) == 0)
			return own[i].help;
	return dph_options[option].help;
}

const struct dph_command *dph_verb(const char *word)
{
	static const struct {
		const char *verb, *letter, *command;
	} verbs[] = {
#define VERB(verb, letter, command) {verb, letter, #command},
#include "cli_verbs.def"
	};
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(word, verbs[i].verb) == 0 || strcmp(word, verbs[i].letter) == 0)
			return dph_command_named(verbs[i].command);
	return NULL;
}
