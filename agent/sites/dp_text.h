/* SPDX-License-Identifier: BSD-2-Clause */
/* The content of the target's memory: ranges, and the text without traps. */
#ifndef DP_TEXT_H
#define DP_TEXT_H

#include "dp_state.h"

/* May an instruction of `bytes` bytes at the address carry a probe?
 * returns: DP_ERR_OK, NOT_TEXT or IN_AGENT. */
enum dp_err dp_text_allowed(const struct dp_agent *agent, dp_addr address, unsigned bytes);

/* Copy `count` bytes of text as it was before any probe; dp_original_at's type.
 * returns: false when the text is not readable. */
bool dp_text_original(dp_addr address, uint8_t *bytes, unsigned count);

#endif
