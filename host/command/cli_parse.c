/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of the command line decodes the words by the tables and runs the command. */
#define _GNU_SOURCE
#include "cli_parse.h"

#include "cli_help.h"
#include "cli_commands.h"
#include "cli_words.h"
#include "complete.h"
#include "base/diag.h"
#include "base/pool.h"
#include "boards/conf_file.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- getopt -------------------------------------------------------------------------------- */

enum {
	LONG_BASE = 256
};

struct parser {
	struct dph_cli cli;
	const struct dph_command *command;
	struct dph_cli_value *values;
	size_t capacity;
	struct dp_board_settings *board; /* null: the command uses none */
	struct option longs[DPH_OPT_COUNT + 1];
	char shorts[DPH_OPT_COUNT * 2 + 2];
};

/* Search the options of every command: an option of another command is no abbreviation. */
static void fill_options(struct parser *p)
{
	size_t n = 0, s = 0;
	p->shorts[s++] = ':';
	for (int i = 0; i < DPH_OPT_COUNT; i++) {
		const struct dph_option *o = &dph_options[i];
		p->longs[n++] = (struct option){o->name, o->value ? required_argument : no_argument,
						NULL, LONG_BASE + i};
		if (!o->letter)
			continue;
		p->shorts[s++] = o->letter;
		if (o->value)
			p->shorts[s++] = ':';
	}
}

static enum dph_cli_option option_of(int found)
{
	if (found >= LONG_BASE)
		return (enum dph_cli_option)(found - LONG_BASE);
	for (int i = 0; i < DPH_OPT_COUNT; i++)
		if (dph_options[i].letter == found)
			return (enum dph_cli_option)i;
	return DPH_OPT_COUNT;
}

static const char *near_option(const struct parser *p, const char *word)
{
	size_t bytes = strcspn(word, "=");
	struct dph_closest closest = dph_closest(word, bytes);
	for (int i = 0; i < DPH_OPT_COUNT; i++)
		if (dph_command_takes(p->command, (enum dph_cli_option)i))
			dph_closest_try(&closest, dph_options[i].name);
	return closest.best;
}

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

/* word: the last word that getopt looked at; optopt: the option that getopt refused, 0 for an
 * unknown long option. */
static int bad_option(const struct parser *p, int found, const char *word)
{
	char name[64];
	if (optopt >= LONG_BASE)
		snprintf(name, sizeof(name), "--%s", dph_options[optopt - LONG_BASE].name);
	else
		snprintf(name, sizeof(name), "-%c", optopt);
	if (found == ':')
		return dph_cli_usage(&p->cli, "option '%s' needs a value", name);
	if (optopt >= LONG_BASE)
		return dph_cli_usage(&p->cli, "option '%s' takes no value", name);
	if (optopt != 0)
		return dph_cli_usage(&p->cli, "unknown option '%s'", name);
	const char *best = strncmp(word, "--", 2) == 0 ? near_option(p, word + 2) : NULL;
	if (best)
		return dph_cli_usage(&p->cli, "unknown option '%s'; did you mean '--%s'?", word,
				     best);
	return dph_cli_usage(&p->cli, "unknown option '%s'", word);
}

static const struct dph_option *option_spelled(const char *word, const char *dashes, size_t letters)
{
	const size_t n = strlen(dashes);
	for (int i = 0; i < DPH_OPT_COUNT && strncmp(word, dashes, n) == 0; i++) {
		const struct dph_option *o = &dph_options[i];
		if (letters == 1 ? word[n] == o->letter && !word[n + 1]
				 : strcmp(word + n, o->name) == 0)
			return o;
	}
	return NULL;
}

/* Is the word the value of the option before it? */
static bool is_value(const struct dph_words *w, int i)
{
	const struct dph_option *o = option_spelled(w->list[i - 1], "--", 0);
	if (!o)
		o = option_spelled(w->list[i - 1], "-", 1);
	return o && o->value;
}

/* getopt reads `-format` as -f with a value, and `-count` as -c and -o. Return the first long name
 * behind one dash; null: there is none. */
static const char *one_dash(const struct dph_words *w)
{
	for (int i = 1; i < w->count && strcmp(w->list[i], "--") != 0; i++) {
		const struct dph_option *o = option_spelled(w->list[i], "-", 0);
		if (o && !is_value(w, i))
			return o->name;
	}
	return NULL;
}

