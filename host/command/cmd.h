/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of `dprobes`. A new one is a row in cli_commands.def and a function dph_cmd_NAME in
 * cmd_NAME.c. Each returns the exit status. */
#ifndef DPH_CMD_H
#define DPH_CMD_H

#include "cli.h"

#define COMMAND(name, words, summary, options, table) int dph_cmd_##name(const struct dph_cli *cli);
#include "cli_commands.def"

#endif
