/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of the command line finds the command, decodes its words and runs the command. */
#define _GNU_SOURCE
#include "cli_parse.h"

#include "cli_commands.h"
#include "cli_help.h"
#include "cli_help_json.h"
#include "cli_letters.h"
#include "cli_read.h"
#include "cli_settings.h"
#include "cli_words_d.h"
#include "complete.h"
#include "base/content.h"
#include "base/diag.h"
#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

struct parser {
	struct dph_cli cli;
	const struct dph_command *command;
	bool takes[DPH_OPT_COUNT];       /* by the command */
	bool accepts[DPH_OPT_COUNT];     /* takes, or leaves alone */
	struct dp_board_settings *board; /* null: the command uses none */
};

/* "insert, run": the commands that take the option; for --format, the commands that have the
 * format. */
static const char *commands_for(struct dph_pool *pool, enum dph_cli_option option,
				const struct dp_sink_kind *format)
{
	const char *list = "";
	for (size_t i = 0; i < dph_command_count; i++)
		if (dph_command_takes(&dph_commands[i], option) &&
		    (!format || dph_command_has_format(&dph_commands[i], format)))
			list = dph_pool_print(pool, "%s%s%s", list, *list ? ", " : "",
					      dph_commands[i].name);
	return list;
}

/* What the user may want in the place of an option of other commands. */
static const char *instead_of(const struct parser *p, struct dph_words *w,
			      enum dph_cli_option option)
{
	return option == DPH_OPT_FOR && p->takes[DPH_OPT_TIMEOUT]
		       ? dph_pool_print(&w->pool, "; --timeout TIME ends '%s' after a time",
					p->command->name)
		       : "";
}

static int not_for(const struct parser *p, struct dph_words *w, enum dph_cli_option option)
{
	return dph_cli_usage(&p->cli, "'%s' does nothing with %s, which is for: %s%s",
			     p->command->name, dph_words_spelling(w, &dph_options[option]),
			     commands_for(&w->pool, option, NULL), instead_of(p, w, option));
}

static int read_options(struct parser *p, struct dph_words *w)
{
	enum dph_cli_option other;
	const int status = dph_cli_read(&p->cli, w, p->accepts, &other);
	return other < DPH_OPT_COUNT ? not_for(p, w, other) : status;
}

static int take_format(struct dph_cli *cli, const struct dph_command *command,
		       struct dph_pool *pool)
{
	const char *value = dph_cli_get(cli, DPH_OPT_FORMAT);
	char all[DPH_CLI_FORMATS_ROOM];
	cli->format = value ? dp_sink_kind_named(value) : dp_sink_kinds[0];
	dph_cli_format_names(NULL, all, sizeof(all));
	if (!cli->format)
		return dph_cli_usage(cli, "--format is one of %s, not '%s'", all, value);
	if (!value || dph_command_has_format(command, cli->format))
		return DPH_EXIT_DONE;
	return dph_cli_usage(cli, "'%s' has no --format %s, which is for: %s", cli->command, value,
			     commands_for(pool, DPH_OPT_FORMAT, cli->format));
}

/* --- running ------------------------------------------------------------------------------- */

static const char *near_command(const char *word)
{
	struct dph_closest closest = dph_closest(word, strlen(word));
	for (size_t i = 0; i < dph_command_count; i++)
		dph_closest_try(&closest, dph_commands[i].name);
	return closest.best;
}

static int unknown_command(const struct dph_cli *cli, const char *word)
{
	if (dph_option_spelled(word, "-", 0))
		return dph_cli_usage(cli, "unknown option '%s'; did you mean '-%s'?", word, word);
	if (*word == '-')
		return dph_cli_usage(
			cli, "'%s' is in the place of the command: dprobes COMMAND [OPTION...]",
			word);
	const char *best = near_command(word);
	if (best)
		return dph_cli_usage(cli, "unknown command '%s'; did you mean '%s'?", word, best);
	return dph_cli_usage(cli, "unknown command '%s'", word);
}

static size_t count_words(const char *words)
{
	size_t count = *words != '\0';
	for (; *words; words++)
		count += *words == ' ';
	return count;
}

/* Take as many words as the row has, and more for a row with dots. The words are required unless
 * the row has them in brackets. */
static int check_words(const struct parser *p, bool needed)
{
	const char *name = p->command->words + (*p->command->words == '[');
	const bool dots = strstr(name, "...");
	const size_t most = dots ? 1 : count_words(name), count = p->cli.arg_count;
	for (size_t i = 0; i < count && i + 1 < most; i++)
		name += strcspn(name, " ") + 1;
	const int bytes = (int)strcspn(name, " .]");
	if (count > most && !dots)
		return dph_cli_usage(&p->cli, "unexpected word '%s'", p->cli.args[most]);
	if (count < most && needed)
		return dph_cli_usage(&p->cli, "%s %.*s is missing",
				     strchr("AEIO", *name) ? "an" : "a", bytes, name);
	if (count && !*p->cli.args[0] && !dph_cli_has(&p->cli, DPH_OPT_CLAUSE))
		return dph_cli_usage(&p->cli, "the %.*s is an empty word", bytes, name);
	return DPH_EXIT_DONE;
}

