/* SPDX-License-Identifier: BSD-2-Clause */
/* The half of the frame codec that only the host needs. */
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_frame.h"

enum {
	DP_CRC16_DIGITS = 4,
	DP_CRC32_DIGITS = 8,
	DP_CRC16_CHARACTERS = 3, /* of a compact line */
	DP_PAIR_BITS = 13,       /* that two characters of it spell, */
	DP_ONE_BITS = 6,         /* and one alone */
};

uint32_t dp_frame_seed(uint8_t version, uint32_t session, uint64_t nonce)
{
	uint8_t seed[5 + DP_NONCE_BYTES];

	seed[0] = version;
	dp_put_u32(seed + 1, session);
	dp_put_u64(seed + 5, nonce);
	return dp_crc32(0, seed, sizeof seed);
}

/* Digits of the check of a frame type; 0: no such type. */
static unsigned check_digits(uint8_t letter)
{
	switch (letter) {
#define DP_FRAME(type, name, check, sentence)                                                      \
	case (type):                                                                               \
		return DP_##check##_DIGITS;
#include "frames.def"
	default:
		return 0;
	}
}

static size_t copy_text(const struct dp_splitter *s, size_t count, uint8_t *console)
{
	for (size_t i = 0; i < count; i++)
		console[i] = s->held[i];
	return count;
}

size_t dp_splitter_flush(struct dp_splitter *s, uint8_t *console)
{
	size_t n = copy_text(s, s->used, console);

	dp_splitter_take(s);
	return n;
}

/* The number that a character of a compact line makes; DP_COMPACT_BASE: none. */
static unsigned number_of(uint8_t character)
{
	const unsigned number = (unsigned)character - DP_COMPACT_FIRST;

	return number < DP_COMPACT_BASE ? number : DP_COMPACT_BASE;
}

static uint32_t pair_of(const uint8_t *characters)
{
	return number_of(characters[0]) * DP_COMPACT_BASE + number_of(characters[1]);
}

static bool is_compact(uint8_t letter)
{
	return (letter & DP_FRAME_COMPACT) != 0;
}

/* Does the byte belong to a compact line that is held, or begins one? wanted: letters. */
static bool continues_compact(const struct dp_splitter *s, uint8_t byte, const char *wanted)
{
	if (s->used != 1)
		return s->used > 1 && is_compact(s->held[1]) && number_of(byte) < DP_COMPACT_BASE &&
		       s->used + 1 < DP_LINE_MAX;
	for (; *wanted != '\0'; wanted++)
		if (is_compact((uint8_t)*wanted) && (uint8_t)*wanted == byte)
			return true;
	return false;
}

enum dp_split dp_splitter_feed(struct dp_splitter *s, uint8_t byte, const char *wanted,
			       uint8_t *console, size_t *n)
{
	uint32_t letters = 0;
	enum dp_split split;

	if (continues_compact(s, byte, wanted)) {
		s->held[s->used++] = byte;
		return DP_SPLIT_HELD;
	}
	for (; *wanted != '\0'; wanted++)
		letters |= is_compact((uint8_t)*wanted) ? 0 : DP_FRAME_LETTER(*wanted);
	split = dp_splitter_next(s, byte, s->used > 1 && is_compact(s->held[1]) ? 0 : letters, n);

	if (split == DP_SPLIT_CONSOLE)
		copy_text(s, *n, console);
	return split;
}

static bool check_stream(const uint8_t *line, size_t digits, struct dp_frame_in *out)
{
	if (digits > DP_STREAM_NIBBLES)
		return false;
	out->type = (enum dp_frame_type)line[1];
	out->bytes = (uint8_t)digits;
	for (size_t i = 0; i < digits; i++)
		out->payload[i] = dp_hex_digit(line[2 + i]);
	return dp_crc16(DP_CRC16_START, line + 1, digits + 1) == out->check;
}

/* --- compact lines --- */

/* Bits that characters spell, the first of them highest. */
struct bits {
	uint32_t value;
	unsigned count;
};

/* Take the digits out of the bits that came. Returns false when the line has too many. */
static bool take_digits(struct bits *bits, struct dp_frame_in *out)
{
	for (; bits->count >= 4; bits->count -= 4) {
		if (out->bytes == DP_STREAM_NIBBLES)
			return false;
		out->payload[out->bytes++] = (uint8_t)(bits->value >> (bits->count - 4) & 15);
	}
	return true;
}

