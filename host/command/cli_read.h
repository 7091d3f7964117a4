/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of options knows no command. */
#ifndef DPH_CLI_READ_H
#define DPH_CLI_READ_H

#include "cli.h"
#include "cli_words.h"

/* Read the options and words of a command into cli.
 * takes: whether the command takes each option. other: receives an option that it does not take, or
 * DPH_OPT_COUNT.
 * Returns DPH_EXIT_DONE; else DPH_EXIT_USAGE, with the message printed unless there is an `other`.
 */
int dph_cli_read(struct dph_cli *cli, struct dph_words *w, const bool *takes,
		 enum dph_cli_option *other);

#endif
