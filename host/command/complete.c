/* SPDX-License-Identifier: BSD-2-Clause */
/* Candidates come from the tables of commands and options, from the ELF file, and from the list of
 * ports. */
#include "complete.h"

#include "cli_commands.h"
#include "cli_letters.h"

#include "base/pool.h"
#include "symbols/code_names.h"
#include "tables/registers.h"

#include <dprobes/host.h>

#include "dp_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SYMBOLS_MAX = 2000, /* a longer list is no help */
};

struct completion {
	char **words; /* in front of the last one */
	size_t count;
	const char *part; /* the last word, or the value behind its '=' */
	const char *glue; /* text in front of part in the same word: "--port=" */
	size_t glue_bytes;
	const struct dph_command *command;
};

static bool begins(const char *text, const char *part)
{
	return strncmp(text, part, strlen(part)) == 0;
}

static bool offer(const struct completion *c, const char *before, const char *text,
		  const char *help)
{
	char word[256];

	if ((size_t)snprintf(word, sizeof word, "%s%s", before, text) >= sizeof word ||
	    !begins(word, c->part))
		return false;
	printf("%.*s%s\t%s\n", (int)c->glue_bytes, c->glue, word, help != NULL ? help : "");
	return true;
}

static void offer_files(void)
{
	puts(":files");
}

/* --- values of options --- */

/* "COM1|COM2|NONE" */
static void offer_choices(const struct completion *c, const char *choices)
{
	char word[32];

	for (; *choices != '\0'; choices += strcspn(choices, "|"), choices += *choices == '|') {
		snprintf(word, sizeof word, "%.*s", (int)strcspn(choices, "|"), choices);
		offer(c, "", word, NULL);
	}
}

static void offer_formats(const struct completion *c)
{
	for (size_t i = 0; i < dp_sink_kind_count; i++)
		if (dph_command_has_format(c->command, dp_sink_kinds[i]))
			offer(c, "", dp_sink_kinds[i]->name, NULL);
}

static void offer_cpus(const struct completion *c)
{
	const struct dph_cpu *cpu;

	for (size_t i = 0; (cpu = dph_cpu_at(i)) != NULL; i++)
		offer(c, "", cpu->name, NULL);
}

static void offer_items(const struct completion *c)
{
#define DP_ITEM(bit, name, text, bytes) offer(c, "", #name, NULL);
#include "items.def"
	offer(c, "", "ALL", NULL);
}

static void offer_ports(const struct completion *c)
{
	size_t count;
	struct dp_port *ports = dp_ports_list(NULL, &count);

	for (size_t i = 0; i < count; i++)
		offer(c, "", ports[i].name != NULL ? ports[i].name : ports[i].device,
		      ports[i].held_by != NULL ? ports[i].held_by : ports[i].description);
	dp_ports_free(ports, count);
}

static void offer_boards(const struct completion *c)
{
	struct dp_messages messages = {0};
	struct dp_board_settings *settings = dp_board_settings_read(NULL, NULL, &messages);

	for (size_t i = 0; settings != NULL && i < settings->name_count; i++)
		offer(c, "", settings->names[i], NULL);
	dp_board_settings_free(settings);
	dp_messages_free(&messages);
}

static void offer_values(const struct completion *c, enum dph_cli_option option)
{
	static const struct {
		enum dph_cli_option option;
		void (*offer)(const struct completion *c);
	} rows[] = {
		{DPH_OPT_FORMAT, offer_formats}, {DPH_OPT_CPU, offer_cpus},
		{DPH_OPT_LOG, offer_items},      {DPH_OPT_PORT, offer_ports},
		{DPH_OPT_BOARD, offer_boards},
	};
	const char *value = dph_options[option].value;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].option == option) {
			rows[i].offer(c);
			return;
		}
	if (strcmp(value, "FILE") == 0)
		offer_files();
	else if (strchr(value, '|') != NULL)
		offer_choices(c, value);
}

/* --- options --- */

/* The option of a word that takes a value: "--port", "--port=" with bytes 6, "-s". */
static enum dph_cli_option valued(const char *word, size_t bytes)
{
	for (int i = 0; i < DPH_OPT_COUNT; i++) {
		const struct dph_option *o = &dph_options[i];
		const bool is_long = bytes > 2 && strlen(o->name) == bytes - 2 &&
				     memcmp(word, "--", 2) == 0 &&
				     memcmp(word + 2, o->name, bytes - 2) == 0;
		const bool is_letter =
			bytes == 2 && o->letter != 0 && word[0] == '-' && word[1] == o->letter;

		if (o->value != NULL && (is_long || is_letter))
			return (enum dph_cli_option)i;
	}
	return DPH_OPT_COUNT;
}

