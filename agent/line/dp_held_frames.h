/* SPDX-License-Identifier: BSD-2-Clause */
/* The time limit for received bytes that may begin a frame. */
#ifndef DP_HELD_FRAMES_H
#define DP_HELD_FRAMES_H

#include "dp_build.h"
#include "dp_state.h"

/* Give half-received frames to the console after 50 ms without a byte: a possible frame start may
 * have been typed by a person. Without a clock (STREAM) a frame is held until more comes. */
#if DP_WITH_SHARED_LINE
void dp_end_held(struct dp_agent *agent);
#else
static inline void dp_end_held(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
