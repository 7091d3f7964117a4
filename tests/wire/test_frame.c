/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines: PROTOCOL.md section 3. */
#include "dp_frame.h"

#include "dp_crc.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

#define HOST "ZKRSPYN"

enum {
	SESSION = 0x12345678,
	STREAM_MAX = 4096
};

#define SEED dp_frame_seed(DP_PROTOCOL_VERSION, SESSION, 0)

/* Everything a splitter made of some input. */
struct outcome {
	char console[STREAM_MAX];
	size_t console_bytes;
	unsigned good, bad;
	struct dp_frame_in last;
	struct dp_splitter splitter;
};

static void to_console(struct outcome *o, const uint8_t *bytes, size_t n)
{
	memcpy(o->console + o->console_bytes, bytes, n);
	o->console_bytes += n;
}

static void feed(struct outcome *o, const char *wanted, const void *input, size_t bytes)
{
	const uint8_t *p = input;
	uint8_t text[DP_LINE_MAX];
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++) {
		switch (dp_splitter_feed(&o->splitter, p[i], wanted, text, &n)) {
		case DP_SPLIT_HELD:
			break;
		case DP_SPLIT_CONSOLE:
			to_console(o, text, n);
			break;
		case DP_SPLIT_FRAME:
			if (dp_frame_check(o->splitter.held, o->splitter.used, SEED, &o->last)) {
				o->good++;
				dp_splitter_take(&o->splitter);
			} else {
				o->bad++;
				to_console(o, text, dp_splitter_flush(&o->splitter, text));
			}
			break;
		}
	}
}

static struct outcome split(const char *wanted, const void *input, size_t bytes)
{
	struct outcome o = {0};

	feed(&o, wanted, input, bytes);
	return o;
}

static size_t answer(char *line, uint8_t seq, const void *payload, size_t bytes)
{
	return dp_frame_put_control(line, DP_FRAME_ANSWER, seq, payload, bytes, SEED);
}

static bool console_is(const struct outcome *o, const void *text, size_t bytes)
{
	return o->console_bytes == bytes && memcmp(o->console, text, bytes) == 0;
}

static void control_round_trip(void)
{
	uint8_t payload[DP_PAYLOAD_MAX];
	char line[DP_LINE_MAX];

	for (size_t n = 0; n <= DP_PAYLOAD_MAX; n++) {
		struct outcome o;
		size_t length;

		for (size_t i = 0; i < n; i++)
			payload[i] = (uint8_t)(rand() >> 4);
		length = answer(line, (uint8_t)(n * 5), payload, n);
		CHECK(length == 15 + 2 * n && length <= DP_LINE_MAX);
		CHECK(line[length - 1] == '\n');
		o = split(HOST, line, length);
		CHECK(o.good == 1 && o.console_bytes == 0);
		CHECK(o.last.type == DP_FRAME_ANSWER && o.last.seq == (uint8_t)(n * 5));
		CHECK(o.last.bytes == n && memcmp(o.last.payload, payload, n) == 0);
	}
	CHECK(answer(line, 0, payload, DP_PAYLOAD_MAX + 1) == 0);
}

/* proves: R3.4 */
static void other_sessions_fail(void)
{
	char line[DP_LINE_MAX];
	size_t n = answer(line, 1, "ab", 2);
	struct dp_frame_in in;

	CHECK(dp_frame_check((uint8_t *)line, n, SEED, &in));
	CHECK(!dp_frame_check((uint8_t *)line, n,
			      dp_frame_seed(DP_PROTOCOL_VERSION, SESSION + 1, 0), &in));
	CHECK(in.type == DP_FRAME_ANSWER && in.seq == 1);
	CHECK(!dp_frame_check((uint8_t *)line, n, DP_HELLO_SEED, &in));
	CHECK(DP_HELLO_SEED == dp_crc32(0, "\0\0\0\0\0", 5));
	CHECK(!dp_frame_check((uint8_t *)line, n, dp_frame_seed(DP_PROTOCOL_VERSION, SESSION, 1),
			      &in));
}

/* PROTOCOL.md 6, a bit at a time. */
static uint16_t crc16_by_bits(const uint8_t *p, size_t bytes)
{
	unsigned crc = DP_CRC16_START;

	for (size_t bit = 0; bit < 8 * bytes; bit++) {
		unsigned in = p[bit / 8] >> (7 - bit % 8) & 1;

		crc = (crc << 1 ^ ((crc >> 15 ^ in) != 0 ? 0x1021 : 0)) & 0xffff;
	}
	return (uint16_t)crc;
}

/* Words are taken whole: the check is the same wherever the bytes begin and end. */
static void check_of_any_bytes(void)
{
	_Alignas(4) uint8_t bytes[4 + 40];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)rand();
	for (size_t at = 0; at < 4; at++)
		for (size_t n = 0; n <= 40; n++)
			CHECK(dp_crc16(DP_CRC16_START, bytes + at, n) ==
			      crc16_by_bits(bytes + at, n));
}

