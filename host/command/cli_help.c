/* SPDX-License-Identifier: BSD-2-Clause */
/* The help of the command line prints the tables of commands, options, verbs and exit statuses. */
#include "cli_help.h"

#include "cli_commands.h"

#include <stdio.h>
#include <string.h>

enum {
	HELP_COLUMNS = 100,
};

void dph_cli_format_names(const struct dph_command *command, char *text, size_t room)
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
	char left[64], letter[8] = "    ", formats[DPH_CLI_FORMATS_ROOM];
	const char *value = o->value;
	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	if (option == DPH_OPT_FORMAT) {
		dph_cli_format_names(command, formats, sizeof(formats));
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

int dph_cli_help_command(const struct dph_command *command)
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

int dph_cli_help_all(void)
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
	printf("\n'dprobes COMMAND --help' shows the options of a command.\n"
	       "'dprobes help --json' prints the tables of commands and of D, for programs.\n");
	print_verbs();
	putchar('\n');
	print_exits();
	return DPH_EXIT_DONE;
}
