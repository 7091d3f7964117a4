/* SPDX-License-Identifier: BSD-2-Clause */
/* The record reader turns stream lines into records and counts losses. */
#include <dprobes/records.h>
#include "wire/messages.h"

#include "dp_bytes.h"

#include <stdlib.h>
#include <string.h>

enum {
	STREAMS = 16,
	PIECE_HEAD = 3, /* digits of last and index */
	RECORD_DIGITS_MAX = DP_RECORD_HEADER_DIGITS_MAX + 2 * DP_RECORD_BODY_MAX,
	NUMBERS = 256,
	LINE_MASK = (1 << 4 * DP_LINE_DIGITS) - 1,
};

struct held {
	bool full;
	uint64_t arrival, arrived_ms;
	struct dp_record head;
	uint64_t ticks;
	bool ticks_known;
	uint8_t body[DP_RECORD_BODY_MAX];
};

struct stream {
	bool seen;
	uint16_t line; /* number of the last line */
	bool timed;
	uint64_t ticks; /* last known time */
	bool counted;   /* a sync came: base is valid */
	struct dp_record_counts base;
	uint32_t received;   /* records since base */
	uint32_t lines_open; /* lines lost since base */
	/* A record in pieces. */
	bool assembling;
	uint8_t next_piece;
	size_t digit_count;
	uint8_t digits[RECORD_DIGITS_MAX];
	struct held held;
};

struct dp_records {
	unsigned word_bytes;
	bool big_endian;
	struct dp_records_listener listener;
	struct dp_record_totals totals;
	uint64_t arrivals, now_ms;
	struct dp_probe_meaning meanings[NUMBERS];
	struct stream streams[STREAMS];
	unsigned spoke_last;
};

struct dp_records *dp_records_new(unsigned word_bytes, bool big_endian,
				  const struct dp_records_listener *listener)
{
	struct dp_records *records = calloc(1, sizeof *records);

	if (records == NULL)
		return NULL;
	records->word_bytes = word_bytes;
	records->big_endian = big_endian;
	records->listener = *listener;
	return records;
}

void dp_records_restart(struct dp_records *records)
{
	memset(records->meanings, 0, sizeof records->meanings);
	memset(records->streams, 0, sizeof records->streams);
	records->spoke_last = 0;
}

void dp_records_free(struct dp_records *records)
{
	free(records);
}

void dp_records_tell(struct dp_records *records, uint8_t number,
		     const struct dp_probe_meaning *meaning)
{
	records->meanings[number] = *meaning;
	records->meanings[number].known = true;
}

const struct dp_record_totals *dp_records_totals(const struct dp_records *records)
{
	return &records->totals;
}

bool dp_records_lossy(const struct dp_records *records)
{
	const struct dp_record_totals *t = &records->totals;

	return t->lines_open + t->lost + t->dropped + t->unreadable > 0;
}

static uint32_t number(const uint8_t *digits, unsigned count)
{
	uint32_t value = 0;

	while (count-- > 0)
		value = value << 4 | *digits++;
	return value;
}

static unsigned stream_index(const struct dp_records *records, const struct stream *stream)
{
	return (unsigned)(stream - records->streams);
}

/* --- out --- */

static void tell_gap(struct dp_records *records, const struct stream *stream, enum dp_gap_kind kind,
		     uint32_t count)
{
	const struct dp_gap gap = {
		.kind = kind, .stream = stream_index(records, stream), .count = count};

	records->listener.gap(records->listener.context, &gap);
}

static void unreadable(struct dp_records *records, const struct stream *stream)
{
	records->totals.unreadable++;
	tell_gap(records, stream, DP_GAP_UNREADABLE, 1);
}

static uint64_t word(const struct dp_records *records, const uint8_t *p)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < records->word_bytes; i++)
		value = value << 8 | p[records->big_endian ? i : records->word_bytes - 1u - i];
	return value;
}

static void set_item(const struct dp_records *records, struct dp_log_record *r, enum dp_item item,
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
		r->pc = word(records, p);
		break;
	case DP_ITEM_SP:
		r->sp = word(records, p);
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
#define ITEM(bit, name, text, size) {DP_ITEM_##name, size},
#include "items.def"
};

/* The items come before the user log bytes, in bit order. */
static void take_items(const struct dp_records *records, struct dp_log_record *r)
{
	size_t needed = 0;

	for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
		if (r->probe->items & items[i].item)
			needed += items[i].bytes ? items[i].bytes : records->word_bytes;
	if (needed > r->bytes) {
		r->cut = true;
		return;
	}
	r->items = r->probe->items;
	for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
		size_t bytes = items[i].bytes ? items[i].bytes : records->word_bytes;

		if (!(r->items & items[i].item))
			continue;
		set_item(records, r, items[i].item, r->data);
		r->data += bytes;
		r->bytes -= bytes;
	}
}