static void tell_changed(const char *path)
{
	fprintf(stderr,
		"dprobes: %s has changed since this command read it; what the command printed is "
		"by the file before\n",
		path);
}

static int run_command(struct parser *p, struct dph_words *w)
{
	int status = read_options(p, w);
	if (status)
		return status;
	bool needed = *p->command->words && *p->command->words != '[';
	if (needed && p->cli.arg_count == 0 && w->ends_with_list) {
		dph_words_part_list(w);
		p->cli.value_count = 0;
		status = read_options(p, w);
	}
	if (status)
		return status;
	if (dph_cli_has(&p->cli, DPH_OPT_HELP))
		return dph_cli_help_command(p->command);
	if (dph_cli_has(&p->cli, DPH_OPT_VERSION)) {
		printf("dprobes %s\n", DP_VERSION);
		return DPH_EXIT_DONE;
	}
	p->cli.quiet = dph_cli_has(&p->cli, DPH_OPT_QUIET);
	status = dph_cli_take_board(&p->cli, p->takes, &p->board);
	if (!status)
		status = dph_cli_take_line(&p->cli, p->board);
	if (!status)
		status = take_format(&p->cli, p->command, &w->pool);
	if (!status)
		status = dph_cli_take_times(&p->cli);
	if (status)
		return status;
	status = check_words(p, needed);
	if (status)
		return status;
	status = p->command->run(&p->cli);
	if (!p->cli.quiet)
		dph_contents_changed(tell_changed);
	return status;
}

/* `dprobes help [COMMAND]`, `dprobes help --json`; a verb of the seed names its command too. */
static int help_word(const struct dph_cli *cli, int argc, char **argv)
{
	const struct dph_command *command;
	if (argc <= 2)
		return dph_cli_help_all();
	if (argc > 3)
		return dph_cli_usage(cli, "unexpected word '%s'", argv[3]);
	if (strcmp(argv[2], "--json") == 0)
		return dph_cli_help_json();
	command = dph_verb(argv[2]) ? dph_verb(argv[2]) : dph_command_named(argv[2]);
	return command ? dph_cli_help_command(command) : unknown_command(cli, argv[2]);
}

/* What the options and the output must know of the command. */
static void choose(struct parser *p)
{
	p->cli.command = p->command->name;
	p->cli.words = p->command->words;
	p->cli.table = p->command->table;
	for (int i = 0; i < DPH_OPT_COUNT; i++) {
		const enum dph_cli_option option = (enum dph_cli_option)i;
		p->takes[i] = dph_command_takes(p->command, option);
		p->accepts[i] = p->takes[i] || dph_option_shared(option);
	}
}

int dph_cli_main(int argc, char **argv)
{
	struct parser p = {.cli = {.command = NULL}};
	struct dph_words w = {0};
	char **d = dph_words_of_d(&w, &argc, argv);
	argv = d ? d : argv;
	const char *word = argc > 1 ? argv[1] : "--help";
	const struct dph_command *verb = dph_verb(word);
	if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return help_word(&p.cli, argc, argv);
	if (strcmp(word, "--version") == 0 || strcmp(word, "-v") == 0) {
		printf("dprobes %s\n", DP_VERSION);
		return DPH_EXIT_DONE;
	}
	if (strcmp(word, "complete") == 0) {
		dph_complete(argv + 2, (size_t)argc - 2);
		return DPH_EXIT_DONE;
	}
	p.command = verb ? verb : dph_command_named(word);
	if (!p.command)
		return unknown_command(&p.cli, word);
	choose(&p);
	const char *no_clause = d ? NULL : dph_words_no_clause(argv, argc);
	if (no_clause) {
		dph_pool_free(&w.pool);
		return dph_cli_usage(
			&p.cli,
			"'%s' takes a program from a file, not a clause behind -n; write "
			"the clause to a file NAME.d, or run it with 'dprobes -n CLAUSE' "
			"(with -e: only compile it, and list its points)",
			no_clause);
	}
	if (w.refused) {
		dph_pool_free(&w.pool);
		return dph_cli_usage(&p.cli, "%s", w.refused);
	}
	dph_words_normalize(&w, argv + 1, argc - 1, verb != NULL);
	int status = run_command(&p, &w);
	free(p.cli.values);
	dp_board_settings_free(p.board);
	dph_pool_free(&w.pool);
	return status;
}