static int not_for(const struct parser *p, struct dph_words *w, enum dph_cli_option option)
{
	return dph_cli_usage(&p->cli, "'%s' does nothing with --%s, which is for: %s",
			     p->command->name, dph_options[option].name,
			     commands_for(&w->pool, option, NULL));
}

static void add_value(struct parser *p, enum dph_cli_option option, const char *value)
{
	p->values = dph_grow(p->values, &p->capacity, p->cli.value_count, sizeof(*p->values));
	p->values[p->cli.value_count++] = (struct dph_cli_value){option, value};
	p->cli.values = p->values;
}

static int read_options(struct parser *p, struct dph_words *w)
{
	const char *meant = one_dash(w);
	int found;
	if (meant)
		return dph_cli_usage(&p->cli, "unknown option '-%s'; did you mean '--%s'?", meant,
				     meant);
	fill_options(p);
	optind = 0;
	opterr = 0;
	while ((found = getopt_long(w->count, w->list, p->shorts, p->longs, NULL)) != -1) {
		if (found == '?' || found == ':')
			return bad_option(p, found, w->list[optind > 1 ? optind - 1 : 1]);
		enum dph_cli_option option = option_of(found);
		if (!dph_command_takes(p->command, option))
			return not_for(p, w, option);
		if (optarg && !*optarg)
			return dph_cli_usage(&p->cli, "the value of --%s is empty",
					     dph_options[option].name);
		add_value(p, option, optarg ? optarg : "");
	}
	p->cli.args = w->list + optind;
	p->cli.arg_count = (size_t)(w->count - optind);
	return DPH_EXIT_DONE;
}

/* --- options of several commands ----------------------------------------------------------- */

static const char *value_or(const struct dph_cli *cli, enum dph_cli_option option,
			    const char *variable)
{
	const char *value = dph_cli_get(cli, option);
	if (!value && variable)
		value = getenv(variable);
	return value && *value ? value : NULL;
}

static int bad_choice(const struct dph_cli *cli, enum dph_cli_option option)
{
	return dph_cli_usage(cli, "--%s is one of %s, not '%s'", dph_options[option].name,
			     dph_options[option].value, dph_cli_get(cli, option));
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

static int take_color(struct dph_cli *cli)
{
	const char *value = dph_cli_get(cli, DPH_OPT_COLOR), *no = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");
	bool wanted = !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0);
	cli->terminal = isatty(STDERR_FILENO);
	cli->color = wanted && cli->terminal;
	if (!value || strcmp(value, "auto") == 0)
		return DPH_EXIT_DONE;
	cli->color = strcmp(value, "always") == 0;
	if (cli->color || strcmp(value, "never") == 0)
		return DPH_EXIT_DONE;
	return bad_choice(cli, DPH_OPT_COLOR);
}

/* --for: as --timeout, but with a unit, and a planned end. */
static int take_for(struct dph_cli *cli)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
	const char *value = dph_cli_get(cli, DPH_OPT_FOR);
	char *end;
	if (!value)
		return DPH_EXIT_DONE;
	const double number = strtod(value, &end);
	for (size_t i = 0; end != value && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(end, units[i].name) == 0 && number > 0 && number < 1e6)
			cli->for_s = number * units[i].seconds;
	if (cli->for_s > 0)
		return DPH_EXIT_DONE;
	return dph_cli_usage(cli, "--for is a time above 0 such as 500ms, 10s, 2m or 1h, not '%s'",
			     value);
}

static int take_timeout(struct dph_cli *cli)
{
	const char *value = dph_cli_get(cli, DPH_OPT_TIMEOUT);
	char *end;
	if (!value)
		return DPH_EXIT_DONE;
	cli->timeout_s = strtod(value, &end);
	if (end == value || *end || !(cli->timeout_s > 0) || cli->timeout_s > 1e9)
		return dph_cli_usage(cli, "--timeout is a number of seconds above 0, not '%s'",
				     value);
	return DPH_EXIT_DONE;
}

/* The settings of dprobes.conf, for a command that uses a board. */
static int take_board(struct parser *p)
{
	struct dp_messages messages = {0};
	if (!dph_command_takes(p->command, DPH_OPT_BOARD))
		return DPH_EXIT_DONE;
	p->board = dp_board_settings_read(NULL, value_or(&p->cli, DPH_OPT_BOARD, "DPROBES_BOARD"),
					  &messages);
	dph_cli_report(&p->cli, &messages);
	if (!p->board)
		return DPH_EXIT_USAGE;
	if (p->board->com && dph_command_takes(p->command, DPH_OPT_LOG_TARGET) &&
	    !dph_cli_has(&p->cli, DPH_OPT_LOG_TARGET))
		add_value(p, DPH_OPT_LOG_TARGET, p->board->com);
	return DPH_EXIT_DONE;
}

