/* SPDX-License-Identifier: BSD-2-Clause */
/* The record reader turns stream lines into records in the order of their numbers, and counts
 * missing records. */
#include <dprobes/records.h>
#include "record_line.h"
#include "record_out.h"
#include "records_tap.h"
#include "wire/messages.h"

#include <stdlib.h>
#include <string.h>

enum {
	NUMBER_ROUND = 1 << 4 * DP_NUMBER_DIGITS,
	NUMBER_NEAR = 512, /* a line S or P that is farther ahead is an old one */
};

/* A record in pieces. */
struct pieces {
	bool begun;
	uint32_t number;
	uint8_t next;
	size_t count;
	uint8_t digits[DPH_RECORD_DIGITS_MAX];
};

struct stream {
	struct dph_order order;
	struct pieces pieces;
	bool synced;
	uint64_t sync_ticks;
	bool noticed;
	uint32_t notices; /* number of the next notice */
	bool counted;     /* the agent's counts are known: base */
	struct dp_record_counts base;
	uint64_t full;             /* of the last sync */
	uint32_t dropped;          /* of the last sync */
	bool dropping;             /* no record has had room behind the last drop */
	uint64_t drops_from_ticks; /* of the last sync before the drops began */
	uint32_t resent;           /* number behind the last record that came again */
	uint32_t again;            /* lines that came again */
	uint32_t held;             /* bytes of the delivered records in the agent's ring */
	bool ended;                /* nothing more is read */
};

struct dp_records {
	struct dph_out out;
	struct dph_records_tap tap; /* without functions: none */
	bool resends;
	uint64_t now_ms;
	struct stream streams[DPH_STREAMS];
	unsigned spoke_last;
};

struct dp_records *dp_records_new(unsigned word_bytes, bool big_endian,
				  const struct dp_records_listener *listener)
{
	struct dp_records *records = calloc(1, sizeof *records);

	if (records == NULL)
		return NULL;
	records->out.word_bytes = word_bytes;
	records->out.big_endian = big_endian;
	records->out.listener = *listener;
	return records;
}

void dp_records_restart(struct dp_records *records)
{
	dph_out_free(&records->out);
	for (unsigned i = 0; i < DPH_STREAMS; i++)
		dph_order_free(&records->streams[i].order);
	memset(records->out.meanings, 0, sizeof records->out.meanings);
	memset(records->streams, 0, sizeof records->streams);
	records->spoke_last = 0;
}

void dp_records_free(struct dp_records *records)
{
	if (records != NULL)
		dp_records_restart(records);
	free(records);
}

/* --- tap --- */

void dph_records_tap(struct dp_records *records, const struct dph_records_tap *tap)
{
	records->tap = *tap;
}

static void tell_tap(const struct dp_records *records, enum dph_records_call call, uint32_t number)
{
	if (records->tap.call != NULL)
		records->tap.call(records->tap.context, call, number);
}

void dph_records_make(struct dp_records *records, enum dph_records_call call, uint32_t number)
{
	switch (call) {
	case DPH_RECORDS_RESENDS:
		dp_records_resends(records, number != 0);
		break;
	case DPH_RECORDS_GIVE_UP:
		dp_records_give_up(records, number);
		break;
	case DPH_RECORDS_SENT:
		dp_records_sent(records, number);
		break;
	case DPH_RECORDS_END:
		dp_records_end(records, number);
		break;
	}
}

void dp_records_tell(struct dp_records *records, uint8_t number,
		     const struct dp_probe_meaning *meaning)
{
	if (records->tap.tell != NULL)
		records->tap.tell(records->tap.context, number, meaning);
	records->out.meanings[number] = *meaning;
	records->out.meanings[number].known = true;
}

const struct dp_record_totals *dp_records_totals(const struct dp_records *records)
{
	return &records->out.totals;
}

bool dp_records_lossy(const struct dp_records *records)
{
	const struct dp_record_totals *t = &records->out.totals;

	return t->lost + t->dropped + t->unreadable > 0;
}

