/* SPDX-License-Identifier: BSD-2-Clause */
/* A record in order gets its time and goes to the listener, or waits for its withdraw. */
#include "record_out.h"

#include "dp_bytes.h"

#include <stdlib.h>
#include <string.h>

void dph_out_gap(struct dph_out *out, unsigned stream, enum dp_gap_kind kind, uint32_t count)
{
	const struct dp_gap gap = {.kind = kind, .stream = stream, .count = count};

	out->listener.gap(out->listener.context, &gap);
}

/* --- items --- */

static uint64_t word(const struct dph_out *out, const uint8_t *p)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < out->word_bytes; i++)
		value = value << 8 | p[out->big_endian ? i : out->word_bytes - 1u - i];
	return value;
}

static void set_item(const struct dph_out *out, struct dp_log_record *r, enum dp_item item,
		     const uint8_t *p)
{
	switch (item) {
	case DP_ITEM_CPU:
		r->cpu = *p;
		break;
	case DP_ITEM_NAME:
		memcpy(r->task, p, sizeof r->task - 1);
		break;
	case DP_ITEM_PID:
		r->pid = dp_get_u32(p);
		break;
	case DP_ITEM_PC:
		r->pc = word(out, p);
		break;
	case DP_ITEM_SP:
		r->sp = word(out, p);
		break;
	case DP_ITEM_TSC:
		r->tsc = dp_get_u64(p);
		break;
	case DP_ITEM_ALL:
		break;
	}
}

static const struct {
	enum dp_item item;
	uint8_t bytes;
} items[] = {
#define DP_ITEM(bit, name, text, size) {DP_ITEM_##name, size},
#include "items.def"
};

/* Items that the record leaves to its reader. A time of which only the low bits are known is none.
 */
static void derive_items(struct dp_log_record *r)
{
	if (r->probe->items & DP_DERIVED_PC) {
		r->items |= DP_ITEM_PC;
		r->pc = r->probe->address;
	}
	if ((r->probe->items & DP_DERIVED_TSC) && r->ticks_known) {
		r->items |= DP_ITEM_TSC;
		r->tsc = r->ticks;
	}
}

/* The items come before the user log bytes, in bit order. */
static void take_items(const struct dph_out *out, struct dp_log_record *r)
{
	size_t needed = 0;

	for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
		if (r->probe->items & items[i].item)
			needed += items[i].bytes ? items[i].bytes : out->word_bytes;
	if (needed > r->bytes) {
		r->cut = true;
		return;
	}
	r->items = r->probe->items & DP_ITEM_ALL;
	for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
		size_t bytes = items[i].bytes ? items[i].bytes : out->word_bytes;

		if (!(r->items & items[i].item))
			continue;
		set_item(out, r, items[i].item, r->data);
		r->data += bytes;
		r->bytes -= bytes;
	}
	derive_items(r);
}

/* The exception that ended the handler stands in front of the items. */
static void take_fault(const struct dph_out *out, struct dp_log_record *r)
{
	const size_t needed = DP_FAULT_PARAMETER + out->word_bytes;

	if (r->bytes < needed) {
		r->cut = true;
		r->head.flags &= (uint8_t)~DP_RECORD_FAULT;
		return;
	}
	r->fault = (struct dp_record_fault){
		.place = dp_get_u16(r->data + DP_FAULT_PLACE),
		.exception = dp_get_u16(r->data + DP_FAULT_EXCEPTION),
		.parameter = word(out, r->data + DP_FAULT_PARAMETER),
	};
	r->data += needed;
	r->bytes -= needed;
}

/* --- out --- */

