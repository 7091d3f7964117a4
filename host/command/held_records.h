/* SPDX-License-Identifier: BSD-2-Clause */
/* Records that act on aggregations wait, with those behind them, until the aggregations were read.
 */
#ifndef DPH_HELD_RECORDS_H
#define DPH_HELD_RECORDS_H

#include <dprobes/records.h>

struct dph_held {
	struct dp_log_record *list; /* each owns its data */
	size_t count, capacity;
};

/* Keep a copy of the record; its probe stays where it is. */
void dph_held_add(struct dph_held *held, const struct dp_log_record *record);
/* Forget the first records. */
void dph_held_drop(struct dph_held *held, size_t count);
void dph_held_free(struct dph_held *held);

#endif
