/* SPDX-License-Identifier: BSD-2-Clause */
/* `dprobes symbols` describes places in the firmware's code: an address, or a line of a source
 * file. */
#ifndef DPH_SYMBOLS_PLACE_H
#define DPH_SYMBOLS_PLACE_H

#include "cli_output.h"

/* Is it an address or FILE:LINE, not a pattern for names of symbols? */
bool dph_is_place(const char *argument);

/* Hand over the functions and source lines of a place, and with --verbose the variables in scope
 * there. Returns false when there is no such place; messages has the reason. */
bool dph_symbols_place(const struct dph_cli *cli, struct dp_sink *sink,
		       const struct dp_image *image, const char *argument,
		       struct dp_messages *messages);

#endif
