/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of the command line decodes the words by the tables and runs the command. */
#define _GNU_SOURCE
#include "cli_parse.h"

#include "cli_tables.h"
#include "complete.h"
#include "base/diag.h"
#include "base/pool.h"
#include "boards/conf_file.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
	FORMATS_ROOM = 48, /* characters of the names of all formats */
	HELP_COLUMNS = 100,
};

/* --- help ---------------------------------------------------------------------------------- */

/* "text|json": the formats of a command; null: all that there are. */
static void print_formats(const struct dph_command *command, char *text, size_t room)
{
	size_t used = 0;
	for (size_t i = 0; i < dp_sink_kind_count && used < room; i++)
		if (!command || dph_command_has_format(command, dp_sink_kinds[i]))
			used += (size_t)snprintf(text + used, room - used, "%s%s", used ? "|" : "",
						 dp_sink_kinds[i]->name);
}

/* Words of text from `column` on, in lines of at most HELP_COLUMNS that all begin there. */
static void print_wrapped(const char *text, size_t column)
{
	size_t at = column;
	while (*text) {
		size_t bytes = strcspn(text, " ");
		if (at > column && at + 1 + bytes > HELP_COLUMNS) {
			printf("\n%*s", (int)column, "");
			at = column;
		}
		at += (size_t)printf("%s%.*s", at > column ? " " : "", (int)bytes, text);
		text += bytes + strspn(text + bytes, " ");
	}
	putchar('\n');
}

static void print_option(const struct dph_command *command, enum dph_cli_option option)
{
	const struct dph_option *o = &dph_options[option];
	char left[64], letter[8] = "    ", formats[FORMATS_ROOM];
	const char *value = o->value;
	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	if (option == DPH_OPT_FORMAT) {
		print_formats(command, formats, sizeof(formats));
		value = formats;
	}
	snprintf(left, sizeof(left), "%s--%s%s%s", letter, o->name, value ? " " : "",
		 value ? value : "");
	printf("  %-34s", left);
	if (strlen(left) > 34)
		printf("\n%36s", "");
	putchar(' ');
	print_wrapped(dph_command_help(command, option), 37);
}

static int help_command(const struct dph_command *command)
{
	printf("dprobes %s [OPTION...]%s%s\n%s.\n\n", command->name, *command->words ? " " : "",
	       command->words, command->summary);
	for (int i = 0; i < DPH_OPT_COUNT; i++)
		if (!dph_option_common((enum dph_cli_option)i) &&
		    dph_command_takes(command, (enum dph_cli_option)i))
			print_option(command, (enum dph_cli_option)i);
	printf("\nOf every command:\n");
	for (int i = 0; i < DPH_OPT_COUNT; i++)
		if (dph_option_common((enum dph_cli_option)i))
			print_option(command, (enum dph_cli_option)i);
	return DPH_EXIT_DONE;
}

/* "Exit status: 0 done, 1 usage or compile error, ... ." */
static void print_exits(void)
{
#define EXIT(name, number, meaning) " " #number " " meaning ","
	char text[] = "Exit status:"
#include "cli_exits.def"
		;
	text[sizeof(text) - 2] = '.';
	print_wrapped(text, 0);
}

/* "--insert --build-ppdf ... ." */
static void print_verbs(void)
{
#define VERB(verb, letter, command) " " verb
	char text[] = "The verbs of DProbes 3.6.4 work too:"
#include "cli_verbs.def"
		      ".";
	print_wrapped(text, 0);
}

static int help_all(void)
{
	printf("dprobes COMMAND [OPTION...] [WORD...]\n"
	       "Dynamic probes for firmware that has no operating system.\n\n");
	for (size_t i = 0; i < dph_command_count; i++) {
		const struct dph_command *command = &dph_commands[i];
		if (printf("  %-10s %-10s", command->name, command->words) > 23)
			printf("\n%23s", "");
		putchar(' ');
		print_wrapped(command->summary, 24);
	}
	printf("\n'dprobes COMMAND --help' shows the options of a command.\n");
	print_verbs();
	putchar('\n');
	print_exits();
	return DPH_EXIT_DONE;
}

