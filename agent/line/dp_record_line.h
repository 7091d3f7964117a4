/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of records. Each function builds a draft. */
#ifndef DP_RECORD_LINE_H
#define DP_RECORD_LINE_H

#include "dp_build.h"
#include "dp_stream_line.h"

/* As many waiting records as one line holds, or the next piece of a long one. returns: false when
 * no record waits. */
bool dp_new_line(const struct dp_agent *agent, struct dp_draft *draft);
#if DP_WITH_STREAM
/* The same for records that the host has asked for again. */
bool dp_again_line(const struct dp_agent *agent, struct dp_draft *draft);
/* Another line of records comes next: a record in pieces that is sent again begins anew. */
static inline void dp_again_anew(struct dp_draft *draft)
{
	draft->stream.again.body = draft->stream.again.piece = 0;
}
#else
static inline void dp_again_anew(struct dp_draft *draft)
{
	(void)draft;
}

static inline bool dp_again_line(const struct dp_agent *agent, struct dp_draft *draft)
{
	(void)agent, (void)draft;
	return false;
}
#endif

#endif
