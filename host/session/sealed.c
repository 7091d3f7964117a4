/* SPDX-License-Identifier: BSD-2-Clause */
/* Seals and counts of a session. */
#include "sealed.h"

#include "dp_bytes.h"

#include <string.h>

enum {
	HEAD = 7, /* count, type, sequence, bytes of payload */
	CHECK_DIGITS = 8,
	KEY_HALVES = 2,
	FIRST_HALF = 2, /* the byte behind the proof's message, for the first half of the key */
};

void dph_sealed_begin(struct dph_sealed *sealed, const uint8_t *key, const uint8_t *message,
		      size_t bytes)
{
	uint8_t more[64];

	*sealed = (struct dph_sealed){.on = true};
	memcpy(more, message, bytes);
	for (uint8_t half = 0; half < KEY_HALVES; half++) {
		uint64_t hash;

		more[bytes] = FIRST_HALF + half;
		hash = dp_siphash(key, more, bytes + 1);
		for (unsigned i = 0; i < 8; i++)
			sealed->key[8 * half + i] = (uint8_t)(hash >> 8 * i);
	}
}

uint32_t dph_sealed_count(const struct dph_sealed *sealed, uint8_t seq)
{
	return sealed->count - (uint8_t)(sealed->count - seq);
}

static uint32_t seal(const struct dph_sealed *sealed, enum dp_frame_type type, uint8_t seq,
		     const uint8_t *payload, size_t bytes)
{
	uint8_t message[HEAD + DP_PAYLOAD_MAX];

	dp_put_u32(message, dph_sealed_count(sealed, seq));
	message[4] = (uint8_t)type;
	message[5] = seq;
	message[6] = (uint8_t)bytes;
	memcpy(message + HEAD, payload, bytes);
	return (uint32_t)dp_siphash(sealed->key, message, HEAD + bytes);
}

size_t dph_sealed_put(const struct dph_sealed *sealed, char *line, uint8_t seq,
		      const uint8_t *payload, size_t bytes)
{
	const size_t count =
		dp_frame_put_control(line, DP_FRAME_REQUEST, seq, payload, bytes, DP_HELLO_SEED);

	dp_digits_put(line + count - 1 - CHECK_DIGITS,
		      seal(sealed, DP_FRAME_REQUEST, seq, payload, bytes), CHECK_DIGITS);
	return count;
}

bool dph_sealed_answer(struct dph_sealed *sealed, const struct dp_frame_in *frame)
{
	const uint32_t count = dph_sealed_count(sealed, frame->seq);

	if (frame->bytes > DP_PAYLOAD_MAX ||
	    seal(sealed, DP_FRAME_ANSWER, frame->seq, frame->payload, frame->bytes) != frame->check)
		return false;
	if (count - sealed->answered <= DPH_COUNTS_AHEAD * 2)
		sealed->answered = count;
	return true;
}
