/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests about variables, long names, whole originals and several probes: the feature LANGUAGE.
 */
#ifndef DP_VARIABLES_H
#define DP_VARIABLES_H

#include "dp_exchange.h"

/* NAME: a piece of a program's name. VARS: variables of a program, or the global ones. */
enum dp_err dp_do_name(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_vars(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_original(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);

enum {
	DP_ROW_BYTES = 48, /* of an answer to PROBE, behind command and error */
	DP_ROW_MASK = DP_ROW_BYTES / 8,
	DP_ROW_NUMBER = 0, /* places of these fields */
	DP_ROW_POINT = 38,
};
_Static_assert(2 + 1 + DP_ROW_MASK + DP_ROW_BYTES - 1 <= DP_PAYLOAD_MAX,
	       "a row fits an answer: all but its point may differ");
/* Append a row of PROBES: a mask, and the bytes that differ from what follows the row before. The
 * row before then is this one. returns: false when the answer has no room. */
bool dp_give_row(struct dp_answer *answer, const uint8_t *row, uint8_t *before);

#endif
