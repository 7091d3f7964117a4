/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames: whatever comes in goes out again, as frames and console text in order, byte for byte; and
 * what this side writes, the other side reads. Input: u8 mode, then bytes of a line. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dp_compact_line.h"
#include "dp_frame.h"

enum {
	BYTES_MAX = 4096,
	MODE_AGENT = 0x01,
	SEED_SESSION = 0x12345678
};

#define REQUIRE(what) ((what) ? (void)0 : abort())

struct split {
	struct dp_splitter splitter;
	const uint8_t *expected; /* what has to come out next */
	size_t left;
	uint32_t seed;
	unsigned frames;
};

static void out(struct split *split, const uint8_t *bytes, size_t count)
{
	REQUIRE(count <= split->left);
	REQUIRE(memcmp(bytes, split->expected, count) == 0);
	split->expected += count;
	split->left -= count;
}

/* Digits have one compact spelling. */
static void spelled_again(const struct dp_frame_in *frame, const uint8_t *line, size_t bytes)
{
	struct dp_line again;

	dp_line_begin(&again, frame->type);
	for (unsigned i = 0; i < frame->bytes; i++)
		dp_line_put(&again, frame->payload[i], 1);
	dp_compact_end(&again);
	REQUIRE(again.used == bytes && memcmp(again.text, line, bytes) == 0);
}

static void line(struct split *split)
{
	struct dp_splitter *s = &split->splitter;
	struct dp_frame_in frame;
	uint8_t console[DP_LINE_MAX];

	REQUIRE(s->used <= DP_LINE_MAX);
	if (dp_frame_check(s->held, s->used, split->seed, &frame)) {
		if (frame.compact)
			spelled_again(&frame, s->held, s->used);
		REQUIRE(frame.type != DP_FRAME_NONE && frame.bytes <= sizeof frame.payload);
		out(split, s->held, s->used);
		dp_splitter_take(s);
		split->frames++;
	} else {
		out(split, console, dp_splitter_flush(s, console));
	}
}

static unsigned feed(const uint8_t *data, size_t bytes, const char *wanted, uint32_t seed)
{
	struct split split = {.expected = data, .left = bytes, .seed = seed};
	uint8_t console[DP_LINE_MAX];

	for (size_t i = 0; i < bytes; i++) {
		size_t n = 0;

		switch (dp_splitter_feed(&split.splitter, data[i], wanted, console, &n)) {
		case DP_SPLIT_HELD:
			break;
		case DP_SPLIT_CONSOLE:
			REQUIRE(n <= sizeof console);
			out(&split, console, n);
			break;
		case DP_SPLIT_FRAME:
			line(&split);
			break;
		}
	}
	out(&split, console, dp_splitter_flush(&split.splitter, console));
	REQUIRE(split.left == 0);
	return split.frames;
}

/* A request with these bytes, written and read. */
static void round_trip(const uint8_t *data, size_t bytes, uint32_t seed)
{
	char text[DP_LINE_MAX];
	struct dp_frame_in frame;
	size_t n = dp_frame_put_control(text, DP_FRAME_REQUEST, 7, data, bytes, seed);

	REQUIRE((n == 0) == (bytes > DP_PAYLOAD_MAX));
	if (n == 0)
		return;
	REQUIRE(n <= DP_LINE_MAX);
	REQUIRE(dp_frame_check((uint8_t *)text, n, seed, &frame));
	REQUIRE(frame.type == DP_FRAME_REQUEST && frame.seq == 7 && frame.bytes == bytes);
	REQUIRE(memcmp(frame.payload, data, bytes) == 0);
	REQUIRE(feed((uint8_t *)text, n, "Q", seed) == 1);
}

/* A stream line with these digits. */
static void stream_line(const uint8_t *data, size_t bytes)
{
	struct dp_line text;
	struct dp_frame_in frame;
	size_t digits = 0;

	dp_line_begin(&text, DP_FRAME_RECORDS);
	for (; digits < bytes && dp_line_room(&text) > 0; digits++)
		dp_line_put(&text, data[digits] & 15, 1);
	dp_line_end(&text);
	REQUIRE(dp_frame_check((uint8_t *)text.text, text.used, 0, &frame));
	REQUIRE(frame.type == DP_FRAME_RECORDS && frame.bytes == digits);
	for (size_t i = 0; i < digits; i++)
		REQUIRE(frame.payload[i] == (data[i] & 15));
	text.used = (uint8_t)(2 + digits);
	dp_compact_end(&text);
	REQUIRE(dp_frame_check((uint8_t *)text.text, text.used, 0, &frame));
	REQUIRE(frame.compact && frame.type == DP_FRAME_RECORDS && frame.bytes == digits);
	for (size_t i = 0; i < digits; i++)
		REQUIRE(frame.payload[i] == (data[i] & 15));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	uint32_t seed = dp_frame_seed(DP_PROTOCOL_VERSION, SEED_SESSION, 0);

	if (bytes < 1 || bytes > BYTES_MAX)
		return 0;
	feed(data + 1, bytes - 1, data[0] & MODE_AGENT ? "Q" : "ZKRSPYNrsp",
	     data[0] & 2 ? DP_HELLO_SEED : seed);
	round_trip(data + 1, bytes - 1, seed);
	stream_line(data + 1, bytes - 1);
	return 0;
}