bool dp_records_full(const struct dp_records *records, struct dp_gap *full)
{
	const struct dp_record_totals *t = &records->out.totals;

	*full = (struct dp_gap){
		.kind = DP_GAP_FULL,
		.stream = records->spoke_last,
		.count = t->dropped < UINT32_MAX ? (uint32_t)t->dropped : UINT32_MAX,
		.ticks = t->full_ticks,
		.hz = t->hz,
	};
	return t->full_ticks != 0;
}

static unsigned index_of(const struct dp_records *records, const struct stream *stream)
{
	return (unsigned)(stream - records->streams);
}

static void unreadable(struct dp_records *records, const struct stream *stream)
{
	records->out.totals.unreadable++;
	dph_out_gap(&records->out, index_of(records, stream), DP_GAP_UNREADABLE, 1);
}

/* --- order --- */

static void lose(struct dp_records *records, struct stream *stream, uint32_t count)
{
	if (count == 0)
		return;
	dph_out_release(&records->out, index_of(records, stream));
	records->out.totals.lost += count;
	dph_out_gap(&records->out, index_of(records, stream), DP_GAP_RECORDS, count);
}

/* The agent keeps a record as its head, and its body in whole words of 4 bytes. */
static uint32_t bytes_in_ring(const struct dp_record *record)
{
	return (uint32_t)sizeof *record + ((record->bytes + 3U) & ~3U);
}

/* Hand over what no longer waits. */
static void hand_over(struct dp_records *records, struct stream *stream)
{
	struct dph_order *order = &stream->order;
	uint32_t lost;

	if (!records->resends)
		dph_order_give_up(order, order->next);
	for (;;) {
		struct dph_kept *kept = dph_order_take(order, &lost);

		lose(records, stream, lost);
		if (kept == NULL)
			return;
		stream->held += bytes_in_ring(&kept->head);
		dph_out_record(&records->out, index_of(records, stream), kept, lost == 0);
	}
}

/* Records before the number have been sent: those that did not come are missing. */
static void expect(struct dp_records *records, struct stream *stream, uint32_t number)
{
	struct dph_order *order = &stream->order;

	if (number - order->first > DPH_ORDER_MAX) {
		const uint32_t oldest = records->resends ? number - DPH_ORDER_MAX : number;
		const bool all = number - order->next >= DPH_ORDER_MAX;

		dph_order_give_up(order, all ? order->next : oldest);
		hand_over(records, stream);
		if (all) {
			lose(records, stream, oldest - order->next);
			order->first = order->next = oldest;
		}
	}
	dph_order_expect(order, number);
}

/* The number of the line's first record. A line of new records is the next one or behind it. A
 * line S or P may also be sent again: its records are missing, or came already. PROTOCOL.md 4.1. */
static uint32_t line_number(const struct stream *stream, const struct dp_frame_in *frame)
{
	const struct dph_order *order = &stream->order;
	const uint32_t low = (uint32_t)dph_digits_number(frame->payload + 1, DP_NUMBER_DIGITS);
	const uint32_t ahead = (low - order->next) % NUMBER_ROUND;
	const uint32_t number = order->next + ahead, back = number - NUMBER_ROUND;

	if (!order->begun)
		return low;
	if (frame->type == DP_FRAME_RECORDS)
		return number;
	return ahead < NUMBER_NEAR && !dph_order_misses(order, back) ? number : back;
}

static void see_again(struct stream *stream, uint32_t end)
{
	stream->resent = end;
	stream->again++;
}

/* Put the records of a line in order. */
static void put(struct dp_records *records, struct stream *stream, uint32_t number,
		struct dph_kept **kept, unsigned count)
{
	struct dph_order *order = &stream->order;

	if (!order->begun)
		dph_order_begin(order, number);
	if (number - order->next < NUMBER_ROUND)
		expect(records, stream, number + count);
	else
		see_again(stream, number + count);
	for (unsigned i = 0; i < count; i++) {
		dph_order_put(order, number + i, kept[i]);
	}
}

