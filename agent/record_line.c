/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of records: the characters of as many records as one line holds, or of a piece of a long
 * one.  PROTOCOL.md section 4 */
#include "dp_record_line.h"

#include "dp_items.h"
#include "dp_log_ring.h"
#include "dp_sent.h"
#include "dp_status_lines.h"

enum {
	ROOM_TIMED = DP_STREAM_NIBBLES - DP_STREAM_HEAD - DP_TIMED_DIGITS,
	HEAD_DIGITS = 4 + (DP_WITH_LANGUAGE ? 11 : 3), /* at most, before the body */
	UNIT_DIGITS = 9,                               /* at most */
	BODY_BYTES = DP_WITH_LANGUAGE && DP_TRACE_MAX > DP_LOG_MAX + DP_ITEM_BYTES
			     ? DP_TRACE_MAX
			     : DP_LOG_MAX + DP_ITEM_BYTES,
	/* else every record fits one line */
	HAS_PIECES = HEAD_DIGITS + (BODY_BYTES + 3) / DP_UNIT_BYTES * UNIT_DIGITS > ROOM_TIMED,
};

/* The characters of a line that is being filled. */
struct page {
	const struct dp_ring *ring;
	const struct dp_record *before; /* in this line; null: none */
	char *p, *end;
};

static size_t room(const struct page *page)
{
	return (size_t)(page->end - page->p);
}

/* --- one record --- */

