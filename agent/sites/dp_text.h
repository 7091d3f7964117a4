/* SPDX-License-Identifier: BSD-2-Clause */
/* The content of the target's memory: ranges, the text without traps and its checksums, and where
 * instructions of the image begin, by the table of functions in the image (dp_functions.h). */
#ifndef DP_TEXT_H
#define DP_TEXT_H

#include "dp_state.h"

/* May an instruction of `bytes` bytes at the address carry a probe?
 * returns: DP_ERR_OK, NOT_TEXT or IN_AGENT. */
enum dp_err dp_text_allowed(const struct dp_agent *agent, dp_addr address, unsigned bytes);

/* Copy `count` bytes of text as it was before any probe; dp_original_at's type.
 * returns: false when the text is not readable. */
bool dp_text_original(dp_addr address, uint8_t *bytes, unsigned count);

/* Compute the CRC-32 of `bytes` bytes of memory.
 * original: with originals in place of traps.
 * context: interrupts are masked for a piece at a time.
 * returns: false when the memory is not readable. */
bool dp_text_crc(dp_addr address, uint32_t bytes, bool original, uint32_t *crc);

/* Without a table the extent of the object stays: the host is trusted. */
#if DP_FUNCTIONS_BYTES > 0
/* Take the board's table if all of the table is whole. Thread, interrupts masked. */
void dp_bounds_start(struct dp_agent *agent);

/* Set the extent of a site in the image: the code around the site, from an instruction on.
 * site: address and isa are set. context: at work; interrupts may be open.
 * returns: DP_ERR_OK; NOT_BOUNDARY when data stands there, WRONG_ISA when another instruction set
 * does. */
enum dp_err dp_bounds_find(const struct dp_agent *agent, struct dp_site *site);
#else
static inline void dp_bounds_start(struct dp_agent *agent)
{
	(void)agent;
}

static inline enum dp_err dp_bounds_find(const struct dp_agent *agent, struct dp_site *site)
{
	(void)agent, (void)site;
	return DP_ERR_OK;
}
#endif

#endif