/* --- records --- */

/* Return whether the digits are records. */
static bool take_records(struct dp_records *records, struct stream *stream, uint32_t number,
			 enum dph_told told, const uint8_t *digits, size_t count, bool compact,
			 bool one)
{
	const struct dp_record_reader form = {.big_endian = records->out.big_endian,
					      .compact = compact};
	const struct dph_kept shared = {.synced = stream->synced,
					.sync_ticks = stream->sync_ticks,
					.arrived_ms = records->now_ms};
	struct dph_kept *kept[DPH_LINE_RECORDS_MAX];
	const unsigned found = dph_line_records(digits, count, &form, told, &shared, kept);

	if (one && found > 1) {
		for (unsigned i = 0; i < found; i++)
			free(kept[i]);
		return false;
	}
	if (found > 0)
		put(records, stream, number, kept, found);
	return found > 0;
}

static void take_line(struct dp_records *records, struct stream *stream,
		      const struct dp_frame_in *frame)
{
	const bool timed = frame->type == DP_FRAME_TIMED;
	const uint8_t *digits = frame->payload + DP_STREAM_HEAD;
	const size_t count = frame->bytes - (size_t)DP_STREAM_HEAD;

	stream->pieces.begun = false;
	if (!take_records(records, stream, line_number(stream, frame),
			  timed ? DPH_TOLD_WHOLE : DPH_TOLD_LOW, digits, count, frame->compact,
			  false))
		unreadable(records, stream);
}

/* --- pieces --- */

static void begin_pieces(struct stream *stream, const struct dp_frame_in *frame)
{
	stream->pieces.begun = true;
	stream->pieces.number = line_number(stream, frame);
	stream->pieces.next = 0;
	stream->pieces.count = 0;
}

/* Return whether the piece is the next one of the record under way. */
static bool continues(const struct pieces *pieces, const struct dp_frame_in *frame, uint8_t index,
		      size_t count)
{
	return pieces->begun && index == pieces->next &&
	       dph_digits_number(frame->payload + 1, DP_NUMBER_DIGITS) ==
		       pieces->number % NUMBER_ROUND &&
	       count <= sizeof pieces->digits - pieces->count;
}

/* A record whose pieces do not all come is missing: the next line shows it. */
static void take_piece(struct dp_records *records, struct stream *stream,
		       const struct dp_frame_in *frame)
{
	struct pieces *pieces = &stream->pieces;
	const uint8_t *head = frame->payload + DP_STREAM_HEAD,
		      *digits = head + DP_PIECE_HEAD_DIGITS;
	const size_t count = frame->bytes - (size_t)DP_STREAM_HEAD - DP_PIECE_HEAD_DIGITS;
	uint8_t index;

	if (frame->bytes < DP_STREAM_HEAD + DP_PIECE_HEAD_DIGITS || head[0] > 1) {
		pieces->begun = false;
		unreadable(records, stream);
		return;
	}
	index = (uint8_t)dph_digits_number(head + 1, 2);
	if (index == 0)
		begin_pieces(stream, frame);
	if (!continues(pieces, frame, index, count)) {
		pieces->begun = false;
		return;
	}
	memcpy(pieces->digits + pieces->count, digits, count);
	pieces->count += count;
	pieces->next++;
	if (head[0] == 0)
		return;
	pieces->begun = false;
	if (!take_records(records, stream, pieces->number, DPH_TOLD_WHOLE, pieces->digits,
			  pieces->count, false, true))
		unreadable(records, stream);
}

/* --- counts --- */

/* The agent has sent all records before this number. Returns false when more have come. */
static bool take_sent(struct dp_records *records, struct stream *stream, uint32_t sent)
{
	struct dph_order *order = &stream->order;

	if (!order->begun)
		dph_order_begin(order, sent);
	if (!order->placed)
		dph_order_place(order, sent);
	if (sent - order->next <= INT32_MAX) {
		expect(records, stream, sent);
		return true;
	}
	dph_order_give_up(order, order->next);
	hand_over(records, stream);
	dph_order_begin(order, sent);
	unreadable(records, stream);
	return false;
}

