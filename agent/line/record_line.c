/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of records: the characters of as many records as one line holds, or of a piece of a long
 * one.  PROTOCOL.md section 4 */
#include "dp_record_line.h"

#include "dp_compact_line.h"
#include "dp_items.h"
#include "dp_log_ring.h"
#include "dp_sent.h"
#include "dp_status_lines.h"

enum {
	DP_ROOM_TIMED = DP_STREAM_NIBBLES - DP_STREAM_HEAD - DP_TIMED_DIGITS,
	DP_HEAD_DIGITS = 4 + (DP_WITH_LANGUAGE ? 11 : 3), /* at most, before the body */
	DP_UNIT_DIGITS = 9,                               /* at most */
	DP_BODY_BYTES =
		DP_WITH_LANGUAGE && DP_TRACE_MAX > DP_LOG_MAX + DP_ITEM_BYTES + DP_FAULT_BYTES
			? DP_TRACE_MAX
			: DP_LOG_MAX + DP_ITEM_BYTES + DP_FAULT_BYTES,
	/* else every record fits one line */
	DP_HAS_PIECES = DP_HEAD_DIGITS + (DP_BODY_BYTES + 3) / DP_UNIT_BYTES * DP_UNIT_DIGITS >
			DP_ROOM_TIMED,
};

/* The characters of a line that is being filled. */
struct page {
	char *p, *end;
	unsigned probe; /* of the record before in this line; DP_NO_PROBE: there is none */
	/* A compact line tells the units of a record by the exclusive or with those of the record
	 * before, of the same probe: its place, and its bytes in units; 0: none. */
	uint32_t before;
	unsigned before_bytes;
};
enum {
	DP_NO_PROBE = DP_NONE
};

/* The records of a line, from the place on. */
struct batch {
	const struct dp_ring *ring;
	struct dp_place *place;         /* goes on with each record that is in the line */
	const struct dp_record *record; /* at the place */
	uint32_t until;                 /* number of the first record that stays out of the line */
	uint64_t time;                  /* of the record; then of the last one in the line */
	bool compact;                   /* the form of the line */
};

/* --- one record --- */

/* The optional digit X. */
static unsigned extra_of(const struct dp_record *record)
{
	unsigned x = 0;

	if (record->kind | record->flags) {
		x = DP_EXTRA_KIND;
		if (DP_WITH_LANGUAGE && record->flags & DP_RECORD_CODES)
			x |= DP_EXTRA_CODES;
	}
	if (record->bytes % DP_UNIT_BYTES != 0 || record->bytes == 0)
		x |= DP_EXTRA_BYTES;
	return x;
}

/* Digits that an X adds, but for the probe. */
static unsigned extra_digits(const struct dp_record *record, unsigned x)
{
	unsigned digits = x & DP_EXTRA_KIND ? 1 + 3 : 1;

	if (DP_WITH_LANGUAGE && x & DP_EXTRA_CODES)
		digits += 8;
	if (x & DP_EXTRA_BYTES)
		digits += record->bytes > DP_RECORD_SHORT_MAX ? 4 : 1;
	return digits;
}

/* The parts of a head between D and the delta. A head may lack all of them. */
static char *put_names(char *p, const struct dp_record *record, unsigned d, unsigned x)
{
	if (x)
		*p++ = dp_digit[x];
	if (!(d & DP_RECORD_SAME))
		p = dp_digits_put(p, record->probe, 2);
	if (x & DP_EXTRA_KIND)
		p = dp_digits_put(p, (uint32_t)record->kind << 8 | record->flags, 3);
	if (DP_WITH_LANGUAGE && x & DP_EXTRA_CODES)
		p = dp_digits_put(p, (uint32_t)record->major << 16 | record->minor, 8);
	return p;
}

static char *put_length(char *p, unsigned bytes)
{
	if (bytes <= DP_RECORD_SHORT_MAX)
		return dp_digits_put(p, bytes, 1);
	return dp_digits_put(p, (uint32_t)DP_RECORD_LONG << 12 | bytes, 4);
}

static unsigned delta_size(uint32_t delta)
{
	if (!DP_WITH_STREAM) /* no ticks */
		return 0;
	if (delta < 0x1000)
		return delta != 0;
	return delta < 0x100000 ? 2 : 3;
}

/* The parts of a record before its body. returns: false when there is no room. */
static bool put_head(struct page *page, const struct dp_record *record, uint32_t delta)
{
	unsigned size = delta_size(delta), digits = DP_DELTA_DIGITS(size), need = 1 + digits;
	unsigned x = extra_of(record), d = size;
	char *p = page->p;

	if (page->probe == record->probe)
		d |= DP_RECORD_SAME;
	else
		need += 2;
	if (x) {
		d |= DP_RECORD_EXTRA;
		need += extra_digits(record, x);
	}
	if (page->end - p < (ptrdiff_t)need)
		return false;
	*p++ = dp_digit[d];
	if ((d & (DP_RECORD_EXTRA | DP_RECORD_SAME)) != DP_RECORD_SAME)
		p = put_names(p, record, d, x);
	if (size) {
		dp_eight_put(p, delta << (32 - 4 * digits));
		p += digits;
	}
	page->p = x & DP_EXTRA_BYTES ? put_length(p, record->bytes) : p;
	return true;
}

