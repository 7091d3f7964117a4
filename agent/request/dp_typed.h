/* SPDX-License-Identifier: BSD-2-Clause */
/* The typed remove: a line that anybody types in a terminal removes all programs. The feature
 * TYPED. docs: README.md, "Without the tool" */
#ifndef DP_TYPED_H
#define DP_TYPED_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_WITH_TYPED
/* Take the typed line that waits. context: interrupts masked. returns: false when there is none. */
static inline bool dp_typed_take(struct dp_wire *wire)
{
	bool typed = wire->typed;

	wire->typed = 0;
	return typed;
}

/* Do what the typed line asks for, and put the answer in words into the line.
 * context: a request at work, or HIT. */
void dp_typed_answer(struct dp_agent *agent, struct dp_line *line);
#else
static inline bool dp_typed_take(struct dp_wire *wire)
{
	(void)wire;
	return false;
}

static inline void dp_typed_answer(struct dp_agent *agent, struct dp_line *line)
{
	(void)agent, (void)line;
}
#endif

#endif
