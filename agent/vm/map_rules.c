/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules of the section MAPS, and of the instructions that name a map. PROTOCOL.md 2.3 */
#include "dp_verify_parts.h"

#include "dp_bytes.h"

#if DP_WITH_COUNTS
#define DP_KIND_OF_MAP(number, name, values, part, sentence) [number] = DP_MAP_HOLDS_##name,
static const uint8_t values_of[DP_MAP_KINDS] = {
#include "map_kinds.def"
};
/* The kinds of this build, a bit each. */
#define DP_KIND_OF_MAP(number, name, values, part, sentence) +(DP_HAS_##part << (number))
enum {
	DP_MAP_KINDS_HERE = 0
#include "map_kinds.def"
};
/* The part of a kind that this build lacks, else 0. */
#define DP_KIND_OF_MAP(number, name, values, part, sentence)                                       \
	[number] = DP_HAS_##part ? 0 : DP_PART_##part,
static unsigned part_missing(unsigned kind)
{
	static const uint8_t missing[DP_MAP_KINDS] = {
#include "map_kinds.def"
	};

	if (DP_MAP_KINDS_HERE == (1 << DP_MAP_KINDS) - 1 || kind >= DP_MAP_KINDS)
		return 0;
	return missing[kind];
}

static bool power_of_two(uint32_t n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* Is factor^(high + 1) less than 2^63, by products of 16 bits that cannot overflow? */
static bool magnitudes_fit(uint32_t factor, uint32_t high)
{
	uint32_t low_part = 1, high_part = 0;

	if (factor < 2)
		return false;
	for (high++; high > 0; high--) {
		uint32_t carry = (low_part >> 16) * factor + ((low_part & 0xffff) * factor >> 16);
		uint32_t below = (high_part & 0xffff) * factor + (carry >> 16);
		uint32_t above = (high_part >> 16) * factor + (below >> 16);

		if (above > 0x7fff)
			return false;
		high_part = above << 16 | (below & 0xffff);
		low_part *= factor;
	}
	return true;
}

static bool scale_good(const uint8_t *row)
{
	uint32_t a = dp_get_u32(row + DP_MAP_A), b = dp_get_u32(row + DP_MAP_B);
	uint32_t c = dp_get_u32(row + DP_MAP_C), levels = dp_get_u16(row + DP_MAP_PLACES);
	uint32_t low = b >> 8 & 0xff, high = b >> 16 & 0xff;

	if (row[DP_MAP_KEYS] || row[DP_MAP_VALUES])
		return false;
	if (a == DP_SCALE_POWERS)
		return (levels | b | c) == 0;
	if (a == DP_SCALE_LINEAR)
		return c != 0 && levels - 1 < DP_SCALE_LEVELS_MAX;
	return a == DP_SCALE_MAGNITUDES && levels == 0 && b >> 24 == 0 && low <= high &&
	       magnitudes_fit(b & 0xff, high) && c != 0 && c <= DP_SCALE_LEVELS_MAX &&
	       c * (high - low + 1) <= DP_SCALE_LEVELS_MAX;
}

static bool view_good(const uint8_t *rows, unsigned index)
{
	const uint8_t *row = rows + index * DP_MAP_BYTES;
	const uint8_t *of = rows + row[DP_MAP_OF] * DP_MAP_BYTES;

	return row[DP_MAP_OF] < index && of[DP_MAP_KIND] == DP_MAP_ARRAY &&
	       row[DP_MAP_KEYS] == of[DP_MAP_KEYS] && row[DP_MAP_VALUES] != 0 &&
	       row[DP_MAP_AT] + (unsigned)row[DP_MAP_VALUES] <= of[DP_MAP_VALUES];
}

static bool entries_good(const uint8_t *row, unsigned word_bytes)
{
	uint32_t keys = row[DP_MAP_KEYS], values = row[DP_MAP_VALUES];
	uint32_t places = dp_get_u16(row + DP_MAP_PLACES);

	return keys <= DP_MAP_KEYS_MAX && values != 0 &&
	       (keys + values) * word_bytes <= DP_MAP_ENTRY_BYTES && power_of_two(places) &&
	       places <= DP_MAP_PLACES_MAX;
}

static bool speculation_good(const uint8_t *row)
{
	uint32_t a = dp_get_u32(row + DP_MAP_A), b = dp_get_u32(row + DP_MAP_B);
	uint32_t buffers = b & 0xff;

	return row[DP_MAP_FLAG_BITS] == 0 && row[DP_MAP_KEYS] == 0 &&
	       dp_get_u16(row + DP_MAP_PLACES) == 1 && power_of_two(a) && a >= DP_SPEC_BYTES_MIN &&
	       a <= DP_SPEC_BYTES_MAX && buffers >= 1 && buffers <= DP_SPEC_BUFFERS_MAX &&
	       b >> 8 <= DP_SPEC_RING && dp_get_u32(row + DP_MAP_C) == 0;
}

static bool row_good(const struct dp_check *check, const uint8_t *rows, unsigned index)
{
	const uint8_t *row = rows + index * DP_MAP_BYTES;
	unsigned kind = row[DP_MAP_KIND];
	bool is_view = kind == DP_MAP_VIEW;

	if (kind >= DP_MAP_KINDS || (row[DP_MAP_FLAG_BITS] & ~DP_MAP_FLAGS) ||
	    dp_get_u32(row + DP_MAP_RESERVED) != 0 ||
	    (values_of[kind] != DP_MAP_WORDS_V && row[DP_MAP_VALUES] != values_of[kind]))
		return false;
	if (!is_view && (row[DP_MAP_OF] || row[DP_MAP_AT]))
		return false;
	if (kind == DP_MAP_SCALE)
		return scale_good(row);
	if (kind == DP_MAP_SPECULATION)
		return DP_SPECULATES && speculation_good(row);
	if (dp_get_u32(row + DP_MAP_A) || dp_get_u32(row + DP_MAP_B) || dp_get_u32(row + DP_MAP_C))
		return false;
	return is_view ? view_good(rows, index) && dp_get_u16(row + DP_MAP_PLACES) == 0
		       : entries_good(row, check->target->word_bytes);
}

enum dp_err dp_check_maps(struct dp_check *check)
{
	const uint8_t *rows = check->object + check->layout.maps;

	for (unsigned i = 0; i < check->layout.map_count; i++) {
		const uint32_t at = check->layout.maps + i * DP_MAP_BYTES;
		const unsigned kind = rows[i * DP_MAP_BYTES], part = part_missing(kind);

		dp_at(check, at, part ? DP_FOUND_PART + part : kind);
		if (part)
			return DP_ERR_LEFT_OUT;
		if (!row_good(check, rows, i))
			return DP_ERR_BAD_MAP;
	}
	return DP_ERR_OK;
}

enum dp_err dp_rule_map(struct dp_check *check, uint32_t op, uint32_t map)
{
	const uint8_t *row = check->object + check->layout.maps + map * DP_MAP_BYTES;
	bool array, good;

	if (map >= check->layout.map_count)
		return DP_ERR_MAP_RANGE;
	array = row[DP_MAP_KIND] == DP_MAP_ARRAY || row[DP_MAP_KIND] == DP_MAP_VIEW;
	if (op >= RPN_PUSH_SPEC)
		good = row[DP_MAP_KIND] == DP_MAP_SPECULATION;
	else if (op == RPN_BUCKET)
		good = row[DP_MAP_KIND] == DP_MAP_SCALE;
	else if (op == RPN_POP_MAP)
		good = array;
	else
		good = row[DP_MAP_KIND] != DP_MAP_SCALE && row[DP_MAP_KIND] != DP_MAP_SPECULATION &&
		       !(op == RPN_ADD_MAP && array && row[DP_MAP_VALUES] != 1);
	return good ? DP_ERR_OK : DP_ERR_BAD_MAP;
}
#endif