static void give_out(struct dp_records *records, struct stream *stream)
{
	const struct held *held = &stream->held;
	struct dp_log_record r = {
		.head = held->head,
		.stream = stream_index(records, stream),
		.ticks = held->ticks,
		.ticks_known = held->ticks_known,
		.data = held->body,
		.bytes = held->head.bytes,
	};

	if (!held->full)
		return;
	stream->held.full = false;
	if (records->meanings[held->head.probe].known)
		r.probe = &records->meanings[held->head.probe];
	if (held->head.kind == DP_RECORD_LOG && r.probe != NULL) {
		r.major = r.probe->major;
		r.minor = r.probe->minor;
		take_items(records, &r);
	}
	if (held->head.flags & DP_RECORD_CODES) {
		r.major = held->head.major;
		r.minor = held->head.minor;
	}
	records->totals.records++;
	records->listener.record(records->listener.context, &r);
}

void dp_records_flush(struct dp_records *records, uint64_t until_ms)
{
	for (;;) {
		struct stream *first = NULL;

		for (unsigned i = 0; i < STREAMS; i++) {
			struct stream *s = &records->streams[i];

			if (s->held.full &&
			    (first == NULL || s->held.arrival < first->held.arrival))
				first = s;
		}
		if (first == NULL || first->held.arrived_ms > until_ms)
			return;
		give_out(records, first);
	}
}

/* --- records --- */

/* Of all times that end in these bits, the time nearest to the last known time. */
static uint64_t nearest_time(uint64_t last, uint32_t low)
{
	const uint64_t period = 1u << DP_TICK_BITS;
	uint64_t time = (last & ~(period - 1)) | low;

	if (time > last && time - last > period / 2 && time >= period)
		return time - period;
	if (time < last && last - time > period / 2)
		return time + period;
	return time;
}

static void withdraw(struct dp_records *records, struct stream *stream,
		     const struct dp_record *head)
{
	struct held *held = &stream->held;

	records->totals.withdrawn++;
	if (held->full && held->head.kind == DP_RECORD_LOG && held->head.probe == head->probe &&
	    held->head.ticks == head->ticks) {
		held->full = false;
		return;
	}
	give_out(records, stream);
	records->listener.gap(records->listener.context,
			      &(struct dp_gap){.kind = DP_GAP_WITHDRAWN,
					       .stream = stream_index(records, stream),
					       .count = 1,
					       .probe = head->probe,
					       .ticks = head->ticks});
}

static void take_record(struct dp_records *records, struct stream *stream,
			const struct dp_record *head, const uint8_t *body)
{
	struct held *held = &stream->held;

	stream->received++;
	if (head->kind == DP_RECORD_WITHDRAW) {
		withdraw(records, stream, head);
		return;
	}
	give_out(records, stream);
	held->full = true;
	held->arrival = records->arrivals++;
	held->arrived_ms = records->now_ms;
	held->head = *head;
	held->ticks_known = stream->timed;
	held->ticks = stream->timed ? nearest_time(stream->ticks, head->ticks) : head->ticks;
	if (stream->timed)
		stream->ticks = held->ticks;
	for (unsigned i = 0; i < head->bytes; i++)
		held->body[i] = (uint8_t)(body[2 * i] << 4 | body[2 * i + 1]);
}

/* Return the records in these digits, if each is well-formed; else none. */
static bool take_records(struct dp_records *records, struct stream *stream, const uint8_t *digits,
			 size_t count, bool one)
{
	struct dp_record head;
	size_t at = 0, found = 0;

	while (at < count) {
		size_t n = dp_record_get(digits + at, count - at, &head);

		if (n == 0 || head.bytes > (count - at - n) / 2)
			return false;
		at += n + 2u * head.bytes;
		found++;
	}
	if (found == 0 || (one && found != 1))
		return false;
	for (at = 0; at < count;) {
		at += dp_record_get(digits + at, count - at, &head);
		take_record(records, stream, &head, digits + at);
		at += 2u * head.bytes;
	}
	return true;
}

static void drop_pieces(struct stream *stream)
{
	stream->assembling = false;
	stream->digit_count = 0;
}

static void take_piece(struct dp_records *records, struct stream *stream, const uint8_t *digits,
		       size_t count)
{
	bool last;
	uint8_t index;

	if (count < PIECE_HEAD || digits[0] > 1) {
		drop_pieces(stream);
		unreadable(records, stream);
		return;
	}
	last = digits[0] == 1;
	index = (uint8_t)number(digits + 1, 2);
	digits += PIECE_HEAD;
	count -= PIECE_HEAD;
	if (index == 0) {
		drop_pieces(stream);
		stream->assembling = true;
		stream->next_piece = 0;
	}
	/* Without its first piece the rest is nothing; the sync will count it. */
	if (!stream->assembling)
		return;
	if (index != stream->next_piece || count > RECORD_DIGITS_MAX - stream->digit_count) {
		drop_pieces(stream);
		unreadable(records, stream);
		return;
	}
	memcpy(stream->digits + stream->digit_count, digits, count);
	stream->digit_count += count;
	stream->next_piece++;
	if (!last)
		return;
	if (!take_records(records, stream, stream->digits, stream->digit_count, true))
		unreadable(records, stream);
	drop_pieces(stream);
}