/* The command line comes first. A board named on the command line comes before the environment,
 * which may be left over from another board. Any other board comes last. */
static const char *setting(const struct dph_cli *cli, enum dph_cli_option option,
			   const char *variable, const char *of_board)
{
	if (!dph_cli_has(cli, option) && dph_cli_has(cli, DPH_OPT_BOARD) && of_board)
		return of_board;
	const char *value = value_or(cli, option, variable);
	return value ? value : of_board;
}

static int take_common(struct dph_cli *cli, const struct dph_command *command,
		       const struct dp_board_settings *board, struct dph_pool *pool)
{
	const char *baud = setting(cli, DPH_OPT_BAUD, "DPROBES_BAUD", board ? board->baud : NULL);
	cli->port = setting(cli, DPH_OPT_PORT, "DPROBES_PORT", board ? board->port : NULL);
	cli->port_refused = board ? board->port_refused : NULL;
	if (cli->port_refused && dph_cli_has(cli, DPH_OPT_BOARD) && !dph_cli_has(cli, DPH_OPT_PORT))
		cli->port = NULL; /* the environment's may be that of another board */
	cli->key = setting(cli, DPH_OPT_KEY, "DPROBES_KEY", board ? board->key : NULL);
	cli->elf = setting(cli, DPH_OPT_ELF, "DPROBES_ELF", board ? board->elf : NULL);
	cli->output = value_or(cli, DPH_OPT_OUTPUT, NULL);
	if (!cli->output)
		cli->output = value_or(cli, DPH_OPT_OUTFILE, NULL);
	cli->until = value_or(cli, DPH_OPT_UNTIL, NULL);
	cli->quiet = dph_cli_has(cli, DPH_OPT_QUIET);
	cli->verbose = dph_cli_has(cli, DPH_OPT_VERBOSE);
	cli->write = dph_cli_has(cli, DPH_OPT_WRITE);
	int status = dph_cli_check_numbers(cli);
	if (status)
		return status;
	cli->count = dph_cli_number(cli, DPH_OPT_LIMIT);
	if (baud) {
		if (!dph_conf_is_baud(baud))
			return dph_cli_usage(cli,
					     "the baud rate is a number from %d to %d, not '%s'",
					     DPH_BAUD_MIN, DPH_BAUD_MAX, baud);
		cli->baud = (unsigned)strtoul(baud, NULL, 10);
	}
	status = take_format(cli, command, pool);
	if (!status)
		status = take_color(cli);
	if (!status)
		status = take_for(cli);
	return status ? status : take_timeout(cli);
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
	if (option_spelled(word, "-", 0))
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
	status = take_board(p);
	if (!status)
		status = take_common(&p->cli, p->command, p->board, &w->pool);
	if (status)
		return status;
	/* Take one word at most, and more for a row with dots. The first word is required unless
	 * the row has the word in brackets. */
	size_t most = *p->command->words ? 1 : 0;
	const bool more = strstr(p->command->words, "...");
	if (p->cli.arg_count > most && !more)
		return dph_cli_usage(&p->cli, "unexpected word '%s'", p->cli.args[most]);
	if (p->cli.arg_count < most && needed)
		return dph_cli_usage(&p->cli, "a %.*s is missing",
				     (int)strcspn(p->command->words, " "), p->command->words);
	return p->command->run(&p->cli);
}

/* `dprobes help [COMMAND]`; a verb of the seed names its command too. */
static int help_word(const struct dph_cli *cli, int argc, char **argv)
{
	const struct dph_command *command;
	if (argc <= 2)
		return dph_cli_help_all();
	if (argc > 3)
		return dph_cli_usage(cli, "unexpected word '%s'", argv[3]);
	command = dph_verb(argv[2]) ? dph_verb(argv[2]) : dph_command_named(argv[2]);
	return command ? dph_cli_help_command(command) : unknown_command(cli, argv[2]);
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
	p.cli.command = p.command->name;
	dph_words_normalize(&w, argv + 1, argc - 1, verb != NULL);
	int status = run_command(&p, &w);
	free(p.values);
	dp_board_settings_free(p.board);
	dph_pool_free(&w.pool);
	return status;
}