/* Bring the first digit that is not 0 to the top. returns: digits from there on, at least 1. */
static unsigned drop_zeros(uint32_t *value)
{
	unsigned digits = 8;

	if (*value >> 28 != 0) /* a pointer, a hash */
		return digits;
	if (*value >> 16 == 0) {
		*value <<= 16;
		digits -= 4;
	}
	if (*value >> 24 == 0) {
		*value <<= 8;
		digits -= 2;
	}
	if (*value >> 28 == 0) {
		*value <<= 4;
		digits -= 1;
	}
	return digits;
}

_Static_assert(
	2 + DP_STREAM_NIBBLES + 8 - 1 <= DP_LINE_MAX,
	"the 8 digits that dp_eight_put writes for one at the end of a page are in the line");
/* Units from byte `from` of the body on, as long as they have room. returns: where they end. The 8
 * digits of the last one may reach behind the end of the page, where the check comes. */
static unsigned put_units(struct page *page, const struct dp_ring *ring, uint32_t at, unsigned from,
			  unsigned bytes)
{
	while (from < bytes) {
		uint32_t value = dp_ring_word(ring, at, from);
		unsigned digits, w;

		if (DP_WITH_COMPACT && from < page->before_bytes)
			value ^= dp_ring_word(ring, page->before, from);
		digits = drop_zeros(&value);
		w = digits - 1;
		if (page->end - page->p <= (ptrdiff_t)digits)
			break;
		from += DP_UNIT_BYTES;
		if (from < bytes)
			w |= DP_UNIT_MORE;
		*page->p++ = dp_digit[w];
		dp_eight_put(page->p, value);
		page->p += digits;
	}
	return from;
}

static unsigned put_bytes(struct page *page, const struct dp_ring *ring, uint32_t at, unsigned from,
			  unsigned bytes)
{
	for (; from < bytes && page->end - page->p >= 2; from++)
		page->p = dp_digits_put(page->p, dp_ring_byte(ring, at, from), 2);
	return from;
}

/* As much of the record at the place as has room: the head, unless a piece has it and some of the
 * body, and the body. returns: whether the record ends here. */
static bool put_record(struct page *page, const struct dp_ring *ring, struct dp_place *place,
		       const struct dp_record *record, uint32_t delta)
{
	unsigned bytes = record->bytes, from = place->body;

	if (from == 0 && !put_head(page, record, delta))
		return false;
	if (DP_WITH_COMPACT && page->probe != record->probe)
		page->before_bytes = 0;
	if (bytes % DP_UNIT_BYTES == 0)
		from = put_units(page, ring, place->at, from, bytes);
	else
		from = put_bytes(page, ring, place->at, from, bytes);
	if (from < bytes)
		place->body = (uint16_t)from;
	return from >= bytes;
}

/* --- a line --- */

static void put_time(struct dp_line *line, uint64_t time, bool all)
{
	if (all) {
		dp_eight_put(line->text + line->used, (uint32_t)(time >> 32));
		line->used += 8;
	}
	dp_eight_put(line->text + line->used, (uint32_t)time);
	line->used += 8;
}

static void pass(struct dp_place *place, const struct dp_record *record)
{
	place->number++;
	place->at = dp_ring_behind(place->at, record);
	place->body = place->piece = 0;
}

/* Ticks from the time to the record. returns: false when a line does not span them, and when they
 * are less than `least`. */
static bool ticks_since(uint64_t time, const struct dp_record *record, uint32_t least,
			uint32_t *ticks)
{
	uint32_t low = (uint32_t)time, high = (uint32_t)(time >> 32) + (record->ticks < low);

	if (!DP_WITH_STREAM)
		return true;
	*ticks = record->ticks - low;
	return record->ticks_high == (uint16_t)high && *ticks < DP_TIME_SPAN && *ticks >= least;
}

/* Put records into the rest of the line: whole ones, or a piece of the first. returns: whether a
 * record ends in the line. */
