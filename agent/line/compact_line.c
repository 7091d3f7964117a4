/* SPDX-License-Identifier: BSD-2-Clause */
/* The compact spelling of a line of records: 13 bits in two characters.  PROTOCOL.md 4.3 */
#include "dp_compact_line.h"

#include "dp_crc.h"

#if DP_WITH_COMPACT
enum {
	DP_PAIR_BITS = 13,
	DP_PAIR_MASK = (1 << DP_PAIR_BITS) - 1,
	DP_ONE_BITS = 6, /* of a character alone */
	/* value * DP_BASE_INVERSE >> DP_BASE_SHIFT is value / DP_COMPACT_BASE for 13 bits. */
	DP_BASE_SHIFT = 22,
	DP_BASE_INVERSE = (1 << DP_BASE_SHIFT) / DP_COMPACT_BASE + 1,
};
_Static_assert(2 + (4 * DP_STREAM_NIBBLES + DP_PAIR_BITS) / DP_PAIR_BITS * 2 + 3 + 1 < DP_LINE_MAX,
	       "the compact spelling is shorter");

static char *put_pair(char *to, uint32_t value)
{
	uint32_t high = value * DP_BASE_INVERSE >> DP_BASE_SHIFT;

	to[0] = (char)(DP_COMPACT_FIRST + high);
	to[1] = (char)(DP_COMPACT_FIRST + (value - DP_COMPACT_BASE * high));
	return to + 2;
}

static uint32_t digit_at(const char *from)
{
	uint32_t character = (uint8_t)*from;

	return (character & 15) + 9 * (character >> 6);
}

/* The last bits, less than a pair, and a 1 behind them. */
static char *put_rest(char *to, uint32_t bits, unsigned count)
{
	bits = (bits << 1 | 1) & ((2u << count) - 1);
	count++;
	if (count > DP_ONE_BITS)
		return put_pair(to, bits << (DP_PAIR_BITS - count));
	*to = (char)(DP_COMPACT_FIRST + (bits << (DP_ONE_BITS - count)));
	return to + 1;
}

/* A pair takes three digits and a bit of those before; the first of four pairs takes a fourth
 * digit in the place of that bit. The characters overtake no digit. */
static char *put_digits(char *to, const char *from, const char *end)
{
	uint32_t bits = 0;
	unsigned left = 0; /* bits that no pair has yet */

	while (end - from > 3 || (end - from == 3 && left > 0)) {
		if (left == 0) {
			bits = digit_at(from++);
			left = 4;
		}
		bits = bits << 4 | digit_at(from);
		bits = bits << 4 | digit_at(from + 1);
		bits = bits << 4 | digit_at(from + 2);
		from += 3;
		to = put_pair(to, bits >> --left & DP_PAIR_MASK);
	}
	for (; from < end; left += 4)
		bits = bits << 4 | digit_at(from++);
	return put_rest(to, bits, left);
}

void dp_compact_end(struct dp_line *line)
{
	char *begin = line->text + 2, *to = put_digits(begin, begin, line->text + line->used);
	uint32_t check;

	line->text[1] |= DP_FRAME_COMPACT;
	check = dp_crc16(DP_CRC16_START, line->text + 1, (size_t)(to - line->text) - 1);
	to = put_pair(to, check & DP_PAIR_MASK);
	*to++ = (char)(DP_COMPACT_FIRST + (check >> DP_PAIR_BITS));
	*to++ = '\n';
	line->used = (uint8_t)(to - line->text);
}
#endif
