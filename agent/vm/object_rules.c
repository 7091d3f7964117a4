/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules of the object that protect only the program itself: the feature CHECKS. */
#include "dp_verify_parts.h"

#include "dp_bytes.h"

#if DP_WITH_CHECKS
static bool all_zero(const uint8_t *p, uint32_t bytes)
{
	while (bytes-- > 0)
		if (*p++ != 0)
			return false;
	return true;
}

enum dp_err dp_rule_zero(struct dp_check *check, uint32_t from, uint32_t bytes)
{
	dp_at(check, from, 0);
	return all_zero(check->object + from, bytes) ? DP_ERR_OK : DP_ERR_RESERVED;
}

enum dp_err dp_rule_header(struct dp_check *check)
{
	const uint8_t *o = check->object;

	if (dp_rule_zero(check, DP_OBJ_RESERVED, DP_OBJECT_HEADER_BYTES - DP_OBJ_RESERVED))
		return DP_ERR_RESERVED;
	dp_at(check, DP_OBJ_SECTIONS, o[DP_OBJ_SECTIONS]);
	if (!DP_WITH_COUNTS && o[DP_OBJ_SECTIONS] == DP_SECTION_MAPS) {
		dp_at(check, DP_OBJ_SECTIONS, DP_FOUND_PART + DP_PART_MAPS);
		return DP_ERR_LEFT_OUT;
	}
	if (o[DP_OBJ_SECTIONS] != check->sections)
		return DP_ERR_RESERVED;
	for (unsigned i = 0; i < check->sections; i++) {
		uint32_t at = DP_OBJECT_HEADER_BYTES + i * DP_OBJECT_ENTRY_BYTES;

		dp_at(check, at, o[at]);
		if (dp_get_u32(o + at) != (DP_SECTION_MODULES + i) << 24)
			return DP_ERR_RESERVED;
	}
	return DP_ERR_OK;
}

enum dp_err dp_rule_text(struct dp_check *check, uint32_t at, uint32_t bytes)
{
	for (; bytes-- > 0; at++) {
		uint32_t c = check->object[at];

		dp_at(check, at, c);
		if (c - 0x20 > 0x7e - 0x20)
			return DP_ERR_BAD_STRING;
	}
	return DP_ERR_OK;
}

_Static_assert(DP_MOD_TYPE == 0 && DP_MOD_IDENTITY == 1 &&
		       (int)DP_MODULE_USER == (int)DP_IDENTITY_TEXT_CRC,
	       "one loop for type and identity");
enum dp_err dp_rule_modules(struct dp_check *check)
{
	uint32_t at = check->layout.modules, n, i;

	for (n = check->layout.module_count; n-- > 0; at += DP_MODULE_BYTES) {
		for (i = at; i < at + 2; i++) {
			dp_at(check, i, check->object[i]);
			if (check->object[i] > DP_MODULE_USER)
				return DP_ERR_BAD_FIELD;
		}
		if (dp_rule_zero(check, at + DP_MOD_RESERVED, DP_MOD_ID - DP_MOD_RESERVED))
			return DP_ERR_BAD_FIELD;
	}
	return DP_ERR_OK;
}

/* A point without a place has no phase, no instruction, and no upper half of an address. */
static const uint8_t *placed_field(const uint8_t *traits)
{
	if (traits[DP_TR_PHASE] != DP_PHASE_BEFORE)
		return traits + DP_TR_PHASE;
	if (traits[DP_TR_FLAGS] & DP_POINT_OPCODE)
		return traits + DP_TR_FLAGS;
	return dp_get_u32(traits + DP_TR_HIGH) != 0 ? traits + DP_TR_HIGH : NULL;
}

/* The number of an event stands in the address. */
static const uint8_t *event_field(const uint8_t *point, const uint8_t *traits)
{
	const uint8_t *field = placed_field(traits);

	if (field)
		return field;
	if (dp_get_u32(point + DP_PT_ADDRESS) >= DP_EVENTS)
		return point + DP_PT_ADDRESS;
	return dp_get_u32(point + DP_PT_EXTENT) != 0 ? point + DP_PT_EXTENT : NULL;
}

/* The period of a timer stands in address and extent. */
static const uint8_t *timer_field(const uint8_t *point, const uint8_t *traits)
{
	uint32_t seconds = dp_get_u32(point + DP_PT_ADDRESS) & DP_TIMER_SECONDS;
	uint32_t nanoseconds = dp_get_u32(point + DP_PT_EXTENT);
	const uint8_t *field = placed_field(traits);

	if (field)
		return field;
	if (dp_get_u32(point + DP_PT_BEFORE) != 0)
		return point + DP_PT_BEFORE;
	if (nanoseconds >= DP_TIMER_NANOSECONDS)
		return point + DP_PT_EXTENT;
	return (seconds | nanoseconds) == 0 ? point + DP_PT_ADDRESS : NULL;
}

static bool is_watched(const uint8_t *traits)
{
	return (DP_POINTS_WATCHED >> traits[DP_TR_KIND] & 1) != 0;
}

/* Version 2: 1, 2 or 4 bytes, aligned. */
static const uint8_t *short_field(const uint8_t *point, const uint8_t *traits)
{
	uint32_t length = traits[DP_TR_LENGTH], low = dp_get_u32(point + DP_PT_ADDRESS);
	bool fits = is_watched(traits) ? length - 1 <= 3 && length != 3 && (low & (length - 1)) == 0
				       : length == 0;

	return fits ? NULL : traits + DP_TR_LENGTH;
}

