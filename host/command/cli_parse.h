/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of the command line fills struct dph_cli from the words and runs the command. */
#ifndef DPH_CLI_PARSE_H
#define DPH_CLI_PARSE_H

/* Run the command `dprobes`. Returns the exit status. */
int dph_cli_main(int argc, char **argv);

#endif