static void hand_over(struct dph_out *out, unsigned stream, const struct dph_held *held)
{
	const struct dph_kept *kept = held->kept;
	struct dp_log_record r = {
		.head = kept->head,
		.stream = stream,
		.ticks = kept->time,
		.ticks_known = kept->timed,
		.data = kept->body,
		.bytes = kept->head.bytes,
	};

	if (out->meanings[kept->head.probe].known)
		r.probe = &out->meanings[kept->head.probe];
	if (r.head.flags & DP_RECORD_FAULT)
		take_fault(out, &r);
	if (kept->head.kind == DP_RECORD_LOG && r.probe != NULL) {
		r.major = r.probe->major;
		r.minor = r.probe->minor;
		if (!r.cut)
			take_items(out, &r);
	}
	if (kept->head.flags & DP_RECORD_CODES) {
		r.major = kept->head.major;
		r.minor = kept->head.minor;
	}
	out->totals.records++;
	out->listener.record(out->listener.context, &r);
}

void dph_out_release(struct dph_out *out, unsigned stream)
{
	struct dph_held *held = &out->held[stream];
	struct dph_kept *kept = held->kept;

	if (kept == NULL)
		return;
	hand_over(out, stream, held);
	held->kept = NULL;
	free(kept);
}

void dph_out_flush(struct dph_out *out, uint64_t until_ms)
{
	for (;;) {
		unsigned first = DPH_STREAMS;

		for (unsigned i = 0; i < DPH_STREAMS; i++)
			if (out->held[i].kept != NULL &&
			    (first == DPH_STREAMS || out->held[i].order < out->held[first].order))
				first = i;
		if (first == DPH_STREAMS || out->held[first].kept->arrived_ms > until_ms)
			return;
		dph_out_release(out, first);
	}
}

void dph_out_free(struct dph_out *out)
{
	for (unsigned i = 0; i < DPH_STREAMS; i++) {
		free(out->held[i].kept);
		out->held[i] = (struct dph_held){0};
	}
}

/* --- times --- */

/* Of all times that end in these 32 bits, the time nearest to the last known time. */
static uint64_t nearest_time(uint64_t last, uint32_t low)
{
	const int32_t away = (int32_t)(low - (uint32_t)last);

	if (away < 0 && last < (uint64_t) - (int64_t)away)
		return low;
	return last + (uint64_t)(int64_t)away;
}

/* The last known time. Without a record before, or behind lost ones, a sync may know more. */
static uint64_t last_time(const struct dph_held *held, const struct dph_kept *kept, bool follows)
{
	if (held->timed && (follows || !kept->synced || kept->sync_ticks <= held->time))
		return held->time;
	return kept->synced ? kept->sync_ticks : kept->time;
}

static void set_time(struct dph_held *held, struct dph_kept *kept, bool follows)
{
	const bool known = held->timed || kept->synced;

	if (kept->told == DPH_TOLD_DELTA)
		kept->time += held->time;
	if (kept->told == DPH_TOLD_LOW && known)
		kept->time = nearest_time(last_time(held, kept, follows), (uint32_t)kept->time);
	held->timed = kept->timed = known || kept->told == DPH_TOLD_WHOLE;
	held->time = kept->time;
	kept->head.ticks = (uint32_t)kept->time;
}

/* --- in --- */

/* A withdraw makes the record before it void; a record that has left is reported. */
static void withdraw(struct dph_out *out, unsigned stream, const struct dph_kept *kept)
{
	struct dph_held *held = &out->held[stream];

	out->totals.withdrawn++;
	if (held->kept != NULL && held->kept->head.kind == DP_RECORD_LOG &&
	    held->kept->head.probe == kept->head.probe && held->kept->time == kept->time) {
		free(held->kept);
		held->kept = NULL;
		return;
	}
	dph_out_release(out, stream);
	out->listener.gap(out->listener.context, &(struct dp_gap){.kind = DP_GAP_WITHDRAWN,
								  .stream = stream,
								  .count = 1,
								  .probe = kept->head.probe,
								  .ticks = kept->time});
}

void dph_out_record(struct dph_out *out, unsigned stream, struct dph_kept *kept, bool follows)
{
	struct dph_held *held = &out->held[stream];

	set_time(held, kept, follows);
	if (kept->head.kind == DP_RECORD_WITHDRAW) {
		withdraw(out, stream, kept);
		free(kept);
		return;
	}
	dph_out_release(out, stream);
	held->order = out->taken++;
	held->kept = kept;
}