/* Version 3: any range that does not wrap; its length stands in the point. */
static const uint8_t *long_field(const struct dp_check *check, const uint8_t *point,
				 const uint8_t *traits)
{
	uint32_t length = dp_get_u32(point + DP_PT_EXTENT), low = dp_get_u32(point + DP_PT_ADDRESS);
	bool last = check->target->word_bytes == 4 || dp_get_u32(traits + DP_TR_HIGH) == 0xffffffff;

	if (traits[DP_TR_LENGTH] != 0)
		return traits + DP_TR_LENGTH;
	if (!is_watched(traits))
		return NULL;
	if (length == 0 || (last && low + (length - 1) < low))
		return point + DP_PT_EXTENT;
	return dp_get_u32(point + DP_PT_BEFORE) != 0 ? point + DP_PT_BEFORE : NULL;
}

/* The bytes that a point watches. */
static const uint8_t *length_field(const struct dp_check *check, const uint8_t *point,
				   const uint8_t *traits)
{
	return check->object[DP_OBJ_VERSION] == DP_OBJECT_VERSION_LONG
		       ? long_field(check, point, traits)
		       : short_field(point, traits);
}

/* The instruction that a point expects. */
static const uint8_t *opcode_field(const uint8_t *point, const uint8_t *traits)
{
	unsigned bytes = point[DP_PT_INSN_BYTES];

	if (traits[DP_TR_FLAGS] & DP_POINT_OPCODE)
		return bytes - 1u > 14 ? point + DP_PT_INSN_BYTES : NULL;
	if (bytes != 0)
		return point + DP_PT_INSN_BYTES;
	return dp_get_u32(point + DP_PT_OPCODE) != 0 ? point + DP_PT_OPCODE : NULL;
}

/* A condition of the branch at a point: decided before the instruction. */
static bool waits_for_branch(const uint8_t *traits)
{
	return (traits[DP_TR_FLAGS] & DP_POINT_TAKEN) != 0 &&
	       (traits[DP_TR_KIND] | traits[DP_TR_PHASE]) != 0;
}
_Static_assert(DP_PROBE_BREAK == 0 && DP_PHASE_BEFORE == 0, "compared together");

/* The code around a point. */
static const uint8_t *extent_field(const uint8_t *point, const uint8_t *traits)
{
	uint32_t before = dp_get_u32(point + DP_PT_BEFORE);
	uint32_t extent = dp_get_u32(point + DP_PT_EXTENT);

	if ((before >= extent && (before | extent) != 0) ||
	    (before > dp_get_u32(point + DP_PT_ADDRESS) && dp_get_u32(traits + DP_TR_HIGH) == 0))
		return point + DP_PT_BEFORE;
	return NULL;
}

const uint8_t *dp_rule_point(const struct dp_check *check, const uint8_t *point,
			     const uint8_t *traits)
{
	const uint8_t *field = NULL;

	if (DP_WITH_D && traits[DP_TR_KIND] == DP_PROBE_EVENT)
		field = event_field(point, traits);
	if (DP_WITH_TIMERS && traits[DP_TR_KIND] == DP_PROBE_TIMER)
		field = timer_field(point, traits);
	if (!field)
		field = length_field(check, point, traits);
	if (!field)
		field = opcode_field(point, traits);
	if (!field && waits_for_branch(traits))
		field = traits + DP_TR_FLAGS;
	if (!field && check->target->word_bytes == 4 && dp_get_u32(traits + DP_TR_HIGH) != 0)
		field = traits + DP_TR_HIGH;
	if (!field)
		field = extent_field(point, traits);
	if (!field && dp_get_u32(traits + DP_TR_MAXHITS) - 1 >= RPN_MAXHITS_DEFAULT)
		field = traits + DP_TR_MAXHITS;
	return field;
}

/* Objects are aligned, and equal numbers are so in any byte order. */
static inline bool same_16(const uint8_t *a, const uint8_t *b, unsigned at)
{
	typedef uint16_t __attribute__((may_alias)) half;

	return *(const half *)(const void *)(a + at) == *(const half *)(const void *)(b + at);
}

static inline bool same_32(const uint8_t *a, const uint8_t *b, unsigned at)
{
	typedef uint32_t __attribute__((may_alias)) word;

	return *(const word *)(const void *)(a + at) == *(const word *)(const void *)(b + at);
}

/* Two timers differ by the whole period. */
static inline bool other_period(const uint8_t *a, const uint8_t *b, const uint8_t *of_a,
				const uint8_t *of_b)
{
	return DP_WITH_TIMERS && of_a[DP_TR_KIND] == DP_PROBE_TIMER &&
	       of_b[DP_TR_KIND] == DP_PROBE_TIMER && !same_32(a, b, DP_PT_EXTENT);
}

/* Are the points the same place twice: with equal kind, phase and minor, or as two instruction
 * sets. */
static bool duplicate(const struct dp_check *check, const uint8_t *a, const uint8_t *b)
{
	const uint8_t *of_a = dp_check_traits(check, a), *of_b = dp_check_traits(check, b);

	if (!same_32(a, b, DP_PT_ADDRESS) || !same_32(of_a, of_b, DP_TR_HIGH) ||
	    of_a[DP_TR_MODULE] != of_b[DP_TR_MODULE] || other_period(a, b, of_a, of_b))
		return false;
	return of_a[DP_TR_ISA] != of_b[DP_TR_ISA] ||
	       (same_16(of_a, of_b, DP_TR_KIND) && /* and phase */
		same_16(a, b, DP_PT_MINOR));
}

bool dp_rule_duplicate(struct dp_check *check, unsigned point)
{
	const uint8_t *first = check->object + check->layout.probes;
	uint32_t at = check->layout.probes + point * DP_PROBE_BYTES;

	for (unsigned other = 0; other < point; other++) {
		dp_at(check, at, other);
		if (duplicate(check, check->object + at, first + other * DP_PROBE_BYTES))
			return true;
	}
	return false;
}
#endif