static void offer_options(const struct completion *c)
{
	for (int i = 0; i < DPH_OPT_COUNT; i++) {
		const enum dph_cli_option option = (enum dph_cli_option)i;

		if (dph_command_takes(c->command, option))
			offer(c, "--", dph_options[i].name, dph_command_help(c->command, option));
	}
}

/* The last value that the line gives an option; null: none. */
static const char *given(const struct completion *c, enum dph_cli_option option)
{
	const char *value = NULL;

	for (size_t i = 0; i < c->count; i++) { /* the first word may be -n */
		const char *word = c->words[i];
		const size_t bytes = strcspn(word, "=");

		if (valued(word, bytes) != option)
			continue;
		if (word[bytes] == '=')
			value = word + bytes + 1;
		else if (i + 1 < c->count)
			value = strcmp(c->words[i + 1], "=") == 0
					? (i + 2 < c->count ? c->words[i + 2] : NULL)
					: c->words[i + 1];
	}
	return value;
}

/* --- words --- */

/* A variable of the environment; null: absent or empty, as for the command. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : NULL;
}

/* A path as the shell will give it to the command: "~/" is the home of the user. */
static const char *at_home(struct dph_pool *pool, const char *path)
{
	const char *home = variable("HOME");

	return strncmp(path, "~/", 2) == 0 && home != NULL
		       ? dph_pool_print(pool, "%s%s", home, path + 1)
		       : path;
}

/* The firmware that the words name; null: none that can be read. The order is that of the command.
 */
static struct dp_image *firmware(const struct completion *c)
{
	const char *path = given(c, DPH_OPT_SYM);
	const char *board = given(c, DPH_OPT_BOARD);
	struct dp_messages messages = {0};
	struct dp_board_settings *settings = dp_board_settings_read(
		NULL, board != NULL ? board : variable("DPROBES_BOARD"), &messages);
	struct dp_image *image;
	struct dph_pool pool = {0};

	if (path == NULL)
		path = given(c, DPH_OPT_ELF);
	if (path == NULL && board != NULL && settings != NULL)
		path = settings->elf;
	if (path == NULL)
		path = variable("DPROBES_ELF");
	if (path == NULL && settings != NULL)
		path = settings->elf;
	path = path != NULL ? at_home(&pool, path) : NULL;
	image = path != NULL ? dp_image_open(path, &messages) : NULL;
	dph_pool_free(&pool);
	dp_board_settings_free(settings);
	dp_messages_free(&messages);
	return image;
}

static void offer_symbols(const struct completion *c)
{
	const struct dp_symbol *symbols;
	struct dp_image *image = firmware(c);
	const size_t count = image != NULL ? dp_image_symbols(image, &symbols) : 0;
	struct dph_pool pool = {0};
	unsigned offered = 0;

	for (size_t i = 0; i < count && offered < SYMBOLS_MAX; i++) {
		const char *base = dph_code_base(&symbols[i], &pool);

		offered += offer(c, "", symbols[i].name, symbols[i].file);
		offered += base != NULL && offer(c, "", base, symbols[i].file);
	}
	dph_pool_free(&pool);
	dp_image_close(image);
}

/* --- probe points of D --- */

/* "fbt::queue_p": the fields in front of the function's name, as typed. */
static char *fields_before(struct dph_pool *pool, const char *part)
{
	const char *module = begins(part, "fbt:") ? strchr(part + 4, ':') : NULL;

	return module != NULL ? dph_pool_copy(pool, part, (size_t)(module + 1 - part)) : NULL;
}

/* Entry and return of each function; a line or an offset has too many. */
static void offer_points(const struct completion *c)
{
	static const char *const names[] = {"entry", "return"};
	const struct dp_symbol *symbols;
	struct dp_image *image = strpbrk(c->part, "{/ ,") == NULL ? firmware(c) : NULL;
	const size_t count = image != NULL ? dp_image_symbols(image, &symbols) : 0;
	struct dph_pool pool = {0};
	const char *before = fields_before(&pool, c->part);
	unsigned offered = 0;

	for (size_t i = 0; i < count && offered < SYMBOLS_MAX; i++) {
		if (symbols[i].kind != DP_SYMBOL_FUNCTION)
			continue;
		for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
			const char *point =
				dph_pool_print(&pool, "%s:%s", symbols[i].name, names[n]);

			offered += offer(c, before != NULL ? before : "", point, symbols[i].file);
		}
	}
	dph_pool_free(&pool);
	dp_image_close(image);
}

