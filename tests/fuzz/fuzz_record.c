/* SPDX-License-Identifier: BSD-2-Clause */
/* Records: a record that is read is written back the same; any lines give records, gaps and
 * notices that can be printed. Input: u8 target, u8 items, then lines as on the wire without marker
 * and check: a letter, hex digits, a newline. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dp_frame.h"
#include "dp_record.h"
#include <dprobes/record_sink.h>

enum {
	BYTES_MAX = 8192
};

#define REQUIRE(what) ((what) ? (void)0 : abort())

/* Records go to the printing functions, or to a sink for tables. */
struct output {
	struct dp_record_style style;
	struct dp_sink *sink; /* null: printed */
};

static void on_record(void *context, const struct dp_log_record *record)
{
	const struct output *output = context;
	struct dp_record_view view;

	REQUIRE(record->bytes <= DP_RECORD_BODY_MAX);
	if (output->sink == NULL) {
		dp_print_record(&output->style, record);
		return;
	}
	dp_record_view_fill(&view, &output->style, record);
	REQUIRE(dp_sink_record(output->sink, &view));
	dp_record_view_free(&view);
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	const struct output *output = context;

	if (output->sink == NULL)
		dp_print_gap(&output->style, gap);
	else
		REQUIRE(dp_sink_gap(output->sink, gap));
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	const struct output *output = context;
	const struct dp_notice_view view = {notice, output->style.word_bytes, NULL};

	if (output->sink == NULL)
		dp_print_notice(&output->style, notice);
	else
		REQUIRE(dp_sink_notice(output->sink, &view));
}

static struct dp_sink *csv(FILE *out)
{
	const struct dp_sink_options options = {.out = out, .table = DP_TABLE_RECORDS};
	struct dp_sink *sink = dp_sink_open(dp_sink_kind_named("csv"), &options);

	REQUIRE(sink != NULL);
	return sink;
}

/* Digits that are written back. */
struct written {
	uint8_t digits[DP_STREAM_NIBBLES];
	size_t count;
};

static void put(struct written *w, uint64_t value, unsigned digits)
{
	REQUIRE(w->count + digits <= sizeof w->digits);
	while (digits-- > 0)
		w->digits[w->count++] = value >> 4 * digits & 15;
}

static void put_units(struct written *w, const struct dp_record *record, const uint8_t *body)
{
	for (unsigned at = 0; at < record->bytes; at += 4) {
		const uint32_t value = body[at] | body[at + 1] << 8 | body[at + 2] << 16 |
				       (uint32_t)body[at + 3] << 24;
		unsigned digits = 8;

		while (digits > 1 && value >> 4 * (digits - 1) == 0)
			digits--;
		put(w, (at + 4u < record->bytes ? DP_UNIT_MORE : 0) | (digits - 1), 1);
		put(w, value, digits);
	}
}

static void put_bytes(struct written *w, const struct dp_record *record, const uint8_t *body)
{
	put(w, record->bytes < 15 ? record->bytes : 0xf000u | record->bytes,
	    record->bytes < 15 ? 1 : 4);
	for (unsigned i = 0; i < record->bytes; i++)
		put(w, body[i], 2);
}

/* The record as its digits D and X say, each number as short as can be. */
static void put_record(struct written *w, const struct dp_record *record, const uint8_t *body,
		       uint64_t delta, bool same, bool bytes)
{
	const unsigned size = delta == 0 ? 0 : delta < 0x1000 ? 1 : delta < 0x100000 ? 2 : 3;
	const bool codes = record->flags & DP_RECORD_CODES;
	const unsigned x =
		(record->kind || record->flags ? 1 : 0) | (codes ? 2 : 0) | (bytes ? 4 : 0);

	put(w, size | (same ? 4 : 0) | (x ? 8 : 0), 1);
	put(w, x, x != 0);
	put(w, record->probe, same ? 0 : 2);
	put(w, (uint64_t)record->kind << 8 | record->flags, x & 1 ? 3 : 0);
	put(w, (uint64_t)record->major << 16 | record->minor, codes ? 8 : 0);
	put(w, delta, DP_DELTA_DIGITS(size));
	if (bytes)
		put_bytes(w, record, body);
	else
		put_units(w, record, body);
}

