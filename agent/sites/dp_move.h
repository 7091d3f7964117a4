/* SPDX-License-Identifier: BSD-2-Clause */
/* A stored program moves down in the arena. The bytes move in pieces, with interrupts open in
 * between. A hit that needs the program moves the rest first: each handler finds its program whole.
 */
#ifndef DP_MOVE_H
#define DP_MOVE_H

#include "dp_state.h"

/* Move the program down by so many bytes. context: a request at work, or a hit. */
void dp_move_down(struct dp_agent *agent, uint8_t program, uint32_t bytes);
/* Move the rest of the program on the move. context: HIT. */
void dp_move_rest(struct dp_agent *agent);

/* The programs are about to be read. context: HIT. */
static inline void dp_move_settle(struct dp_agent *agent)
{
	if (__builtin_expect(agent->moving != DP_NONE, 0))
		dp_move_rest(agent);
}

#endif