/* --- sync --- */

static void count_sync(struct dp_records *records, struct stream *stream,
		       const struct dp_record_counts *now)
{
	uint32_t sent = now->sent - stream->base.sent;
	uint32_t dropped = now->dropped - stream->base.dropped;
	uint32_t missed = now->missed - stream->base.missed;
	uint32_t lost = sent - stream->received;

	if (lost >= 0x80000000) { /* more came than was sent */
		unreadable(records, stream);
		lost = 0;
	}
	records->totals.lost += lost;
	if (lost != 0 || stream->lines_open != 0)
		tell_gap(records, stream, DP_GAP_RECORDS, lost);
	records->totals.lines_open -= stream->lines_open;
	stream->lines_open = 0;
	if (dropped != 0) {
		records->totals.dropped += dropped;
		tell_gap(records, stream, DP_GAP_DROPPED, dropped);
	}
	if (missed != 0) {
		records->totals.missed += missed;
		tell_gap(records, stream, DP_GAP_MISSED, missed);
	}
}

static void take_counts(struct dp_records *records, struct stream *stream,
			const struct dp_record_counts *now)
{
	records->totals.syncs++;
	if (stream->counted)
		count_sync(records, stream, now);
	else
		stream->lines_open = 0; /* whether the lines held records stays unknown */
	stream->counted = true;
	stream->base = *now;
	stream->received = 0;
}

void dp_records_counts(struct dp_records *records, const struct dp_record_counts *counts)
{
	struct stream *stream = &records->streams[records->spoke_last];

	give_out(records, stream);
	take_counts(records, stream, counts);
}

static void take_sync(struct dp_records *records, struct stream *stream,
		      const struct dp_frame_in *frame)
{
	uint8_t bytes[DPH_STREAM_BYTES_MAX];
	struct dph_reader reader = dph_stream_reader(frame, bytes);
	struct dp_sync_line sync;

	dph_read(&reader, DPH_OF(sync_line, &sync));
	if (reader.cut) {
		unreadable(records, stream);
		return;
	}
	stream->ticks = sync.ticks;
	stream->timed = true;
	records->totals.hz = sync.hz;
	take_counts(
		records, stream,
		&(struct dp_record_counts){sync.sent, sync.dropped, sync.missed, sync.withdrawn});
}

/* --- lines --- */

static void take_notice(struct dp_records *records, struct stream *stream,
			const struct dp_frame_in *frame)
{
	uint8_t bytes[DPH_STREAM_BYTES_MAX];
	struct dph_reader reader = dph_stream_reader(frame, bytes);
	struct dp_notice_head line;

	dph_read(&reader, DPH_OF(notice_head, &line));
	if (reader.cut) {
		unreadable(records, stream);
		return;
	}
	records->listener.notice(records->listener.context,
				 &(struct dp_notice_in){.stream = stream_index(records, stream),
							.number = line.number,
							.arguments = line.arguments.bytes,
							.bytes = line.arguments.count});
}

static void take_line_number(struct dp_records *records, struct stream *stream, uint16_t line)
{
	const uint16_t lost = (uint16_t)(line - stream->line - 1) & LINE_MASK;

	if (stream->seen && lost != 0) {
		drop_pieces(stream);
		give_out(records, stream);
		records->totals.lines_lost += lost;
		records->totals.lines_open += lost;
		stream->lines_open += lost;
		tell_gap(records, stream, DP_GAP_LINES, lost);
	}
	stream->seen = true;
	stream->line = line;
}

void dp_records_line(struct dp_records *records, const struct dp_frame_in *frame, uint64_t now_ms)
{
	const uint8_t *digits = frame->payload + DP_STREAM_HEAD;
	size_t count = frame->bytes - (size_t)DP_STREAM_HEAD;
	struct stream *stream;

	records->now_ms = now_ms;
	if (frame->bytes < DP_STREAM_HEAD) {
		unreadable(records, &records->streams[0]);
		return;
	}
	records->spoke_last = frame->payload[0];
	stream = &records->streams[records->spoke_last];
	if (frame->type != DP_FRAME_RECORDS)
		give_out(records, stream);
	take_line_number(records, stream, (uint16_t)number(frame->payload + 1, DP_LINE_DIGITS));
	if (frame->type == DP_FRAME_RECORDS) {
		if (stream->assembling) {
			drop_pieces(stream);
			unreadable(records, stream);
		}
		if (!take_records(records, stream, digits, count, false)) {
			give_out(records, stream);
			unreadable(records, stream);
		}
	} else if (frame->type == DP_FRAME_PIECE) {
		take_piece(records, stream, digits, count);
	} else if (frame->type == DP_FRAME_NOTICE) {
		take_notice(records, stream, frame);
	} else if (frame->type == DP_FRAME_SYNC) {
		take_sync(records, stream, frame);
	} else {
		unreadable(records, stream);
	}
}