/* --- the seed's way to write options ------------------------------------------------------- */

/* `--group = a`, `-D k = v`, `--group a b` and `-D k = v` become one word each, as in
 * DProbes 3.6.4. */
struct words {
	struct dph_pool pool;
	char **list;
	int count;
	bool ends_with_list; /* of several words: `--group a b` */
};

static bool takes_several(const char *word)
{
	for (int i = 0; i < DPH_OPT_COUNT; i++) {
		const struct dph_option *o = &dph_options[i];
		size_t bytes = o->value ? strlen(o->value) : 0;
		if (bytes < 3 || strcmp(o->value + bytes - 3, "...") != 0)
			continue;
		bool by_letter = o->letter && word[0] == '-' && word[1] == o->letter && !word[2];
		if (by_letter || (strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0))
			return true;
	}
	return false;
}

static bool is_define(const char *word)
{
	return strcmp(word, "-D") == 0 || strcmp(word, "--define") == 0;
}

/* `--group= a`, `--group =a`, `--group = a`: without the sign. Returns where the value is. */
static int skip_equals(struct words *w, char **argv, int argc, int i)
{
	char *last = w->list[w->count - 1];
	size_t bytes = strlen(last);
	if (i + 1 >= argc)
		return i;
	if (strncmp(last, "--", 2) == 0 && last[bytes - 1] == '=')
		w->list[w->count - 1] = dph_pool_copy(&w->pool, last, bytes - 1);
	else if (strcmp(argv[i + 1], "=") == 0 && i + 2 < argc)
		return i + 1;
	else if (argv[i + 1][0] == '=' && argv[i + 1][1])
		argv[i + 1]++;
	return i;
}

/* Words i.. that belong to the value of an option; joined by `glue`. */
static char *join(struct words *w, char **argv, int from, int to, const char *glue)
{
	char *text = dph_pool_copy(&w->pool, argv[from], strlen(argv[from]));
	for (int i = from + 1; i < to; i++)
		text = dph_pool_print(&w->pool, "%s%s%s", text, glue, argv[i]);
	return text;
}

/* `k = v`, `k= v`, `k =v`: how many words are the value that begins at i? */
static int define_words(char **argv, int argc, int i)
{
	size_t bytes = strlen(argv[i]);
	bool equals = strchr(argv[i], '=') != NULL;
	if (equals)
		return bytes && argv[i][bytes - 1] == '=' && i + 1 < argc ? 2 : 1;
	if (i + 1 < argc && strcmp(argv[i + 1], "=") == 0)
		return i + 2 < argc ? 3 : 2;
	return i + 1 < argc && argv[i + 1][0] == '=' ? 2 : 1;
}

static void add_word(struct words *w, char *word)
{
	w->list[w->count++] = word;
}

static int list_words(char **argv, int argc, int i)
{
	int n = 0;
	while (i + n < argc && argv[i + n][0] != '-')
		n++;
	return n;
}

/* The USENIX paper of 2001 writes -stopcpus, which getopt would read as -s topcpus. */
static char *as_spelled_now(char *word)
{
	static char stop_cpus[] = "--stop-cpus";
	return strcmp(word, "-stopcpus") == 0 ? stop_cpus : word;
}

static void normalize(struct words *w, char **argv, int argc, bool seed_style)
{
	w->list = dph_pool_take(&w->pool, ((size_t)argc + 2) * sizeof(*w->list));
	for (int i = 0; i < argc; i++) {
		bool option = argv[i][0] == '-' && argv[i][1];
		if (strcmp(argv[i], "--") == 0) {
			while (i < argc)
				add_word(w, argv[i++]);
			break;
		}
		add_word(w, as_spelled_now(argv[i]));
		if (!option || i + 1 >= argc)
			continue;
		if (seed_style || is_define(argv[i]))
			i = skip_equals(w, argv, argc, i);
		if (is_define(w->list[w->count - 1])) {
			int n = define_words(argv, argc, i + 1);
			add_word(w, join(w, argv, i + 1, i + 1 + n, ""));
			i += n;
		} else if (seed_style && takes_several(w->list[w->count - 1])) {
			int n = list_words(argv, argc, i + 1);
			if (n)
				add_word(w, join(w, argv, i + 1, i + 1 + n, ","));
			i += n;
			w->ends_with_list = n > 1 && i + 1 == argc;
		}
	}
}

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
static bool is_value(const struct words *w, int i)
{
	const struct dph_option *o = option_spelled(w->list[i - 1], "--", 0);
	if (!o)
		o = option_spelled(w->list[i - 1], "-", 1);
	return o && o->value;
}

