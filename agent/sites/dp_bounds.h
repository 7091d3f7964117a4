/* SPDX-License-Identifier: BSD-2-Clause */
/* Where instructions of the image begin, by the table of functions in the image. dp_functions.h */
#ifndef DP_BOUNDS_H
#define DP_BOUNDS_H

#include "dp_state.h"

/* Without a table the extent of the object stays: the host is trusted. */
#if DP_FUNCTIONS_BYTES > 0
/* Take the board's table if all of the table is whole. Thread, interrupts masked. */
void dp_bounds_start(struct dp_agent *agent);

/* Set the extent of a site in the image: the code around the site, from an instruction on.
 * site: address and isa are set. context: at work; interrupts may be open.
 * returns: DP_ERR_OK; NOT_BOUNDARY when data or another instruction set stands there. */
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
