/* SPDX-License-Identifier: BSD-2-Clause */
#include "dp_frame.h"

#include "dp_bytes.h"
#include "dp_crc.h"

enum {
	CRC16_DIGITS = 4,
	CRC32_DIGITS = 8,
	CONTROL_HEAD = 4, /* digits of sequence and length */
};

/* Digits of the check of a frame type; 0: no such type. */
static unsigned check_digits(uint8_t letter)
{
	switch (letter) {
#define FRAME(type, name, check, sentence)                                                         \
	case (type):                                                                               \
		return check##_DIGITS;
#include "frames.def"
	default:
		return 0;
	}
}

static char *put_hex(char *p, uint32_t value, unsigned digits)
{
	while (digits-- > 0)
		*p++ = "0123456789ABCDEF"[(value >> (4 * digits)) & 15];
	return p;
}

/* Only the digits that put_hex writes: lower case is no digit. 16 for anything else. */
static uint8_t hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return (uint8_t)(c - '0');
	if (c >= 'A' && c <= 'F')
		return (uint8_t)(c - 'A' + 10);
	return 16;
}

static uint32_t get_hex(const uint8_t *p, unsigned digits)
{
	uint32_t value = 0;

	while (digits-- > 0)
		value = value << 4 | (hex_digit(*p++) & 15);
	return value;
}

uint32_t dp_frame_seed(uint8_t version, uint32_t session)
{
	uint8_t seed[5];

	seed[0] = version;
	dp_put_u32(seed + 1, session);
	return dp_crc32(0, seed, sizeof seed);
}

size_t dp_frame_put_control(char *line, enum dp_frame_type type, uint8_t seq,
			    const uint8_t *payload, size_t bytes, uint32_t seed)
{
	char *p = line;

	if (bytes > DP_PAYLOAD_MAX)
		return 0;
	*p++ = DP_FRAME_MARK;
	*p++ = (char)type;
	p = put_hex(p, seq, 2);
	p = put_hex(p, (uint32_t)bytes, 2);
	for (size_t i = 0; i < bytes; i++)
		p = put_hex(p, payload[i], 2);
	p = put_hex(p, dp_crc32(seed, line + 1, (size_t)(p - line) - 1), CRC32_DIGITS);
	*p++ = '\n';
	return (size_t)(p - line);
}

void dp_line_begin(struct dp_line *line, enum dp_frame_type type)
{
	line->text[0] = DP_FRAME_MARK;
	line->text[1] = (char)type;
	line->used = 2;
}

size_t dp_line_room(const struct dp_line *line)
{
	return 2u + DP_STREAM_NIBBLES - line->used;
}

void dp_line_put(struct dp_line *line, uint32_t value, unsigned digits)
{
	if (digits > dp_line_room(line))
		return;
	put_hex(line->text + line->used, value, digits);
	line->used = (uint8_t)(line->used + digits);
}

void dp_line_end(struct dp_line *line)
{
	uint16_t crc = dp_crc16(DP_CRC16_START, line->text + 1, line->used - 1u);
	char *end = put_hex(line->text + line->used, crc, CRC16_DIGITS);

	*end = '\n';
	line->used = (uint8_t)(line->used + CRC16_DIGITS + 1);
}

static bool listens_to(const char *wanted, uint8_t letter)
{
	while (*wanted != '\0')
		if ((uint8_t)*wanted++ == letter)
			return true;
	return false;
}

size_t dp_splitter_flush(struct dp_splitter *s, uint8_t *console)
{
	size_t n = s->used;

	for (size_t i = 0; i < n; i++)
		console[i] = s->held[i];
	s->used = 0;
	return n;
}

void dp_splitter_take(struct dp_splitter *s)
{
	s->used = 0;
}

enum dp_split dp_splitter_feed(struct dp_splitter *s, uint8_t byte, const char *wanted,
			       uint8_t *console, size_t *n)
{
	/* A marker begins a new candidate wherever it stands. */
	if (byte == DP_FRAME_MARK) {
		*n = dp_splitter_flush(s, console);
		s->held[s->used++] = byte;
		return *n > 0 ? DP_SPLIT_CONSOLE : DP_SPLIT_HELD;
	}
	if (s->used == 1 ? listens_to(wanted, byte) : s->used > 1) {
		bool last = s->used == DP_LINE_MAX - 1;

		if (s->used > 1 && byte == '\n') {
			s->held[s->used++] = byte;
			return DP_SPLIT_FRAME;
		}
		if (s->used == 1 || (hex_digit(byte) < 16 && !last)) {
			s->held[s->used++] = byte;
			return DP_SPLIT_HELD;
		}
	}
	*n = dp_splitter_flush(s, console);
	console[(*n)++] = byte;
	return DP_SPLIT_CONSOLE;
}

/* REQUEST and ANSWER. digits: those between type and check. */
static bool check_control(const uint8_t *line, size_t digits, uint32_t seed,
			  struct dp_frame_in *out)
{
	size_t bytes;

	if (digits < CONTROL_HEAD)
		return false;
	bytes = get_hex(line + 4, 2);
	if (bytes > DP_PAYLOAD_MAX || digits != CONTROL_HEAD + 2 * bytes)
		return false;
	out->type = (enum dp_frame_type)line[1];
	out->seq = (uint8_t)get_hex(line + 2, 2);
	out->bytes = (uint8_t)bytes;
	for (size_t i = 0; i < bytes; i++)
		out->payload[i] = (uint8_t)get_hex(line + 2 + CONTROL_HEAD + 2 * i, 2);
	return dp_crc32(seed, line + 1, digits + 1) == out->check;
}

static bool check_stream(const uint8_t *line, size_t digits, struct dp_frame_in *out)
{
	if (digits > DP_STREAM_NIBBLES)
		return false;
	out->type = (enum dp_frame_type)line[1];
	out->bytes = (uint8_t)digits;
	for (size_t i = 0; i < digits; i++)
		out->payload[i] = hex_digit(line[2 + i]);
	return dp_crc16(DP_CRC16_START, line + 1, digits + 1) == out->check;
}

bool dp_frame_check(const uint8_t *line, size_t bytes, uint32_t seed, struct dp_frame_in *out)
{
	unsigned check;

	out->type = DP_FRAME_NONE;
	out->seq = 0;
	out->bytes = 0;
	out->check = 0;
	if (bytes < 3 || bytes > DP_LINE_MAX || line[0] != DP_FRAME_MARK || line[bytes - 1] != '\n')
		return false;
	check = check_digits(line[1]);
	if (check == 0 || bytes < 3 + check)
		return false;
	for (size_t i = 2; i < bytes - 1; i++)
		if (hex_digit(line[i]) > 15)
			return false;
	out->check = get_hex(line + bytes - 1 - check, check);
	if (check == CRC32_DIGITS)
		return check_control(line, bytes - 3 - check, seed, out);
	return check_stream(line, bytes - 3 - check, out);
}