static bool put_records(struct batch *batch, struct dp_line *line, bool whole)
{
	struct page page;
	const struct dp_ring *ring = batch->ring;
	const struct dp_record *record = batch->record;
	struct dp_place *place = batch->place;
	uint32_t before = 0, ticks = 0;

	page.p = line->text + line->used;
	page.end = page.p + dp_line_room(line);
	page.probe = DP_NO_PROBE;
	if (DP_WITH_COMPACT)
		page.before = page.before_bytes = 0;
	do {
		char *begin = page.p;

		if (!put_record(&page, ring, place, record, ticks - before)) {
			if (whole) {
				page.p = begin;
				place->body = 0;
			}
			break;
		}
		page.probe = record->probe;
		if (DP_WITH_COMPACT && batch->compact) {
			page.before = place->at;
			page.before_bytes = record->bytes % DP_UNIT_BYTES ? 0 : record->bytes;
		}
		pass(place, record);
		record = place->number != batch->until ? dp_ring_peek(ring, &place->at) : NULL;
		before = ticks;
	} while (record && ticks_since(batch->time, record, before, &ticks));
	batch->time += before;
	line->used = (uint8_t)(page.p - line->text);
	return page.probe != DP_NO_PROBE;
}

static void end_line(struct dp_line *line, const struct batch *batch)
{
	if (DP_WITH_COMPACT && batch->compact)
		dp_compact_end(line);
	else
		dp_line_end(line);
}

/* The next piece of the record at the place. */
static void piece_line(struct dp_draft *draft, struct batch *batch)
{
	struct dp_place *place = batch->place;
	struct dp_line *line = dp_stream_begin(draft, DP_FRAME_PIECE, place->number);
	uint8_t last = line->used;

	dp_line_put(line, 0, 1);
	dp_line_put(line, place->piece, 2);
	if (place->piece == 0)
		put_time(line, batch->time, true);
	batch->until = place->number + 1;
	if (put_records(batch, line, false))
		line->text[last] = '1';
	else
		place->piece++;
	end_line(line, batch);
}

/* returns: false when the first record has no room. */
static bool records_line(struct dp_draft *draft, struct batch *batch, bool timed)
{
	struct dp_line *line = dp_stream_begin(draft, timed ? DP_FRAME_TIMED : DP_FRAME_RECORDS,
					       batch->place->number);
	bool ends;

	put_time(line, batch->time, timed);
	ends = put_records(batch, line, true);
	end_line(line, batch);
	return ends;
}

static void any_line(struct dp_draft *draft, struct batch *batch, bool timed)
{
	if (DP_HAS_PIECES && batch->place->piece != 0)
		piece_line(draft, batch);
	else if (!records_line(draft, batch, timed) && DP_HAS_PIECES)
		piece_line(draft, batch);
}

/* The records from the place on. returns: false when there is none. */
static bool find_batch(const struct dp_agent *agent, const struct dp_draft *draft,
		       struct dp_place *place, uint32_t until, struct batch *batch)
{
	const struct dp_ring *ring = &DP_DRAFT_CPU(agent, draft)->ring;
	const struct dp_record *record = dp_ring_peek(ring, &place->at);

	if (!record)
		return false;
	*batch = (struct batch){ring,
				place,
				record,
				until,
				dp_record_time(draft, record),
				dp_compact_wanted(agent)};
	return true;
}

bool dp_new_line(const struct dp_agent *agent, struct dp_draft *draft)
{
	struct batch batch;

	if (!find_batch(agent, draft, &draft->next, draft->next.number - 1, &batch))
		return false;
	any_line(draft, &batch, draft->stream.timed || dp_time_is_far(draft, batch.time));
	draft->stream.timed = 0;
	dp_line_told(draft, batch.time);
	return true;
}

#if DP_WITH_STREAM
/* Go to the record that is to be sent next. returns: false when it is gone, with all of the range
 * or those before the oldest that is left. */
static bool seek(const struct dp_agent *agent, struct dp_draft *draft)
{
	const struct dp_per_cpu *cpu = DP_DRAFT_CPU(agent, draft);
	struct dp_stream *stream = &draft->stream;
	struct dp_place *place = &stream->again;

	if (!dp_sent_intact(cpu, place->at)) {
		struct dp_mark mark = dp_sent_find(agent, cpu, stream->from);

		place->number = mark.number;
		place->at = mark.at;
		place->body = place->piece = 0;
		if ((int32_t)(mark.number - stream->from) > 0)
			stream->from = (int32_t)(mark.number - stream->until) < 0 ? mark.number
										  : stream->until;
	}
	draft->first = place->at;
	while (place->number != stream->from && stream->from != stream->until) {
		const struct dp_record *record = dp_ring_peek(&cpu->ring, &place->at);

		if (!record) /* overwritten while it was read: the draft is not sent */
			return false;
		pass(place, record);
	}
	return stream->from != stream->until;
}

bool dp_again_line(const struct dp_agent *agent, struct dp_draft *draft)
{
	struct dp_stream *stream = &draft->stream;
	struct batch batch;

	if (stream->from == stream->until || !seek(agent, draft) ||
	    !find_batch(agent, draft, &stream->again, stream->until, &batch))
		return false;
	any_line(draft, &batch, true);
	stream->from = stream->again.number;
	return true;
}
#endif
