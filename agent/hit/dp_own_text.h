/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the board's ranges keep probes out of the agent's own text. */
#ifndef DP_OWN_TEXT_H
#define DP_OWN_TEXT_H

#include "dp_state.h"

/* Return whether the board's ranges allow probes in code of the hit path. One function speaks
 * for each folder, since linker scripts place by folder; the transmit functions speak for
 * themselves. */
bool dp_text_own(const struct dp_agent *agent);

#endif
