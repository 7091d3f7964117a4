/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line: from words to struct dp_cli, and off to the command. */
#ifndef DPH_CLI_PARSE_H
#define DPH_CLI_PARSE_H

/* All of `dprobes`; returns the exit status. */
int dph_cli_main(int argc, char **argv);

#endif
