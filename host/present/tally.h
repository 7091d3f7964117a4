/* SPDX-License-Identifier: BSD-2-Clause */
/* The tally counts equal records and prints each of them once. Records are equal when the text
 * format prints one line for both; times do not count. */
#ifndef DPH_TALLY_H
#define DPH_TALLY_H

#include <dprobes/record_sink.h>

struct dph_tally;

struct dph_tally *dph_tally_new(void);
void dph_tally_free(struct dph_tally *tally); /* tally: may be null */

/* Count a copy of a record.
 * style: as dp_record_view_fill takes the style; its pointers stay valid until dph_tally_tell. */
void dph_tally_add(struct dph_tally *tally, const struct dp_record_style *style,
		   const struct dp_log_record *record);

/* Hand over the records with their numbers, the most frequent first, and forget them. */
void dph_tally_tell(struct dph_tally *tally, struct dp_sink *sink);

#endif
