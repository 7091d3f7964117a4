/* SPDX-License-Identifier: BSD-2-Clause */
/* The help of the command line: of all commands, and of one. */
#ifndef DPH_CLI_HELP_H
#define DPH_CLI_HELP_H

#include <stddef.h>

struct dph_command;

enum {
	DPH_CLI_FORMATS_ROOM = 48 /* characters of the names of all formats */
};

/* Print the help of a command, of all commands. Return the exit status. */
int dph_cli_help_command(const struct dph_command *command);
int dph_cli_help_all(void);

/* Write the formats of a command: "text|json".
 * command: null: all formats that there are. room: of text, DPH_CLI_FORMATS_ROOM. */
void dph_cli_format_names(const struct dph_command *command, char *text, size_t room);

#endif
