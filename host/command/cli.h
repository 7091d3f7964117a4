/* SPDX-License-Identifier: BSD-2-Clause */
/* struct dph_cli holds the decoded options and words of a subcommand of `dprobes`. */
#ifndef DPH_CLI_H
#define DPH_CLI_H

#include "cli_options.h"

#include <dprobes/host.h>
#include <dprobes/session.h>

#define EXIT(name, number, meaning) DPH_EXIT_##name = (number),
enum dph_exit {
#include "cli_exits.def"
};

struct dph_cli_value {
	enum dph_cli_option option;
	const char *value; /* "" for options without one */
};

struct dph_cli {
	const char *command;          /* "build", ... */
	const char *words;            /* that the command takes, as its help has them */
	enum dp_table table;          /* that the command prints */
	struct dph_cli_value *values; /* in the order given */
	size_t value_count, value_capacity;
	char **args; /* words that are no options */
	size_t arg_count;
	/* Options of several commands, decoded, environment and dprobes.conf included. */
	const char *port;         /* null: none given */
	const char *port_refused; /* why dprobes.conf gives no port; null: no reason */
	const char *elf;
	const char *key;    /* file; null: none given */
	const char *output; /* null: none given */
	unsigned baud;      /* 0: none given */
	enum dp_modem_line dtr, rts;
	double timeout_s, for_s, every_s;  /* 0: none given */
	const char *until;                 /* null: none given */
	unsigned long count;               /* 0: none given */
	const struct dp_sink_kind *format; /* never null */
	bool quiet, verbose, write;
	const char *own_program; /* name of a program that the command inserts by itself, in the
				  * place of one that is left; null: it inserts none */
	bool serve;              /* start a service for the line, as the board says */
	bool color;              /* of messages */
	bool terminal;           /* standard error is one: progress is wanted */
};

/* Add the value of an option behind the others. */
void dph_cli_add(struct dph_cli *cli, enum dph_cli_option option, const char *value);
/* Last value given for an option, or null. */
const char *dph_cli_get(const struct dph_cli *cli, enum dph_cli_option option);
static inline bool dph_cli_has(const struct dph_cli *cli, enum dph_cli_option option)
{
	return dph_cli_get(cli, option) != NULL;
}

/* Check every option of cli_numbers.def. Returns DPH_EXIT_DONE, or prints the sentence of the first
 * one that is no number in its range and returns DPH_EXIT_USAGE. */
int dph_cli_check_numbers(const struct dph_cli *cli);
/* The value of an option of cli_numbers.def, which has been checked; 0: it was not given. */
uint64_t dph_cli_number(const struct dph_cli *cli, enum dph_cli_option option);

/* Return the program that the command's word or --name names; null: none. Returns false with
 * *status set when the program is named twice, or with --all; the function prints the message. */
bool dph_cli_program(const struct dph_cli *cli, const char **name, int *status);

/* The options of a D program, of which --types and --lib are some; the caller frees the list. */
const char *const *dph_cli_d_options(const struct dph_cli *cli, size_t *count);
/* Options of the compiler from the command line. Free with dph_cli_build_options_free. */
struct dp_build_options dph_cli_build_options(const struct dph_cli *cli);
void dph_cli_build_options_free(struct dp_build_options *options);

/* Read the file that --templates names; null: the option is not given. Returns false with
 * *status set when the file is not valid; the function prints the message. dp_templates_free
 * frees the result. */
bool dph_cli_templates(const struct dph_cli *cli, struct dp_templates **templates, int *status);

/* Print messages on stderr (warnings not when quiet). Frees them. */
void dph_cli_report(const struct dph_cli *cli, struct dp_messages *messages);

/* Print which environment variable has the value, when no option gives it. */
void dph_cli_tell_source(const struct dph_cli *cli, const char *value);

/* `dprobes: error: SENTENCE` on stderr. */
__attribute__((format(printf, 2, 3))) void dph_cli_error(const struct dph_cli *cli,
							 const char *format, ...);

/* Print the error of the command line. Returns DPH_EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int dph_cli_usage(const struct dph_cli *cli,
							const char *format, ...);

#endif
