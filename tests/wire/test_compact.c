/* SPDX-License-Identifier: BSD-2-Clause */
/* Compact lines: PROTOCOL.md 4.3. */
#include "dp_compact_line.h"

#include "dp_crc.h"
#include "dp_frame.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

#define HOST "ZKRSPYNrsp"

enum {
	BASE = 91,
	LONGEST = 79
};

/* A line with these digits, as the agent writes it. */
static size_t write_line(struct dp_line *line, char type, const uint8_t *digits, unsigned count)
{
	dp_line_begin(line, (enum dp_frame_type)type);
	for (unsigned i = 0; i < count; i++)
		dp_line_put(line, digits[i], 1);
	dp_compact_end(line);
	return line->used;
}

/* A line with these characters and the right check. */
static size_t write_characters(char *line, const char *characters)
{
	const size_t count = strlen(characters);
	unsigned crc;
	char *p = line + 2 + count;

	memcpy(line, "~r", 2);
	memcpy(line + 2, characters, count);
	crc = dp_crc16(DP_CRC16_START, line + 1, count + 1);
	*p++ = (char)('#' + (crc & 0x1fff) / BASE);
	*p++ = (char)('#' + (crc & 0x1fff) % BASE);
	*p++ = (char)('#' + (crc >> 13));
	*p++ = '\n';
	return (size_t)(p - line);
}

static bool reads(const char *characters, unsigned digits)
{
	char line[2 * DP_LINE_MAX];
	struct dp_frame_in frame;
	const size_t bytes = write_characters(line, characters);

	return dp_frame_check((const uint8_t *)line, bytes, 0, &frame) && frame.bytes == digits &&
	       frame.type == DP_FRAME_RECORDS && frame.compact;
}

static void random_digits(uint8_t *digits)
{
	for (unsigned i = 0; i < DP_STREAM_NIBBLES; i++)
		digits[i] = (uint8_t)(rand() >> 8 & 15);
}

static bool is_right(const struct dp_line *line, size_t bytes)
{
	for (size_t i = 2; i < bytes - 1; i++)
		if (line->text[i] < '#' || line->text[i] > '}')
			return false;
	return line->text[0] == '~' && line->text[bytes - 1] == '\n' && bytes <= LONGEST;
}

/* proves: R4.40 R4.41 R4.42 */
static void round_trip(void)
{
	static const char types[] = "RSP";
	uint8_t digits[DP_STREAM_NIBBLES];
	struct dp_line line;
	struct dp_frame_in frame;

	for (unsigned times = 0; times < 20; times++) {
		for (unsigned n = 0; n <= DP_STREAM_NIBBLES; n++) {
			const char type = types[n % 3];
			size_t bytes;

			random_digits(digits);
			bytes = write_line(&line, type, digits, n);
			CHECK(is_right(&line, bytes));
			CHECK(dp_frame_check((uint8_t *)line.text, bytes, 0, &frame));
			CHECK(frame.type == (enum dp_frame_type)type && frame.compact);
			CHECK(frame.bytes == n && memcmp(frame.payload, digits, n) == 0);
		}
	}
	CHECK(write_line(&line, 'R', digits, DP_STREAM_NIBBLES) == LONGEST);
}

/* All numbers of 13 bits, where the quotient is made without a division. */
static void all_pairs(void)
{
	struct dp_line line;

	for (unsigned value = 0; value < 1 << 13; value++) {
		const uint8_t digits[] = {(uint8_t)(value >> 9), (uint8_t)(value >> 5 & 15),
					  (uint8_t)(value >> 1 & 15), (uint8_t)(value << 3 & 8)};

		write_line(&line, 'R', digits, 4);
		CHECK(line.text[2] == (char)('#' + value / BASE));
		CHECK(line.text[3] == (char)('#' + value % BASE));
	}
}

