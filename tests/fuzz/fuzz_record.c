/* SPDX-License-Identifier: BSD-2-Clause */
/* Records: a header that is read is written back the same; any lines give records, gaps and
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

static void header(const uint8_t *digits, size_t count)
{
	struct dp_record record;
	uint8_t again[DP_RECORD_HEADER_DIGITS_MAX];
	size_t n = dp_record_get(digits, count, &record);

	REQUIRE(n <= count && n <= DP_RECORD_HEADER_DIGITS_MAX);
	if (n == 0)
		return;
	REQUIRE(dp_record_put(&record, again) == n);
	REQUIRE(memcmp(again, digits, n) == 0);
}

static int digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void lines(struct dp_records *records, const uint8_t *data, size_t bytes)
{
	static const char stream_letters[] = "RPYN";
	struct dp_frame_in frame = {.type = DP_FRAME_NONE};

	for (size_t i = 0; i < bytes; i++) {
		int value = digit(data[i]);

		if (value >= 0 && frame.bytes < DP_STREAM_NIBBLES)
			frame.payload[frame.bytes++] = (uint8_t)value;
		if (data[i] == '\n' && frame.type != DP_FRAME_NONE) {
			if (frame.type == DP_FRAME_RECORDS && frame.bytes > 3)
				header(frame.payload + 3, frame.bytes - 3u);
			dp_records_line(records, &frame, i);
		}
		if (value < 0)
			frame = (struct dp_frame_in){
				.type = data[i] && strchr(stream_letters, data[i])
						? (enum dp_frame_type)data[i]
						: DP_FRAME_NONE};
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
	style->json = data[0] & 4;
	style->hz = data[0] & 8 ? 1000000 : 0;
	records = dp_records_new(style->word_bytes, data[0] & 2, &listener);
	REQUIRE(style->out && records);
	output.sink = data[0] & 16 ? csv(style->out) : NULL;
	for (unsigned number = 0; number < 8; number++) {
		meaning.items = (uint8_t)(number < 4 ? data[1] & DP_ITEM_ALL : number);
		dp_records_tell(records, (uint8_t)number, &meaning);
	}
	lines(records, data + 2, bytes - 2);
	dp_records_flush(records, UINT64_MAX);
	dp_records_lossy(records);
	dp_records_free(records);
	dp_sink_close(output.sink);
	fclose(style->out);
	free(text);
	return 0;
}
