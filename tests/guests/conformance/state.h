/* SPDX-License-Identifier: BSD-2-Clause */
/* What the hits of a case have left behind, as text: for runs with and without plans, which must
 * leave the same. */
#ifndef STATE_H
#define STATE_H

#include <stddef.h>

#include "dp_agent.h"

enum {
	STATE_TEXT = 1024 /* characters that a state has room in, NUL included */
};

/* Write the counts and states of the agent's probes, the counts of its records, and checksums of
 * the registers behind the last hit, of the RPN stack, and of memory whose checksum is given.
 * text: STATE_TEXT characters. */
void state_write(char *text, const struct dp_agent *agent, const void *registers, size_t bytes,
		 uint32_t memory);

/* Write how many sites have a plan of each kind, in the order of enum dp_plan_kind: other in runs
 * with plans than without. text: STATE_TEXT characters. */
void state_plans(char *text, const struct dp_agent *agent);

#endif