/* getopt reads `-format` as -f with a value, and `-count` as -c and -o. Return the first long name
 * behind one dash; null: there is none. */
static const char *one_dash(const struct words *w)
{
	for (int i = 1; i < w->count && strcmp(w->list[i], "--") != 0; i++) {
		const struct dph_option *o = option_spelled(w->list[i], "-", 0);
		if (o && !is_value(w, i))
			return o->name;
	}
	return NULL;
}

static int not_for(const struct parser *p, struct words *w, enum dph_cli_option option)
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

static int read_options(struct parser *p, struct words *w)
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
	char all[FORMATS_ROOM];
	cli->format = value ? dp_sink_kind_named(value) : dp_sink_kinds[0];
	print_formats(NULL, all, sizeof(all));
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

/* `--apply-ppdf --group a b FILE`: no other word is there, so the last of the list is the PROGRAM.
 */
static void part_from_list(struct parser *p, struct words *w)
{
	char *list = w->list[w->count - 1], *comma = strrchr(list, ',');
	w->list[w->count - 1] = dph_pool_copy(&w->pool, list, (size_t)(comma - list));
	add_word(w, comma + 1);
	p->cli.value_count = 0;
}

static int run_command(struct parser *p, struct words *w)
{
	int status = read_options(p, w);
	if (status)
		return status;
	bool needed = *p->command->words && *p->command->words != '[';
	if (needed && p->cli.arg_count == 0 && w->ends_with_list) {
		part_from_list(p, w);
		status = read_options(p, w);
	}
	if (status)
		return status;
	if (dph_cli_has(&p->cli, DPH_OPT_HELP))
		return help_command(p->command);
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
		return dph_cli_usage(&p->cli, "'%s' is one word too many", p->cli.args[most]);
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
		return help_all();
	if (argc > 3)
		return dph_cli_usage(cli, "'%s' is one word too many", argv[3]);
	command = dph_verb(argv[2]) ? dph_verb(argv[2]) : dph_command_named(argv[2]);
	return command ? help_command(command) : unknown_command(cli, argv[2]);
}

/* `dprobes -n TEXT` is `dprobes trace --clause TEXT`: D's letters, and the command that the first
 * word means. Returns the words, with the command in front; null: another command. */
static char **d_words(struct words *w, int *argc, char **argv)
{
	const char *first = *argc > 1 ? argv[1] : "";
	const char *command = dph_d_command(first);
	int n = 0;
	if (!command)
		return NULL;
	char **made = dph_pool_take(&w->pool, ((size_t)*argc + 3) * sizeof(*made));
	made[n++] = argv[0];
	made[n++] = dph_pool_copy(&w->pool, command, strlen(command));
	for (int i = strcmp(command, first) == 0 ? 2 : 1; i < *argc; i++) {
		const char *word = dph_d_option(argv[i]);
		if (*word)
			made[n++] = dph_pool_copy(&w->pool, word, strlen(word));
	}
	*argc = n;
	return made;
}

int dph_cli_main(int argc, char **argv)
{
	struct parser p = {.cli = {.command = NULL}};
	struct words w = {0};
	char **d = d_words(&w, &argc, argv);
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
	normalize(&w, argv + 1, argc - 1, verb != NULL);
	int status = run_command(&p, &w);
	free(p.values);
	dp_board_settings_free(p.board);
	dph_pool_free(&w.pool);
	return status;
}