/* The optional digit X. */
static unsigned extra_of(const struct dp_record *record)
{
	bool codes = DP_WITH_LANGUAGE && record->flags & DP_RECORD_CODES;
	bool bytes = record->bytes % DP_UNIT_BYTES != 0;

	return (record->kind | record->flags ? DP_EXTRA_KIND : 0u) | (codes ? DP_EXTRA_CODES : 0u) |
	       (bytes || record->bytes == 0 ? DP_EXTRA_BYTES : 0u);
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

static char *put_extra(char *p, const struct dp_record *record, unsigned x)
{
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

/* What stands before the body. returns: false when there is no room. */
static bool put_head(struct page *page, const struct dp_record *record, uint32_t delta)
{
	unsigned size = delta_size(delta), digits = DP_DELTA_DIGITS(size);
	unsigned x = extra_of(record), d = size | (x ? DP_RECORD_EXTRA : 0u);
	char *p = page->p;

	if (page->before && page->before->probe == record->probe)
		d |= DP_RECORD_SAME;
	if (room(page) < (d & DP_RECORD_SAME ? 1 : 3) + digits + (x ? extra_digits(record, x) : 0))
		return false;
	*p++ = dp_digit[d];
	if (x)
		*p++ = dp_digit[x];
	if (!(d & DP_RECORD_SAME))
		p = dp_digits_put(p, record->probe, 2);
	if (x)
		p = put_extra(p, record, x);
	if (size)
		p = dp_digits_put(p, delta, digits);
	page->p = x & DP_EXTRA_BYTES ? put_length(p, record->bytes) : p;
	return true;
}

/* Units from byte `from` of the body on. returns: where those that had room end. */
static unsigned put_units(struct page *page, uint32_t at, unsigned from, unsigned bytes)
{
	const struct dp_ring *ring = page->ring;
	char *p = page->p, *end = page->end;

	for (; from < bytes; from += DP_UNIT_BYTES) {
		uint32_t value = dp_ring_word(ring, at, from), rest = value;
		unsigned digits = 8;

		for (; digits > 1 && rest >> 28 == 0; digits--)
			rest <<= 4;
		if ((size_t)(end - p) <= digits)
			break;
		*p++ = dp_digit[(from + DP_UNIT_BYTES < bytes ? DP_UNIT_MORE : 0) | (digits - 1)];
		p = dp_digits_put(p, value, digits);
	}
	page->p = p;
	return from;
}

static unsigned put_bytes(struct page *page, uint32_t at, unsigned from, unsigned bytes)
{
	for (; from < bytes && room(page) >= 2; from++)
		page->p = dp_digits_put(page->p, dp_ring_byte(page->ring, at, from), 2);
	return from;
}

static unsigned put_body(struct page *page, const struct dp_record *record, uint32_t at,
			 unsigned from)
{
	if (record->bytes % DP_UNIT_BYTES != 0)
		return put_bytes(page, at, from, record->bytes);
	return put_units(page, at, from, record->bytes);
}

/* returns: false, with the page as it was, when the whole record has no room. */
static bool put_record(struct page *page, const struct dp_record *record, uint32_t at,
		       uint32_t delta)
{
	char *begin = page->p;

	if (put_head(page, record, delta) && put_body(page, record, at, 0) == record->bytes)
		return true;
	page->p = begin;
	return false;
}

/* --- a line --- */

static void open_page(struct page *page, const struct dp_agent *agent, struct dp_line *line)
{
	page->ring = &DP_THIS_CPU(agent)->ring;
	page->before = NULL;
	page->p = line->text + line->used;
	page->end = page->p + dp_line_room(line);
}

static void close_page(const struct page *page, struct dp_line *line)
{
	line->used = (uint8_t)(page->p - line->text);
	dp_line_end(line);
}

static void put_time(struct dp_line *line, uint64_t time, bool all)
{
	if (all)
		dp_line_put(line, (uint32_t)(time >> 32), 8);
	dp_line_put(line, (uint32_t)time, 8);
}

static void pass(struct dp_place *place, const struct dp_record *record)
{
	place->number++;
	place->at = dp_ring_behind(place->at, record);
	place->body = place->piece = 0;
}

/* Ticks between two records; as many as a line does not span when the second is earlier. */
static uint32_t delta_of(const struct dp_record *record, const struct dp_record *before)
{
	uint32_t delta = record->ticks - before->ticks;
	uint16_t high = (uint16_t)(record->ticks_high - before->ticks_high -
				   (record->ticks < before->ticks));

	if (!DP_WITH_STREAM)
		return 0;
	return high == 0 && delta < DP_TIME_SPAN ? delta : (uint32_t)DP_TIME_SPAN;
}

/* Records from the place on, at most `limit`, as long as they have room. returns: ticks from the
 * first to the last. */
static uint32_t put_records(struct page *page, struct dp_place *place, uint32_t limit,
			    const struct dp_record *record)
{
	uint32_t span = 0, delta = 0;

	while (put_record(page, record, place->at, delta)) {
		span += delta;
		page->before = record;
		pass(place, record);
		record = --limit > 0 ? dp_ring_peek(page->ring, &place->at) : NULL;
		if (!record)
			break;
		delta = delta_of(record, page->before);
		if (span + delta >= DP_TIME_SPAN)
			break;
	}
	return span;
}

/* The next piece of the record at the place. */
static void piece_line(const struct dp_agent *agent, struct dp_draft *draft, struct dp_place *place,
		       const struct dp_record *record, uint64_t time)
{
	struct dp_line *line = dp_stream_begin(draft, DP_FRAME_PIECE, place->number);
	uint8_t last = line->used;
	struct page page;

	dp_line_put(line, 0, 1);
	dp_line_put(line, place->piece, 2);
	if (place->piece == 0)
		put_time(line, time, true);
	open_page(&page, agent, line);
	if (place->piece++ == 0)
		put_head(&page, record, 0);
	place->body = (uint16_t)put_body(&page, record, place->at, place->body);
	if (place->body == record->bytes) {
		line->text[last] = '1';
		pass(place, record);
	}
	close_page(&page, line);
}

/* A line of records from the place on, at most `limit`. time: of the first, then of the last.
 * returns: false when the first has no room. */
static bool records_line(const struct dp_agent *agent, struct dp_draft *draft,
			 struct dp_place *place, uint32_t limit, const struct dp_record *record,
			 uint64_t *time, bool timed)
{
	struct dp_line *line =
		dp_stream_begin(draft, timed ? DP_FRAME_TIMED : DP_FRAME_RECORDS, place->number);
	struct page page;

	put_time(line, *time, timed);
	open_page(&page, agent, line);
	*time += put_records(&page, place, limit, record);
	close_page(&page, line);
	return page.before != NULL;
}

static void any_line(const struct dp_agent *agent, struct dp_draft *draft, struct dp_place *place,
		     uint32_t limit, const struct dp_record *record, uint64_t *time, bool timed)
{
	if (HAS_PIECES && place->piece != 0)
		piece_line(agent, draft, place, record, *time);
	else if (!records_line(agent, draft, place, limit, record, time, timed) && HAS_PIECES)
		piece_line(agent, draft, place, record, *time);
}

bool dp_new_line(const struct dp_agent *agent, struct dp_draft *draft)
{
	const struct dp_record *record = dp_ring_peek(&DP_THIS_CPU(agent)->ring, &draft->next.at);
	uint64_t time;

	if (!record)
		return false;
	time = dp_record_time(agent, record);
	any_line(agent, draft, &draft->next, UINT32_MAX, record, &time,
		 draft->stream.timed || dp_time_is_far(draft, time));
	draft->stream.timed = 0;
	dp_line_told(draft, time);
	return true;
}

#if DP_WITH_STREAM
/* Go to the record that is to be sent next. returns: false when it is gone, with all of the range
 * or those before the oldest that is left. */
static bool seek(const struct dp_agent *agent, struct dp_draft *draft)
{
	struct dp_stream *stream = &draft->stream;
	struct dp_place *place = &stream->again;

	if (!dp_sent_intact(agent, place->at)) {
		struct dp_mark mark = dp_sent_find(agent, stream->from);

		place->number = mark.number;
		place->at = mark.at;
		place->body = place->piece = 0;
		if ((int32_t)(mark.number - stream->from) > 0)
			stream->from = (int32_t)(mark.number - stream->until) < 0 ? mark.number
										  : stream->until;
	}
	draft->first = place->at;
	while (place->number != stream->from && stream->from != stream->until) {
		const struct dp_record *record =
			dp_ring_peek(&DP_THIS_CPU(agent)->ring, &place->at);

		if (!record) /* overwritten while it was read: the draft is not sent */
			return false;
		pass(place, record);
	}
	return stream->from != stream->until;
}

bool dp_again_line(const struct dp_agent *agent, struct dp_draft *draft)
{
	struct dp_stream *stream = &draft->stream;
	struct dp_place *place = &stream->again;
	const struct dp_record *record;
	uint64_t time;

	if (stream->from == stream->until || !seek(agent, draft))
		return false;
	record = dp_ring_peek(&DP_THIS_CPU(agent)->ring, &place->at);
	if (!record)
		return false;
	time = dp_record_time(agent, record);
	any_line(agent, draft, place, stream->until - stream->from, record, &time, true);
	stream->from = place->number;
	return true;
}
#endif
