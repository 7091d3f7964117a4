/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations of an installed D program, for `run` and `aggs`. */
#ifndef DPH_AGGS_H
#define DPH_AGGS_H

#include <dprobes/host.h>

struct dph_aggs;

/* Read the aggregations of a program.
 * formats: null: the program has none.
 * aggs: receives them; null where there are none.
 * Returns false: the session failed. */
bool dph_aggs_read(struct dp_session *session, uint8_t program, const struct dp_formats *formats,
		   struct dph_aggs **aggs);
/* Print them. aggs: may be null. */
void dph_aggs_tell(const struct dph_aggs *aggs, const struct dp_formats *formats,
		   struct dp_sink *sink);
void dph_aggs_free(struct dph_aggs *aggs);

#endif
