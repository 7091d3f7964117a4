/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the data of a command goes: --output, else standard output. */
#ifndef DP_CLI_OUTPUT_H
#define DP_CLI_OUTPUT_H

#include "cli.h"

/* null: could not be opened (said). Close with dp_output_close. */
/* Is it a file that the command reads: program, ELF, symbols, templates? Says so then. */
bool dp_output_is_input(const struct dp_cli *cli, const char *path);

FILE *dp_output_open(const struct dp_cli *cli);
/* Has the reader of a pipe gone, as `head` does when it has enough? Not an error. */
bool dp_output_unread(FILE *out);
/* false: not everything could be written to a reader that is there (said). */
bool dp_output_close(const struct dp_cli *cli, FILE *out);

#endif
