/* SPDX-License-Identifier: BSD-2-Clause */
/* The help for programs prints the tables of commands, options, settings, exit statuses and words
 * of D. */
#include "cli_help_json.h"

#include "cli_commands.h"
#include "lang/d/vocabulary.h"
#include "present/json.h"

#include <dprobes/version.h>

#include <string.h>

enum {
	/* Of the objects. Objects gain keys without a new number. */
	SCHEMA = 1,
};

static struct dph_json begin(const char *kind)
{
	struct dph_json json = dph_json_begin(stdout);
	dph_json_string(&json, "kind", kind);
	return json;
}

/* A key without a value is left out. */
static void optional(struct dph_json *json, const char *key, const char *value)
{
	if (value != NULL)
		dph_json_string(json, key, value);
}

static void print_examples(struct dph_json *json, const char *command)
{
	static const struct {
		const char *command, *words, *does;
	} examples[] = {
#define EXAMPLE(command, words, does) {#command, words, does},
#include "cli_examples.def"
	};
	dph_json_open(json, "examples", '[');
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		if (strcmp(examples[i].command, command) != 0)
			continue;
		dph_json_open(json, NULL, '{');
		dph_json_string(json, "words", examples[i].words);
		dph_json_string(json, "does", examples[i].does);
		dph_json_close(json, '}');
	}
	dph_json_close(json, ']');
}

static void print_command(const struct dph_command *command)
{
	struct dph_json json = begin("command");
	dph_json_string(&json, "name", command->name);
	dph_json_string(&json, "words", command->words);
	dph_json_string(&json, "summary", command->summary);
	dph_json_open(&json, "options", '[');
	for (int i = 0; i < DPH_OPT_COUNT; i++)
		if (!dph_option_common((enum dph_cli_option)i) &&
		    dph_command_takes(command, (enum dph_cli_option)i))
			dph_json_string(&json, NULL, dph_options[i].name);
	dph_json_close(&json, ']');
	dph_json_open(&json, "formats", '[');
	for (size_t i = 0; i < dp_sink_kind_count; i++)
		if (dph_command_takes(command, DPH_OPT_FORMAT) &&
		    dph_command_has_format(command, dp_sink_kinds[i]))
			dph_json_string(&json, NULL, dp_sink_kinds[i]->name);
	dph_json_close(&json, ']');
	print_examples(&json, command->name);
	dph_json_end(&json);
}

/* The help of the option in each command where it differs. */
static void print_own_help(struct dph_json *json, enum dph_cli_option option)
{
	dph_json_open(json, "help_of", '{');
	for (size_t i = 0; i < dph_command_count; i++) {
		const char *help = dph_command_help(&dph_commands[i], option);
		if (strcmp(help, dph_options[option].help) != 0)
			dph_json_string(json, dph_commands[i].name, help);
	}
	dph_json_close(json, '}');
}

/* In the order of the options; the compiler sees one that is given twice. */
static const char *const option_examples[DPH_OPT_COUNT] = {
#define OPTION_EXAMPLE(id, words) [DPH_OPT_##id] = words,
#include "cli_option_examples.def"
};

static void print_option(enum dph_cli_option option)
{
	const struct dph_option *o = &dph_options[option];
	const char letter[2] = {o->letter};
	struct dph_json json = begin("option");
	dph_json_string(&json, "name", o->name);
	optional(&json, "letter", o->letter ? letter : NULL);
	optional(&json, "value", o->value);
	dph_json_string(&json, "help", o->help);
	dph_json_flag(&json, "every_command", dph_option_common(option));
	optional(&json, "example", option_examples[option]);
	print_own_help(&json, option);
	dph_json_end(&json);
}

static void print_setting(const char *key, const char *option, const char *help)
{
	struct dph_json json = begin("setting");
	dph_json_string(&json, "name", key);
	dph_json_string(&json, "option", option);
	dph_json_string(&json, "help", help);
	dph_json_end(&json);
}

static void print_exit(const char *name, unsigned status, const char *meaning)
{
	struct dph_json json = begin("exit");
	dph_json_string(&json, "name", name);
	dph_json_number(&json, "status", status);
	dph_json_string(&json, "meaning", meaning);
	dph_json_end(&json);
}

static void print_word_of_d(const struct dph_d_word *word)
{
	struct dph_json json = begin("d");
	dph_json_string(&json, "table", word->kind);
	dph_json_string(&json, "name", word->name);
	optional(&json, "form", word->form);
	if (word->is_function) {
		dph_json_number(&json, "least", word->least);
		dph_json_number(&json, "most", word->most);
	}
	optional(&json, "meaning", word->meaning);
	optional(&json, "refused", word->refused);
	optional(&json, "example", word->example);
	dph_json_end(&json);
}

int dph_cli_help_json(void)
{
	struct dph_json json = begin("tool");
	dph_json_number(&json, "schema", SCHEMA);
	dph_json_string(&json, "version", DP_VERSION);
	dph_json_end(&json);
	for (size_t i = 0; i < dph_command_count; i++)
		print_command(&dph_commands[i]);
	for (int i = 0; i < DPH_OPT_COUNT; i++)
		print_option((enum dph_cli_option)i);
#define BOARD_KEY(field, option, help) print_setting(#field, option, help);
#include "boards/board_keys.def"
#define EXIT(name, number, meaning) print_exit(#name, number, meaning);
#include "cli_exits.def"
	struct dph_d_word word;
	for (size_t i = 0; (word = dph_d_word(i)).name != NULL; i++)
		print_word_of_d(&word);
	return DPH_EXIT_DONE;
}
