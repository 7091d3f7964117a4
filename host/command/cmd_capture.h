/* SPDX-License-Identifier: BSD-2-Clause */
/* The command `read` with --at. */
#ifndef DPH_CMD_CAPTURE_H
#define DPH_CMD_CAPTURE_H

#include "cli.h"

/* Capture the values of the expressions at a probe point, before and behind a trigger, and draw
 * them; other formats, and --verbose, print them as rows. Returns the exit status. */
int dph_capture_values(const struct dph_cli *cli);

#endif