static void count_gap(struct dp_records *records, const struct stream *stream,
		      enum dp_gap_kind kind, uint32_t count, uint64_t *total)
{
	*total += count;
	if (count != 0)
		dph_out_gap(&records->out, index_of(records, stream), kind, count);
}

static void take_counts(struct dp_records *records, struct stream *stream,
			const struct dp_record_counts *now)
{
	struct dp_record_totals *totals = &records->out.totals;

	totals->syncs++;
	take_sent(records, stream, now->sent);
	if (stream->counted) {
		count_gap(records, stream, DP_GAP_DROPPED, now->dropped - stream->base.dropped,
			  &totals->dropped);
		count_gap(records, stream, DP_GAP_MISSED, now->missed - stream->base.missed,
			  &totals->missed);
	}
	stream->counted = true;
	stream->base = *now;
}

static uint32_t later(uint32_t one, uint32_t other)
{
	return one - other <= INT32_MAX ? one : other;
}

/* Counts of some time since the request: what is known may be newer. */
static void take_stored_counts(struct dp_records *records, struct stream *stream,
			       const struct dp_record_counts *stored)
{
	const struct dp_record_counts now = {
		.sent = later(stored->sent, stream->order.next),
		.dropped = later(stored->dropped, stream->base.dropped),
		.missed = later(stored->missed, stream->base.missed),
		.withdrawn = later(stored->withdrawn, stream->base.withdrawn),
	};

	if (stream->counted)
		take_counts(records, stream, &now);
}

void dp_records_counts(struct dp_records *records, const struct dp_record_counts *counts)
{
	struct stream *stream = &records->streams[records->spoke_last];

	dph_out_release(&records->out, records->spoke_last);
	if (counts->stored || stream->ended)
		take_stored_counts(records, stream, counts);
	else
		take_counts(records, stream, counts);
	hand_over(records, stream);
}

