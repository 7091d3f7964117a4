/* SPDX-License-Identifier: BSD-2-Clause */
/* What a subcommand of `dprobes` gets: its options and words, decoded.
 * A new subcommand is one row in cli_commands.def and a function dp_cmd_NAME in cmd_NAME.c;
 * a new option is one row in cli_options.def. */
#ifndef DP_CLI_H
#define DP_CLI_H

#include "dprobes_host.h"

enum dp_exit {
	DP_EXIT_DONE = 0,
	DP_EXIT_USAGE = 1,   /* wrong command line, or the program does not compile */
	DP_EXIT_REFUSED = 2, /* by the verifier */
	DP_EXIT_LINK = 3,    /* port or link */
	DP_EXIT_AGENT = 4,   /* refused or locked by the agent */
	DP_EXIT_LOST = 5,    /* records were lost */
	DP_EXIT_EXPECT = 6,  /* an expectation was not met */
	DP_EXIT_TIMEOUT = 124,
	DP_EXIT_INTERRUPT = 130,
};

enum dp_format {
	DP_FORMAT_TEXT,
	DP_FORMAT_JSON,
	DP_FORMAT_RAW
};

#define OPTION(id, name, letter, value, help) DP_OPT_##id,
enum dp_option {
#include "cli_options.def"
	DP_OPT_COUNT,
};

struct dp_cli_value {
	enum dp_option option;
	const char *value; /* "" for options without one */
};

struct dp_cli {
	const char *command;               /* "build", ... */
	const struct dp_cli_value *values; /* in the order given */
	size_t value_count;
	char **args; /* words that are no options */
	size_t arg_count;
	/* Options of several commands, decoded, environment included. */
	const char *port; /* null: none given */
	const char *elf;
	const char *output;  /* null: none given */
	unsigned baud;       /* 0: none given */
	double timeout_s;    /* 0: none given */
	const char *until;   /* null: none given */
	unsigned long count; /* 0: none given */
	enum dp_format format;
	bool quiet, verbose, write;
	bool color;    /* of messages */
	bool terminal; /* standard error is one: progress is wanted */
};

/* Last value given for an option, or null. */
const char *dp_cli_get(const struct dp_cli *cli, enum dp_option option);
static inline bool dp_cli_has(const struct dp_cli *cli, enum dp_option option)
{
	return dp_cli_get(cli, option) != NULL;
}

/* A number (decimal or 0x, 1 to `most`) of an option, or 0 when it was not given. Another one
 * prints its sentence and leaves the process with DP_EXIT_USAGE. */
uint64_t dp_cli_number(const struct dp_cli *cli, enum dp_option option, uint64_t most);

/* The program that the command's word or --name names; null: none. False with *status set when it
 * is named twice, or --all was given too, which is said. */
bool dp_cli_program(const struct dp_cli *cli, const char **name, int *status);

/* Options of the compiler from the command line. Free with dp_cli_build_options_free. */
struct dp_build_options dp_cli_build_options(const struct dp_cli *cli);
void dp_cli_build_options_free(struct dp_build_options *options);

/* What --templates names; null: it was not given. False with *status set when it will not do, which
 * is said. Free with dp_templates_free. */
bool dp_cli_templates(const struct dp_cli *cli, struct dp_templates **templates, int *status);

/* Print messages on stderr (warnings not when quiet). Frees them. */
void dp_cli_report(const struct dp_cli *cli, struct dp_messages *messages);

/* `dprobes: error: SENTENCE` on stderr. */
__attribute__((format(printf, 2, 3))) void dp_cli_error(const struct dp_cli *cli,
							const char *format, ...);

/* What was wrong with the command line; returns DP_EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int dp_cli_usage(const struct dp_cli *cli, const char *format,
						       ...);

#define COMMAND(name, words, summary, options, formats) int dp_cmd_##name(const struct dp_cli *cli);
#include "cli_commands.def"

#endif
