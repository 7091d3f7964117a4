/* SPDX-License-Identifier: BSD-2-Clause */
/* The half of the frame codec that only the host needs. */
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_frame.h"

enum {
	CRC16_DIGITS = 4,
	CRC32_DIGITS = 8,
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
		return check##_DIGITS;
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

enum dp_split dp_splitter_feed(struct dp_splitter *s, uint8_t byte, const char *wanted,
			       uint8_t *console, size_t *n)
{
	uint32_t letters = 0;
	enum dp_split split;

	while (*wanted != '\0')
		letters |= DP_FRAME_LETTER(*wanted++);
	split = dp_splitter_next(s, byte, letters, n);

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
	out->seq = 0;
	out->bytes = 0;
	out->check = 0;
	if (bytes < 3 || bytes > DP_LINE_MAX || line[0] != DP_FRAME_MARK || line[bytes - 1] != '\n')
		return false;
	check = check_digits(line[1]);
	if (check == 0 || bytes < 3 + check)
		return false;
	for (size_t i = 2; i < bytes - 1; i++)
		if (dp_hex_digit(line[i]) > 15)
			return false;
	if (check == CRC32_DIGITS)
		return check_control(line, bytes, seed, out);
	out->check = dp_hex_number(line + bytes - 1 - check, check);
	return check_stream(line, bytes - 3 - check, out);
}
