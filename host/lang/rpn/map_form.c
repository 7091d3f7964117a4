/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the forms of `map =`, for the parser and the disassembler. */
#include "map_form.h"

#include "dp_bytes.h"

#include <string.h>

#define FIELD_OF(name, of, shift, max, range)                                                      \
	{                                                                                          \
		name, offsetof(struct dph_map, of), shift, max, range, false                       \
	}
#define KEYS   FIELD_OF("keys", keys, 0, DP_MAP_KEYS_MAX, "0..8")
#define VALUES FIELD_OF("values", values, 0, DP_MAP_WORDS_MAX, "1..11")
#define PLACES FIELD_OF("places", places, 0, DP_MAP_PLACES_MAX, "a power of two, 1..4096")

const struct dph_map_form dph_map_forms[DPH_MAP_FORMS] = {
	{"array", DP_MAP_ARRAY, 0, 0, {KEYS, VALUES, PLACES}},
	{"count", DP_MAP_COUNT, 0, 1, {KEYS, PLACES}},
	{"sum", DP_MAP_SUM, 0, 2, {KEYS, PLACES}},
	{"min", DP_MAP_MIN, 0, 3, {KEYS, PLACES}},
	{"max", DP_MAP_MAX, 0, 3, {KEYS, PLACES}},
	{"avg", DP_MAP_AVG, 0, 3, {KEYS, PLACES}},
	{"stddev", DP_MAP_STDDEV, 0, 7, {KEYS, PLACES}},
	{"powers", DP_MAP_SCALE, DP_SCALE_POWERS, 0, {{NULL, 0, 0, 0, NULL, false}}},
	{"linear",
	 DP_MAP_SCALE,
	 DP_SCALE_LINEAR,
	 0,
	 {{"base", offsetof(struct dph_map, b), 0, INT32_MAX, "-0x80000000..0x7fffffff", true},
	  FIELD_OF("step", c, 0, UINT32_MAX, "1..0xffffffff"),
	  FIELD_OF("levels", places, 0, DP_SCALE_LEVELS_MAX, "1..32767")}},
	{"magnitudes",
	 DP_MAP_SCALE,
	 DP_SCALE_MAGNITUDES,
	 0,
	 {FIELD_OF("factor", b, 0, 255, "2..255"), FIELD_OF("low", b, 8, 62, "0..62"),
	  FIELD_OF("high", b, 16, 62, "0..62"),
	  FIELD_OF("steps", c, 0, DP_SCALE_LEVELS_MAX, "1..32767")}},
	{"view",
	 DP_MAP_VIEW,
	 0,
	 0,
	 {KEYS, FIELD_OF("of", of, 0, DPH_MAX_MAPS - 1, "0..31"),
	  FIELD_OF("at", at, 0, DP_MAP_WORDS_MAX, "0..10"), VALUES}},
	{"speculation",
	 DP_MAP_SPECULATION,
	 0,
	 DP_MAP_HOLDS_SPECULATION,
	 {FIELD_OF("bytes", a, 0, DP_SPEC_BYTES_MAX, "a power of two, 64..32768"),
	  FIELD_OF("buffers", b, 0, 255, "1..16"), FIELD_OF("policy", b, 8, DP_SPEC_RING, "0..1")}},
};

/* Both kinds of members have 4 bytes. */
static uint32_t member_of(const struct dph_map *map, const struct dph_map_field *field)
{
	uint32_t value;
	memcpy(&value, (const char *)map + field->member, sizeof(value));
	return value;
}

uint32_t dph_map_number(const struct dph_map *map, const struct dph_map_field *field)
{
	const uint32_t value = member_of(map, field) >> field->shift;
	return field->shift || field->max == 255 ? value & 0xff : value;
}

void dph_map_set_number(struct dph_map *map, const struct dph_map_field *field, uint32_t number)
{
	const uint32_t value = member_of(map, field) | number << field->shift;
	memcpy((char *)map + field->member, &value, sizeof(value));
}

struct dph_map dph_map_of_row(const uint8_t *row)
{
	return (struct dph_map){
		.kind = row[DP_MAP_KIND],
		.flags = row[DP_MAP_FLAG_BITS],
		.keys = row[DP_MAP_KEYS],
		.values = row[DP_MAP_VALUES],
		.places = dp_get_u16(row + DP_MAP_PLACES),
		.of = row[DP_MAP_OF],
		.at = row[DP_MAP_AT],
		.a = dp_get_u32(row + DP_MAP_A),
		.b = dp_get_u32(row + DP_MAP_B),
		.c = dp_get_u32(row + DP_MAP_C),
	};
}