/* The number of a notice shows whether notices before it were lost. */
static void take_notice_number(struct dp_records *records, struct stream *stream, uint32_t lost)
{
	if (stream->noticed)
		count_gap(records, stream, DP_GAP_NOTICES, lost, &records->out.totals.notices_lost);
	stream->noticed = true;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The agent adds a time in which the ring was full when a record has room again. Where the drops
 * were those of an earlier command, that record is ours, and the time is not. */
static void take_full(struct dp_records *records, struct stream *stream,
		      const struct dp_sync_line *sync)
{
	const uint64_t more = sync->full - stream->full;
	const bool drops = stream->synced && sync->dropped != stream->dropped;

	if (drops && !stream->dropping)
		stream->drops_from_ticks = stream->sync_ticks;
	if (drops || stream->dropping)
		records->out.totals.full_ticks +=
			smaller(more, sync->ticks - stream->drops_from_ticks);
	stream->dropping = drops || (stream->dropping && more == 0);
	stream->full = sync->full;
	stream->dropped = sync->dropped;
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
	take_full(records, stream, &sync);
	stream->sync_ticks = sync.ticks;
	stream->synced = true;
	records->out.totals.hz = sync.hz;
	take_notice_number(records, stream, sync.notices - stream->notices);
	stream->notices = sync.notices;
	take_counts(records, stream,
		    &(struct dp_record_counts){.sent = sync.sent,
					       .dropped = sync.dropped,
					       .missed = sync.missed,
					       .withdrawn = sync.withdrawn});
}

/* --- notices --- */

static void take_notice(struct dp_records *records, struct stream *stream,
			const struct dp_frame_in *frame)
{
	const uint32_t low = (uint32_t)dph_digits_number(frame->payload + 1, DP_NUMBER_DIGITS);
	const uint32_t lost = (low - stream->notices) % NUMBER_ROUND;
	uint8_t bytes[DPH_STREAM_BYTES_MAX];
	struct dph_reader reader = dph_stream_reader(frame, bytes);
	struct dp_notice_head line;

	dph_read(&reader, DPH_OF(notice_head, &line));
	if (reader.cut) {
		unreadable(records, stream);
		return;
	}
	take_notice_number(records, stream, lost);
	stream->notices += lost + 1;
	records->out.listener.notice(records->out.listener.context,
				     &(struct dp_notice_in){.stream = index_of(records, stream),
							    .number = line.number,
							    .arguments = line.arguments.bytes,
							    .bytes = line.arguments.count});
}

/* --- lines --- */

void dp_records_line(struct dp_records *records, const struct dp_frame_in *frame, uint64_t now_ms)
{
	struct stream *stream;

	records->now_ms = now_ms;
	if (frame->bytes < DP_STREAM_HEAD) {
		unreadable(records, &records->streams[0]);
		return;
	}
	records->spoke_last = frame->payload[0];
	stream = &records->streams[records->spoke_last];
	if (stream->ended)
		return;
	if (frame->type == DP_FRAME_RECORDS || frame->type == DP_FRAME_TIMED)
		take_line(records, stream, frame);
	else
		dph_out_release(&records->out, records->spoke_last);
	if (frame->type == DP_FRAME_PIECE)
		take_piece(records, stream, frame);
	else if (frame->type == DP_FRAME_NOTICE)
		take_notice(records, stream, frame);
	else if (frame->type == DP_FRAME_SYNC)
		take_sync(records, stream, frame);
	hand_over(records, stream);
}

void dp_records_flush(struct dp_records *records, uint64_t until_ms)
{
	dph_out_flush(&records->out, until_ms);
}

/* --- sending again --- */

void dp_records_resends(struct dp_records *records, bool possible)
{
	tell_tap(records, DPH_RECORDS_RESENDS, possible);
	records->resends = possible;
	for (unsigned i = 0; i < DPH_STREAMS; i++)
		hand_over(records, &records->streams[i]);
}

void dp_records_place(const struct dp_records *records, struct dp_records_place *place)
{
	const struct stream *stream = &records->streams[records->spoke_last];
	const struct dph_order *order = &stream->order;

	*place = (struct dp_records_place){
		.known = order->placed,
		.next = order->next,
		.have = order->first,
		.held = stream->held,
		.resent = stream->resent,
		.again = stream->again,
	};
	place->count = dph_order_missing(order, order->first, &place->missing);
}

uint32_t dp_records_missing(const struct dp_records *records, uint32_t after, uint32_t *first)
{
	return dph_order_missing(&records->streams[records->spoke_last].order, after, first);
}

static void give_up(struct dp_records *records, uint32_t before)
{
	struct stream *stream = &records->streams[records->spoke_last];

	if (before - stream->order.first <= INT32_MAX)
		dph_order_give_up(&stream->order, before);
	hand_over(records, stream);
}

void dp_records_give_up(struct dp_records *records, uint32_t before)
{
	tell_tap(records, DPH_RECORDS_GIVE_UP, before);
	give_up(records, before);
}

static void take_empty(struct dp_records *records, uint32_t next)
{
	struct stream *stream = &records->streams[records->spoke_last];

	if (stream->order.placed && next - stream->order.next > INT32_MAX)
		return; /* newer records came before the answer */
	dph_out_release(&records->out, records->spoke_last);
	take_sent(records, stream, next);
	hand_over(records, stream);
}

void dp_records_sent(struct dp_records *records, uint32_t next)
{
	tell_tap(records, DPH_RECORDS_SENT, next);
	take_empty(records, next);
}

void dp_records_end(struct dp_records *records, uint32_t before)
{
	tell_tap(records, DPH_RECORDS_END, before);
	take_empty(records, before);
	give_up(records, before);
	records->streams[records->spoke_last].ended = true;
}