/* The last bits of a line: a 1 ends the digits, and zeros fill the last characters up. added: bits
 * of these characters. */
static bool end_digits(struct bits *bits, unsigned added, struct dp_frame_in *out)
{
	const unsigned least = added == DP_PAIR_BITS ? DP_ONE_BITS + 1 : 1;
	unsigned zeros = 0;

	while (zeros < added && (bits->value >> zeros & 1) == 0)
		zeros++;
	if (zeros + least > added)
		return false;
	bits->value >>= zeros + 1;
	bits->count -= zeros + 1;
	return take_digits(bits, out) && bits->count == 0;
}

/* Spell the digits out. Returns false when other characters are right for them, or none. */
static bool spell(const uint8_t *p, size_t characters, struct dp_frame_in *out)
{
	struct bits bits = {0, 0};
	unsigned added = 0;

	for (size_t i = 0; i < characters; i += 2) {
		const bool alone = characters - i == 1;
		const uint32_t value = alone ? number_of(p[i]) : pair_of(p + i);

		added = alone ? DP_ONE_BITS : DP_PAIR_BITS;
		if (value >> added != 0 || !take_digits(&bits, out))
			return false;
		bits.value = bits.value << added | value;
		bits.count += added;
	}
	return added != 0 && end_digits(&bits, added, out);
}

static bool check_compact(const uint8_t *line, size_t bytes, struct dp_frame_in *out)
{
	const uint8_t *check = line + bytes - 1 - DP_CRC16_CHARACTERS;
	const uint8_t letter = (uint8_t)(line[1] & ~DP_FRAME_COMPACT);
	uint32_t value;

	if ((letter != DP_FRAME_RECORDS && letter != DP_FRAME_TIMED && letter != DP_FRAME_PIECE) ||
	    bytes < 3 + DP_CRC16_CHARACTERS)
		return false;
	for (const uint8_t *p = line + 2; p < line + bytes - 1; p++)
		if (number_of(*p) == DP_COMPACT_BASE)
			return false;
	value = pair_of(check);
	if (value >> DP_PAIR_BITS != 0 || number_of(check[2]) >> (16 - DP_PAIR_BITS) != 0 ||
	    !spell(line + 2, (size_t)(check - line) - 2, out))
		return false;
	out->type = (enum dp_frame_type)letter;
	out->compact = true;
	out->check = number_of(check[2]) << DP_PAIR_BITS | value;
	return dp_crc16(DP_CRC16_START, line + 1, (size_t)(check - line) - 1) == out->check;
}

static bool check_control(const uint8_t *line, size_t bytes, uint32_t seed, struct dp_frame_in *out)
{
	struct dp_control control;

	if (!dp_control_read(line, bytes, &control))
		return false;
	out->type = (enum dp_frame_type)line[1];
	out->seq = control.seq;
	out->bytes = control.bytes;
	out->check = control.check;
	for (size_t used = 3; used < bytes; used++) {
		seed = dp_control_crc(seed, line, used);
		dp_control_payload(out->payload, line, used);
	}
	return seed == out->check;
}

bool dp_frame_check(const uint8_t *line, size_t bytes, uint32_t seed, struct dp_frame_in *out)
{
	unsigned check;

	out->type = DP_FRAME_NONE;
	out->compact = false;
	out->seq = 0;
	out->bytes = 0;
	out->check = 0;
	if (bytes < 3 || bytes > DP_LINE_MAX || line[0] != DP_FRAME_MARK || line[bytes - 1] != '\n')
		return false;
	if (is_compact(line[1]))
		return check_compact(line, bytes, out);
	check = check_digits(line[1]);
	if (check == 0 || bytes < 3 + check)
		return false;
	for (size_t i = 2; i < bytes - 1; i++)
		if (dp_hex_digit(line[i]) > 15)
			return false;
	if (check == DP_CRC32_DIGITS)
		return check_control(line, bytes, seed, out);
	out->check = dp_hex_number(line + bytes - 1 - check, check);
	return check_stream(line, bytes - 3 - check, out);
}
