/* SPDX-License-Identifier: BSD-2-Clause */
/* The typed remove: a line that anybody types in a terminal removes all programs. The feature
 * TYPED. docs: README.md, "Without the tool" */
#ifndef DP_TYPED_H
#define DP_TYPED_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_WITH_TYPED
/* Do what the typed line asks for, and put the answer in words into the empty buffer.
 * context: thread or HIT, interrupts masked.
 * returns: true when there was such a line. */
bool dp_typed_answer(struct dp_agent *agent, struct dp_wire *wire);
#else
static inline bool dp_typed_answer(struct dp_agent *agent, struct dp_wire *wire)
{
	(void)agent, (void)wire;
	return false;
}
#endif

#endif
