/* SPDX-License-Identifier: BSD-2-Clause */
/* The output of the record reader: a record gets its meaning and goes to the listener. The newest
 * record of a stream is held, because a withdraw may follow at once. */
#ifndef DPH_RECORD_OUT_H
#define DPH_RECORD_OUT_H

#include "record_order.h"

#include <dprobes/records.h>

enum {
	DPH_STREAMS = 16,
	DPH_NUMBERS = 256,
};

/* Zero: nothing is held, no time is known. */
struct dph_held {
	struct dph_kept *kept; /* with its time; null: nothing */
	uint64_t order;        /* among all streams */
	uint64_t time;         /* of the record that was taken last */
	bool timed;            /* all of its bits are known */
};

struct dph_out {
	unsigned word_bytes;
	bool big_endian;
	struct dp_records_listener listener;
	struct dp_record_totals totals;
	struct dp_probe_meaning meanings[DPH_NUMBERS];
	struct dph_held held[DPH_STREAMS];
	uint64_t taken; /* records of all streams */
};

/* Take the next record of a stream; takes over `kept`. The record before goes out.
 * follows: no record between the two is lost. */
void dph_out_record(struct dph_out *out, unsigned stream, struct dph_kept *kept, bool follows);
/* Let the held record of a stream go. */
void dph_out_release(struct dph_out *out, unsigned stream);
/* Let held records go that came until then, the oldest first. */
void dph_out_flush(struct dph_out *out, uint64_t until_ms);
void dph_out_gap(struct dph_out *out, unsigned stream, enum dp_gap_kind kind, uint32_t count);
/* Forget what is held. */
void dph_out_free(struct dph_out *out);

#endif
