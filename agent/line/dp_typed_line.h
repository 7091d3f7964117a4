/* SPDX-License-Identifier: BSD-2-Clause */
/* The line that a person types to remove all programs, among received bytes: the feature TYPED. */
#ifndef DP_TYPED_LINE_H
#define DP_TYPED_LINE_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_WITH_TYPED
/* Look at a received byte, which stays console text. Returns true when the byte ends the line.
 * context: of dp_rx. */
bool dp_typed_next(struct dp_wire *wire, uint8_t byte);

/* Does a typed line wait for its answer? */
static inline bool dp_typed_waits(const struct dp_wire *wire)
{
	return wire->typed;
}
#else
static inline bool dp_typed_next(struct dp_wire *wire, uint8_t byte)
{
	(void)wire, (void)byte;
	return false;
}

static inline bool dp_typed_waits(const struct dp_wire *wire)
{
	(void)wire;
	return false;
}
#endif

#endif
