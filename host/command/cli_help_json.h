/* SPDX-License-Identifier: BSD-2-Clause */
/* The help of the command line for programs. */
#ifndef DPH_CLI_HELP_JSON_H
#define DPH_CLI_HELP_JSON_H

/* Print the tables of the command line and of D, one JSON object a line. host/present/FORMATS.md,
 * section "help --json", has the objects. Returns the exit status. */
int dph_cli_help_json(void);

#endif
