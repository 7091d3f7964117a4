/* SPDX-License-Identifier: BSD-2-Clause */
/* Options of several commands: where the command line gives none, the environment or dprobes.conf
 * does. Each function prints the message of a value that is not valid, and returns DPH_EXIT_USAGE
 * then, else DPH_EXIT_DONE. */
#ifndef DPH_CLI_SETTINGS_H
#define DPH_CLI_SETTINGS_H

#include "cli.h"

/* Read the settings of dprobes.conf, for a command that uses a board.
 * takes: whether the command takes each option. board: receives the settings, which
 * dp_board_settings_free frees. */
int dph_cli_take_board(struct dph_cli *cli, const bool *takes, struct dp_board_settings **board);
/* The line, the files and the numbers. board: null: none. */
int dph_cli_take_line(struct dph_cli *cli, const struct dp_board_settings *board);
/* Colours of messages, and the times of --for and --timeout. */
int dph_cli_take_times(struct dph_cli *cli);

#endif
