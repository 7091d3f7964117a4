/* SPDX-License-Identifier: BSD-2-Clause */
/* The buckets of `bucket`. PROTOCOL.md 2.3 */
#include "dp_map.h"

#include "dp_long.h"
#include "dp_object.h"

static bool is_negative(uint64_t value, bool is_signed)
{
	return is_signed && value >> 63;
}

/* The bits of a number: 0 has none, 1 has one. */
static unsigned bits_of(uint64_t value)
{
	uint32_t high = (uint32_t)(value >> 32), rest = high ? high : (uint32_t)value;
	unsigned bits = high ? 32 : 0;

	for (unsigned step = 16; step > 0; step >>= 1)
		if (rest >> step) {
			rest >>= step;
			bits += step;
		}
	return bits + (rest != 0);
}

/* Powers of two: bucket n has the values with n bits, -n their negatives. */
static dp_word power(uint64_t value, bool is_signed)
{
	if (is_negative(value, is_signed))
		return 0 - (dp_word)bits_of(0 - value);
	return bits_of(value);
}

/* Steps from a base on: 0 is below it, levels + 1 above the last step. */
static dp_word linear(const struct dp_map *scale, uint64_t value, bool is_signed)
{
	uint64_t base = (uint64_t)(int64_t)(int32_t)scale->b, level, rest;

	if (is_signed ? (int64_t)value < (int64_t)base : !(base >> 63) && value < base)
		return 0;
	level = dp_long_divide(value - base, scale->c, &rest);
	return 1 + (dp_word)(level < scale->places ? level : scale->places);
}

/* A magnitude reaches from one power of the factor to the next. The steps divide what is below its
 * end, so that bounds are round: those below its begin belong to the magnitudes before. 0: below
 * the magnitude `low`; the last bucket: above the magnitude `high`. The verifier has seen that 63
 * bits hold the last end. */
static dp_word magnitude(const struct dp_map *scale, uint64_t value, bool is_signed)
{
	uint32_t factor = scale->b & 0xff, low = scale->b >> 8 & 0xff, high = scale->b >> 16 & 0xff;
	uint64_t begin = 1, end, steps, rest;
	dp_word bucket = 1;

	for (unsigned n = low; n > 0; n--)
		begin = dp_long_multiply(begin, factor);
	if (is_negative(value, is_signed) || value < begin)
		return 0;
	for (; low <= high; low++, begin = end) {
		end = dp_long_multiply(begin, factor);
		steps = end < scale->c ? end : scale->c;
		if (value < end)
			return bucket + (dp_word)dp_long_divide(value - begin,
								dp_long_divide(end, steps, &rest),
								&rest);
		bucket += (dp_word)(steps - dp_long_divide(steps, factor, &rest));
	}
	return bucket;
}

dp_word dp_map_bucket(const struct dp_map *scale, uint64_t value, bool is_signed)
{
	if (scale->a == DP_SCALE_POWERS)
		return power(value, is_signed);
	if (scale->a == DP_SCALE_LINEAR)
		return linear(scale, value, is_signed);
	return magnitude(scale, value, is_signed);
}