static void digits_of_a_value(void)
{
	char text[] = "........X";

	for (unsigned n = 1; n <= 8; n++) {
		memset(text, '.', 8);
		CHECK(dp_digits_put(text, 0x89abcdef, n) == text + n);
		CHECK(memcmp(text, &"89ABCDEF"[8 - n], n) == 0 && text[n] == "........X"[n]);
	}
	dp_eight_put(text, 0x01234567);
	CHECK(strcmp(text, "01234567X") == 0);
}

static size_t stream_line(struct dp_line *line, enum dp_frame_type type, unsigned digits)
{
	dp_line_begin(line, type);
	for (unsigned i = 0; i < digits; i++)
		dp_line_put(line, i * 7, 1);
	dp_line_end(line);
	return line->used;
}

/* proves: R3.6 */
static void stream_round_trip(void)
{
	static const char types[] = "RSPYNK";
	struct dp_line line;

	for (const char *type = types; *type != '\0'; type++) {
		for (unsigned n = 0; n <= DP_STREAM_NIBBLES; n++) {
			size_t length = stream_line(&line, (enum dp_frame_type) * type, n);
			struct outcome o = split(HOST, line.text, length);

			CHECK(length == n + 7);
			CHECK(o.good == 1 && o.last.type == (enum dp_frame_type) * type);
			CHECK(o.last.bytes == n);
			for (unsigned i = 0; i < n; i++)
				CHECK(o.last.payload[i] == (i * 7) % 16);
		}
	}
}

static void line_never_overflows(void)
{
	struct dp_line line;

	dp_line_begin(&line, DP_FRAME_RECORDS);
	CHECK(dp_line_room(&line) == DP_STREAM_NIBBLES);
	for (int i = 0; i < 40; i++)
		dp_line_put(&line, 0xfff, 3);
	CHECK(dp_line_room(&line) == 1);
	dp_line_put(&line, 1, 2);
	CHECK(dp_line_room(&line) == 1);
	dp_line_end(&line);
	CHECK(line.used == DP_STREAM_NIBBLES - 1 + 7);
}

/* proves: R3.1 R3.3 R3.6 */
static void longest_line_and_one_more(void)
{
	struct dp_line line;
	char longer[DP_LINE_MAX + 1];
	uint8_t payload[DP_PAYLOAD_MAX] = {0};
	size_t n = answer(line.text, 1, payload, sizeof payload);
	struct outcome o;

	CHECK(split(HOST, line.text, n).good == 1 && n == 127);
	/* 128 characters are held until the newline, 129 are text at once. */
	memset(longer, 'A', sizeof longer);
	memcpy(longer, "~Z", 2);
	longer[DP_LINE_MAX - 1] = '\n';
	o = split(HOST, longer, DP_LINE_MAX);
	CHECK(o.good == 0 && o.bad == 1 && console_is(&o, longer, DP_LINE_MAX));
	longer[DP_LINE_MAX - 1] = 'A';
	o = split(HOST, longer, DP_LINE_MAX);
	CHECK(o.good == 0 && o.bad == 0 && console_is(&o, longer, DP_LINE_MAX));
	/* More digits than a stream line may have, with a right check. */
	memset(longer, '0', sizeof longer);
	memcpy(longer, "~R", 2);
	snprintf(longer + 2 + 119, 6, "%04X\n", dp_crc16(DP_CRC16_START, longer + 1, 1 + 119));
	o = split(HOST, longer, 2 + 119 + 5);
	CHECK(o.good == 0 && o.bad == 1);
}

static void found_in_the_middle_of_text(void)
{
	char line[DP_LINE_MAX];
	size_t n = answer(line, 9, "xyz", 3);
	char stream[512] = "boot: ok\r\n> pro";
	size_t used = strlen(stream);
	struct outcome o;

	memcpy(stream + used, line, n);
	memcpy(stream + used + n, "mpt", 3);
	o = split(HOST, stream, used + n + 3);
	CHECK(o.good == 1 && console_is(&o, "boot: ok\r\n> prompt", 18));
}

/* The firmware printed into the middle of a frame, then the next frame follows. */
/* proves: R3.8 */
static void marker_restarts_candidate(void)
{
	char line[DP_LINE_MAX], stream[2 * DP_LINE_MAX];
	size_t n = answer(line, 9, "xyz", 3);

	for (size_t cut = 1; cut < n; cut++) {
		struct outcome o;

		memcpy(stream, line, cut);
		memcpy(stream + cut, line, n);
		o = split(HOST, stream, cut + n);
		CHECK(o.good == 1 && o.last.seq == 9 && console_is(&o, line, cut));
	}
	CHECK(split(HOST, "~~~~Z", 5).console_bytes == 3);
}

static void only_wanted_types(void)
{
	char line[DP_LINE_MAX];
	size_t n = dp_frame_put_control(line, DP_FRAME_REQUEST, 1, NULL, 0, SEED);
	struct outcome host = split(HOST, line, n), agent = split("Q", line, n);

	CHECK(host.good == 0 && console_is(&host, line, n));
	CHECK(agent.good == 1 && agent.console_bytes == 0);
	n = answer(line, 1, "a", 1);
	agent = split("Q", line, n);
	CHECK(agent.good == 0 && console_is(&agent, line, n));
}