/* What is read as a record is written back the same. */
static void write_back(const uint8_t *digits, size_t count)
{
	struct dp_record_reader reader = {.digits = digits, .left = count};
	uint8_t body[DP_RECORD_BODY_MAX];
	struct dp_record record;

	for (;;) {
		const uint8_t *from = reader.digits;
		const uint64_t before = reader.time;
		struct written w = {.count = 0};
		bool bytes;

		if (!dp_record_next(&reader, &record, body))
			return;
		bytes = from[0] & DP_RECORD_EXTRA && from[1] & DP_EXTRA_BYTES;
		put_record(&w, &record, body, reader.time - before, from[0] & DP_RECORD_SAME,
			   bytes);
		REQUIRE(w.count == (size_t)(reader.digits - from));
		REQUIRE(memcmp(w.digits, from, w.count) == 0);
	}
}

static int digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The host may ask for what is missing, and gives up at last. */
static void check_place(struct dp_records *records)
{
	struct dp_records_place place;

	dp_records_place(records, &place);
	REQUIRE(place.next - place.have <= 2048);
	REQUIRE(place.count <= place.next - place.have);
	REQUIRE(place.count == 0 || place.missing == place.have);
	if (place.count > 1000)
		dp_records_give_up(records, place.missing + 1);
}

static void lines(struct dp_records *records, const uint8_t *data, size_t bytes)
{
	static const char stream_letters[] = "RSPYNrsp";
	struct dp_frame_in frame = {.type = DP_FRAME_NONE};

	for (size_t i = 0; i < bytes; i++) {
		int value = digit(data[i]);

		if (value >= 0 && frame.bytes < DP_STREAM_NIBBLES)
			frame.payload[frame.bytes++] = (uint8_t)value;
		if (data[i] == '\n' && frame.type != DP_FRAME_NONE) {
			if (frame.type == DP_FRAME_RECORDS && !frame.compact &&
			    frame.bytes > DP_STREAM_HEAD)
				write_back(frame.payload + DP_STREAM_HEAD,
					   frame.bytes - (size_t)DP_STREAM_HEAD);
			dp_records_line(records, &frame, i);
			check_place(records);
		}
		if (value < 0)
			frame = (struct dp_frame_in){
				.type = data[i] && strchr(stream_letters, data[i])
						? (enum dp_frame_type)(data[i] & ~DP_FRAME_COMPACT)
						: DP_FRAME_NONE,
				.compact = data[i] & DP_FRAME_COMPACT};
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = NULL;
	size_t text_bytes = 0;
	struct output output = {0};
	struct dp_record_style *style = &output.style;
	struct dp_records_listener listener = {&output, on_record, on_gap, on_notice};
	struct dp_probe_meaning meaning = {.name = "fuzz", .major = 1, .minor = 2};
	struct dp_records *records;

	if (bytes < 2 || bytes > BYTES_MAX)
		return 0;
	style->out = open_memstream(&text, &text_bytes);
	style->word_bytes = data[0] & 1 ? 8 : 4;
	style->kind = data[0] & 4 ? dp_sink_kind_named("json") : NULL;
	style->hz = data[0] & 8 ? 1000000 : 0;
	records = dp_records_new(style->word_bytes, data[0] & 2, &listener);
	REQUIRE(style->out && records);
	output.sink = data[0] & 16 ? csv(style->out) : NULL;
	for (unsigned number = 0; number < 8; number++) {
		meaning.items = (uint8_t)(number < 4 ? data[1] & DP_ITEM_ALL : number);
		dp_records_tell(records, (uint8_t)number, &meaning);
	}
	dp_records_resends(records, data[0] & 32);
	lines(records, data + 2, bytes - 2);
	dp_records_resends(records, false);
	dp_records_flush(records, UINT64_MAX);
	dp_records_lossy(records);
	dp_records_free(records);
	dp_sink_close(output.sink);
	fclose(style->out);
	free(text);
	return 0;
}
