/* SPDX-License-Identifier: BSD-2-Clause */
/* Notices: unsolicited lines about events. */
#ifndef DP_NOTICE_H
#define DP_NOTICE_H

#include "dp_answer.h"
#include "dp_build.h"
#include "dp_fields.h"
#include "dp_state.h"

/* Queue a notice, if the build has them. widths: DP_WIDTHS_NAME_notice (dp_fields.h). The numbers
 * become words of the target, whatever type they have; none is wider than a word. dp_notice_put
 * returns false when too many notices wait already. */
#define DP_TELL(agent, number, widths, ...)                                                        \
	do {                                                                                       \
		if (DP_WITH_STREAM)                                                                \
			dp_notice_put(agent, number, widths, (const dp_word[]){__VA_ARGS__});      \
	} while (0)
bool dp_notice_put(struct dp_agent *agent, enum dp_notice number, unsigned widths,
		   const dp_word *values);
/* A notice that waits; null: there is none. */
struct dp_notice_out *dp_notice_waiting(struct dp_agent *agent);

#endif