/* One character replaced by each other one: never accepted, never lost. */
/* proves: R3.12 */
static void one_wrong_character(void)
{
	char line[DP_LINE_MAX], damaged[DP_LINE_MAX];
	size_t n = answer(line, 0x5a, "\x01\xff\x80", 3);

	for (size_t at = 0; at < n; at++) {
		for (int c = 0; c < 256; c++) {
			struct outcome o;

			memcpy(damaged, line, n);
			damaged[at] = (char)c;
			if (damaged[at] == line[at])
				continue;
			o = split(HOST, damaged, n);
			CHECK(o.good == 0);
			to_console(&o, o.splitter.held, o.splitter.used);
			CHECK(console_is(&o, damaged, n));
		}
	}
}

/* proves: R3.2 */
static void lower_case_blank_and_return_are_text(void)
{
	static const char *const tails[] = {"\r\n", " \n", "\n"};
	char line[DP_LINE_MAX];
	size_t n = answer(line, 0xab, "\xcd", 1);

	for (size_t i = 0; i < 3; i++) {
		char copy[DP_LINE_MAX + 2];
		struct outcome o;

		memcpy(copy, line, n - 1);
		memcpy(copy + n - 1, tails[i], strlen(tails[i]));
		if (i == 2)
			copy[2] = 'a';
		o = split(HOST, copy, n - 1 + strlen(tails[i]));
		CHECK(o.good == 0 && console_is(&o, copy, n - 1 + strlen(tails[i])));
	}
}

/* The length field counts: a longer or shorter payload with a right check fails. */
/* proves: R3.3 */
static void length_must_match(void)
{
	char line[DP_LINE_MAX];
	struct dp_frame_in in;
	size_t n = answer(line, 1, "abcd", 4);

	CHECK(dp_frame_check((uint8_t *)line, n, SEED, &in));
	CHECK(!dp_frame_check((uint8_t *)line, n - 1, SEED, &in));
	line[4] = '0';
	for (char c = '0'; c <= '9'; c++) {
		line[5] = c;
		CHECK(dp_frame_check((uint8_t *)line, n, SEED, &in) == (c == '4'));
	}
	memcpy(line + 4, "FF", 2);
	CHECK(!dp_frame_check((uint8_t *)line, n, SEED, &in));
	CHECK(!dp_frame_check((const uint8_t *)"~Z\n", 3, 0, &in));
	CHECK(!dp_frame_check((const uint8_t *)"~ZABCDEF01\n", 11, 0, &in));
	CHECK(!dp_frame_check((const uint8_t *)"~K123\n", 6, 0, &in));
	CHECK(!dp_frame_check((const uint8_t *)"~", 1, 0, &in) && in.type == DP_FRAME_NONE);
}

/* Random text rich in markers and digits: what goes in comes out, in order, frames taken out. */
/* proves: R3.7 R7.6 */
static void console_unchanged_byte_for_byte(void)
{
	static const char alphabet[] = "~ZRSPYNK0123456789ABCDEFaz \r\n";

	for (int round = 0; round < 2000; round++) {
		char input[1024], text[1024], line[DP_LINE_MAX];
		size_t in = 0, out = 0;
		unsigned frames = 0;
		struct outcome o = {0};

		while (in < 800) {
			if (rand() % 40 == 0) {
				size_t n = answer(line, (uint8_t)rand(), "abc", (size_t)rand() % 4);

				memcpy(input + in, line, n);
				in += n;
				frames++;
			} else {
				char c = alphabet[(size_t)rand() % (sizeof alphabet - 1)];

				input[in++] = c;
				text[out++] = c;
			}
		}
		feed(&o, HOST, input, in);
		to_console(&o, o.splitter.held, o.splitter.used);
		CHECK(o.good == frames && console_is(&o, text, out));
	}
}

static void flush_and_take(void)
{
	struct dp_splitter s = {0};
	uint8_t text[DP_LINE_MAX];
	size_t n = 0;

	CHECK(dp_splitter_feed(&s, '~', HOST, text, &n) == DP_SPLIT_HELD);
	CHECK(dp_splitter_feed(&s, 'Z', HOST, text, &n) == DP_SPLIT_HELD);
	CHECK(dp_splitter_flush(&s, text) == 2 && memcmp(text, "~Z", 2) == 0);
	CHECK(dp_splitter_flush(&s, text) == 0);
	CHECK(dp_splitter_feed(&s, '0', HOST, text, &n) == DP_SPLIT_CONSOLE && n == 1);
	dp_splitter_feed(&s, '~', HOST, text, &n);
	dp_splitter_take(&s);
	CHECK(dp_splitter_flush(&s, text) == 0);
}

int main(void)
{
	srand(1);
	control_round_trip();
	other_sessions_fail();
	check_of_any_bytes();
	digits_of_a_value();
	stream_round_trip();
	line_never_overflows();
	longest_line_and_one_more();
	found_in_the_middle_of_text();
	marker_restarts_candidate();
	only_wanted_types();
	one_wrong_character();
	lower_case_blank_and_return_are_text();
	length_must_match();
	console_unchanged_byte_for_byte();
	flush_and_take();
	return check_status();
}