/* Does a clause of D stand behind the word? "-n", "-qn", "--clause". */
static bool is_clause_option(const char *word)
{
	const char *last = word[0] == '-' && word[1] != '\0' ? word + strlen(word) - 1 : "";

	if (strcmp(word, "--clause") == 0)
		return true;
	if (*last != 'n')
		return false;
	for (const char *letter = word + 1; letter < last; letter++)
		if (dph_letter_of(*letter) == NULL || dph_letter_of(*letter)->value)
			return false;
	return true;
}

/* Does the last word stand for a probe description?
 * command: null: `dprobes -n`, `dprobes -l`. */
static bool is_description(const struct completion *c, const struct dph_command *command)
{
	const char *before = c->words[c->count - 1];
	const bool of_d = command == NULL || dph_command_takes(command, DPH_OPT_CLAUSE);
	bool lists = command != NULL && strstr(command->words, "DESCRIPTION") != NULL;

	if (of_d && is_clause_option(before))
		return true;
	if (command == NULL && strcmp(before, "-l") == 0)
		return true;
	for (size_t i = 0; command == NULL && i < c->count; i++)
		lists |= strcmp(c->words[i], "-l") == 0;
	return lists && c->part[0] != '-' && valued(before, strlen(before)) == DPH_OPT_COUNT;
}

/* The command of the first word; null: none, or D's own command without a name. `-q` is a verb of
 * DProbes 3.6.4 and a letter of D: -n behind it decides. */
static const struct dph_command *named_command(const struct completion *c)
{
	const char *first = c->words[0];

	if (strcmp(first, "-q") == 0 && is_clause_option(c->words[c->count - 1]))
		return NULL;
	return dph_verb(first) ? dph_verb(first) : dph_command_named(first);
}

static void offer_word(const struct completion *c)
{
	const char *words = c->command->words;

	if (strstr(words, "PATTERN") != NULL || strstr(words, "LVALUE") != NULL)
		offer_symbols(c);
	else if (strstr(words, "PROGRAM") != NULL || strstr(words, "FOLDER") != NULL)
		offer_files();
}

static void offer_commands(const struct completion *c)
{
	for (size_t i = 0; i < dph_command_count; i++)
		offer(c, "", dph_commands[i].name, dph_commands[i].summary);
}

static void offer_first(const struct completion *c)
{
	offer_commands(c);
	offer(c, "", "help", "show the options of a command");
	if (c->part[0] != '-')
		return;
	offer(c, "--", "help", dph_options[DPH_OPT_HELP].help);
	offer(c, "--", "version", dph_options[DPH_OPT_VERSION].help);
#define VERB(verb, letter, command) offer(c, "", verb, "as " #command ", a verb of DProbes 3.6.4");
#include "cli_verbs.def"
}

/* Split "--port=x", and "--port" "=" "x" as bash gives it. Returns the option with the value to
 * complete, or DPH_OPT_COUNT. */
static enum dph_cli_option completed_option(struct completion *c)
{
	const size_t bytes = strcspn(c->part, "=");
	const char *before = c->count > 1 ? c->words[c->count - 1] : "";

	if (strcmp(c->part, "=") == 0) {
		c->part = "";
		return valued(before, strlen(before));
	}
	if (strncmp(c->part, "--", 2) == 0 && c->part[bytes] == '=') {
		c->glue = c->part;
		c->glue_bytes = bytes + 1;
		c->part += bytes + 1;
		return valued(c->glue, bytes);
	}
	if (strcmp(before, "=") == 0 && c->count > 2)
		before = c->words[c->count - 2];
	return valued(before, strlen(before));
}

void dph_complete(char **words, size_t count)
{
	struct completion c = {.words = words, .part = "", .glue = ""};
	enum dph_cli_option option;

	if (count > 0) {
		c.count = count - 1;
		c.part = words[count - 1];
	}
	if (c.count == 0) {
		offer_first(&c);
		return;
	}
	if (strcmp(words[0], "help") == 0) {
		offer_commands(&c);
		if (c.part[0] == '-')
			offer(&c, "", "--json", "all tables, for programs");
		return;
	}
	c.command = named_command(&c);
	if ((c.command != NULL || words[0][0] == '-') && is_description(&c, c.command)) {
		offer_points(&c);
		return;
	}
	if (c.command == NULL)
		return;
	option = completed_option(&c);
	if (option != DPH_OPT_COUNT)
		offer_values(&c, option);
	else if (c.part[0] == '-')
		offer_options(&c);
	else
		offer_word(&c);
}
