/* SPDX-License-Identifier: BSD-2-Clause */
/* Encode and decode frames: find each frame in a byte stream. */
#include "dp_frame.h"

#include "dp_crc.h"

enum {
	DP_CRC16_DIGITS = 4,
	DP_CRC32_DIGITS = 8,
	DP_CONTROL_CHARACTERS =
		DP_CONTROL_HEAD + DP_CRC32_DIGITS + 1, /* of a line without payload */
};
_Static_assert(DP_CONTROL_CHARACTERS + 2 * DP_PAYLOAD_MAX <= DP_LINE_MAX &&
		       DP_CONTROL_CHARACTERS + 2 * (DP_PAYLOAD_MAX + 1) > DP_LINE_MAX,
	       "a line that fits holds no more payload than fits");

const char dp_digit[16] = "0123456789ABCDEF";

char *dp_digits_put(char *p, uint32_t value, unsigned digits)
{
	value <<= 32 - 4 * digits;
	do {
		*p++ = dp_digit[value >> 28];
		value <<= 4;
	} while (--digits > 0);
	return p;
}

void dp_eight_put(char *p, uint32_t value)
{
#if DP_CRC_TABLE
	p[0] = dp_digit[value >> 28];
	p[1] = dp_digit[value >> 24 & 15];
	p[2] = dp_digit[value >> 20 & 15];
	p[3] = dp_digit[value >> 16 & 15];
	p[4] = dp_digit[value >> 12 & 15];
	p[5] = dp_digit[value >> 8 & 15];
	p[6] = dp_digit[value >> 4 & 15];
	p[7] = dp_digit[value & 15];
#else
	dp_digits_put(p, value, 8);
#endif
}

uint8_t dp_hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return (uint8_t)(c - '0');
	if (c >= 'A' && c <= 'F')
		return (uint8_t)(c - 'A' + 10);
	return 16;
}

uint32_t dp_hex_number(const uint8_t *p, unsigned digits)
{
	uint32_t value = 0;

	while (digits-- > 0)
		value = value << 4 | dp_hex_digit(*p++);
	return value;
}

size_t dp_frame_put_control(char *line, enum dp_frame_type type, uint8_t seq,
			    const uint8_t *payload, size_t bytes, uint32_t seed)
{
	char *p = line;

	if (bytes > DP_PAYLOAD_MAX)
		return 0;
	*p++ = DP_FRAME_MARK;
	*p++ = (char)type;
	p = dp_digits_put(p, seq, 2);
	p = dp_digits_put(p, (uint32_t)bytes, 2);
	for (size_t i = 0; i < bytes; i++)
		p = dp_digits_put(p, payload[i], 2);
	p = dp_digits_put(p, dp_crc32(seed, line + 1, (size_t)(p - line) - 1), DP_CRC32_DIGITS);
	*p++ = '\n';
	return (size_t)(p - line);
}

void dp_line_begin(struct dp_line *line, enum dp_frame_type type)
{
	line->text[0] = DP_FRAME_MARK;
	line->text[1] = (char)type;
	line->used = 2;
}

void dp_line_put(struct dp_line *line, uint32_t value, unsigned digits)
{
	if (digits > dp_line_room(line))
		return;
	dp_digits_put(line->text + line->used, value, digits);
	line->used = (uint8_t)(line->used + digits);
}

void dp_line_end(struct dp_line *line)
{
	uint16_t crc = dp_crc16(DP_CRC16_START, line->text + 1, line->used - 1u);
	char *end = dp_digits_put(line->text + line->used, crc, DP_CRC16_DIGITS);

	*end = '\n';
	line->used = (uint8_t)(line->used + DP_CRC16_DIGITS + 1);
}

static bool listens_to(uint32_t wanted, uint8_t letter)
{
	return letter >= 'A' && letter <= 'Z' && wanted & DP_FRAME_LETTER(letter);
}

enum dp_split dp_splitter_next(struct dp_splitter *s, uint8_t byte, uint32_t wanted, size_t *text)
{
	size_t before = s->used;

	/* A marker begins a new candidate wherever it stands. held[0] never is anything else. */
	if (byte == DP_FRAME_MARK) {
		*text = before;
		s->held[0] = byte;
		s->used = 1;
		return before > 0 ? DP_SPLIT_CONSOLE : DP_SPLIT_HELD;
	}
	s->held[s->used++] = byte;
	if (before > 1 && byte == '\n')
		return DP_SPLIT_FRAME;
	if (before == 1 ? listens_to(wanted, byte)
			: before > 1 && dp_hex_digit(byte) < 16 && s->used < DP_LINE_MAX)
		return DP_SPLIT_HELD;
	*text = s->used;
	s->used = 0;
	return DP_SPLIT_CONSOLE;
}

uint32_t dp_control_crc(uint32_t crc, const uint8_t *line, size_t used)
{
	if (used < 2 + DP_CRC32_DIGITS)
		return crc;
	return dp_crc32(crc, line + used - 1 - DP_CRC32_DIGITS, 1);
}

void dp_control_payload(uint8_t *payload, const uint8_t *line, size_t used)
{
	size_t digit = used - DP_CONTROL_HEAD - 1;

	if (digit < 2 * DP_PAYLOAD_MAX)
		payload[digit / 2] =
			(uint8_t)(payload[digit / 2] << 4 | dp_hex_digit(line[used - 1]));
}

bool dp_control_read(const uint8_t *line, size_t bytes, struct dp_control *control)
{
	uint32_t head;

	if (bytes < DP_CONTROL_CHARACTERS)
		return false;
	head = dp_hex_number(line + 2, DP_CONTROL_HEAD - 2);
	control->seq = (uint8_t)(head >> 8);
	control->bytes = (uint8_t)head;
	control->check = dp_hex_number(line + bytes - 1 - DP_CRC32_DIGITS, DP_CRC32_DIGITS);
	return bytes == DP_CONTROL_CHARACTERS + 2u * control->bytes;
}
