/* SPDX-License-Identifier: BSD-2-Clause */
/* What the agent tells: numbers of answers, notices, items and sync lines, packed in wire order. */
#ifndef DP_TELL_H
#define DP_TELL_H

#include "dp_build.h"
#include "dp_fields.h"
#include "dp_state.h"

void dp_give_bytes(struct dp_answer *answer, const void *bytes, unsigned count);
/* Append a number that stands in `width` bytes of memory. */
void dp_give_number(struct dp_answer *answer, const void *number, unsigned width);
/* Append the fields of the form (dp_form.h), from the structs that the form names by number. */
void dp_give(struct dp_answer *answer, const uint8_t *form, const void *const *bases);

/* Queue a notice, an unsolicited line about an event, if the build has them. widths:
 * DP_WIDTHS_NAME_notice (dp_fields.h). The numbers become words of the target, whatever type they
 * have; none is wider than a word. dp_notice_put returns false when too many notices wait already.
 */
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