/* Other characters for the digits of a line, and characters for none. */
/* proves: R4.44 */
static void one_spelling(void)
{
	CHECK(reads("C", 0));    /* 100000: no digit */
	CHECK(reads("%", 1));    /* 000010: the digit 0 */
	CHECK(!reads("", 0));    /* no end */
	CHECK(!reads("#", 0));   /* no 1 */
	CHECK(!reads("##", 0));  /* nor in a pair */
	CHECK(!reads("C##", 0)); /* zeros behind the end */
	CHECK(!reads("3", 0));   /* 010000: 1 bit before the end */
	CHECK(!reads("c", 1));   /* 64: more than 6 bits */
	CHECK(!reads("}}", 3));  /* 8280: more than 13 bits */
	CHECK(!reads("%m", 1));  /* 0000 1 and eight zeros: one character is enough */
}

/* As many digits as a line may have, and one more, with the right check. */
static void too_many_digits(void)
{
	char characters[DP_LINE_MAX];

	memset(characters, '#', sizeof characters); /* 72 characters: 117 digits */
	memcpy(characters + 72, "%", 2);            /* 000010 */
	CHECK(reads(characters, DP_STREAM_NIBBLES));
	memcpy(characters + 72, "#3", 3); /* 0000000010000 */
	CHECK(!reads(characters, DP_STREAM_NIBBLES + 1));
}

/* No line with one other character, or without one, is a frame with other digits. */
static void one_wrong_character(void)
{
	uint8_t digits[DP_STREAM_NIBBLES];
	struct dp_line line, wrong;
	struct dp_frame_in frame;
	size_t bytes;

	random_digits(digits);
	bytes = write_line(&line, 'R', digits, 60);
	for (size_t at = 1; at < bytes; at++) {
		for (unsigned c = 0; c < 256; c++) {
			wrong = line;
			wrong.text[at] = (char)c;
			if ((char)c != line.text[at])
				CHECK(!dp_frame_check((uint8_t *)wrong.text, bytes, 0, &frame));
		}
		wrong = line;
		memmove(wrong.text + at, wrong.text + at + 1, bytes - at - 1);
		CHECK(!dp_frame_check((uint8_t *)wrong.text, bytes - 1, 0, &frame));
	}
}

/* In the middle of text; a marker begins a new candidate. */
static void in_text(void)
{
	struct dp_splitter splitter = {0};
	struct dp_line line;
	char stream[512] = "boot ok\r\n> ~r say ~";
	uint8_t digits[DP_STREAM_NIBBLES], text[DP_LINE_MAX];
	size_t used = strlen(stream), bytes, n = 0, shown = 0, frames = 0;

	random_digits(digits);
	bytes = write_line(&line, 'S', digits, 100);
	memcpy(stream + used, line.text, bytes);
	memcpy(stream + used + bytes, "more", 5);
	for (size_t i = 0; i < used + bytes + 4; i++) {
		switch (dp_splitter_feed(&splitter, (uint8_t)stream[i], HOST, text, &n)) {
		case DP_SPLIT_HELD:
			break;
		case DP_SPLIT_CONSOLE:
			CHECK(memcmp(text, stream + shown + (frames ? bytes : 0), n) == 0);
			shown += n;
			break;
		case DP_SPLIT_FRAME:
			CHECK(memcmp(splitter.held, line.text, bytes) == 0);
			frames++;
			dp_splitter_take(&splitter);
			break;
		}
	}
	CHECK(frames == 1 && shown == used + 4);
}

/* An agent takes none: its letters are not in the mask. */
static void not_for_the_agent(void)
{
	struct dp_splitter splitter = {0};
	uint8_t text[DP_LINE_MAX];
	size_t n = 0;

	CHECK(dp_splitter_feed(&splitter, '~', "Q", text, &n) == DP_SPLIT_HELD);
	CHECK(dp_splitter_feed(&splitter, 'r', "Q", text, &n) == DP_SPLIT_CONSOLE && n == 2);
}

int main(void)
{
	srand(1);
	round_trip();
	all_pairs();
	one_spelling();
	too_many_digits();
	one_wrong_character();
	in_text();
	not_for_the_agent();
	return check_status();
}
