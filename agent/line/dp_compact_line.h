/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of records in fewer characters: the feature COMPACT.  PROTOCOL.md 4.3 */
#ifndef DP_COMPACT_LINE_H
#define DP_COMPACT_LINE_H

#include "dp_build.h"
#include "dp_state.h"

/* Has the host asked for compact lines? */
static inline bool dp_compact_wanted(const struct dp_agent *agent)
{
	return DP_WITH_COMPACT && agent->transmit.form == DP_COMPACT_LINES;
}

#if DP_WITH_COMPACT
/* End a line whose digits are those of an R, S or P line: spell them compactly, add check and
 * newline. */
void dp_compact_end(struct dp_line *line);
#else
static inline void dp_compact_end(struct dp_line *line)
{
	(void)line;
}
#endif

#endif
