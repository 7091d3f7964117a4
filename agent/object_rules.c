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
	if (!DP_WITH_D && o[DP_OBJ_SECTIONS] == DP_SECTION_MAPS) {
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

/* Fields that are zero, unless. */
enum {
	NEVER = 0,
	WITH_OPCODE = DP_POINT_OPCODE, /* the flag itself */
	WITH_8_BYTES = 8,              /* of a word: DP_PT_ADDRESS is its upper half */
	WATCHED = 0x10,
};
static const struct zero {
	uint8_t at, bytes, unless;
} zeros[] = {
	{DP_PT_INSN_BYTES, 1, WITH_OPCODE}, {DP_PT_RESERVED, 1, NEVER},
	{DP_PT_ADDRESS, 4, WITH_8_BYTES},   {DP_PT_LENGTH, 4, WATCHED},
	{DP_PT_OPCODE, 4, WITH_OPCODE},     {DP_PT_RESERVED2, 4, NEVER},
};

/* An event is no place: its number stands in the address. */
static int event_field(const uint8_t *p, uint32_t low)
{
	if (p[DP_PT_PHASE] != DP_PHASE_BEFORE)
		return DP_PT_PHASE;
	if (p[DP_PT_FLAGS] & DP_POINT_OPCODE)
		return DP_PT_FLAGS;
	if (low >= DP_EVENTS || dp_get_u32(p + DP_PT_ADDRESS) != 0)
		return DP_PT_ADDRESS;
	return dp_get_u32(p + DP_PT_EXTENT) != 0 ? DP_PT_EXTENT : -1;
}

int dp_rule_point(const struct dp_check *check, const uint8_t *p)
{
	uint32_t low = dp_get_u32(p + DP_PT_ADDRESS + 4), length = dp_get_u32(p + DP_PT_LENGTH);
	uint32_t before = dp_get_u32(p + DP_PT_BEFORE), extent = dp_get_u32(p + DP_PT_EXTENT);
	unsigned is = (p[DP_PT_FLAGS] & WITH_OPCODE) | (check->target->word_bytes & WITH_8_BYTES);
	const struct zero *zero;

	if (DP_WITH_D && p[DP_PT_KIND] > DP_PROBE_WATCH_IO) {
		int field = p[DP_PT_KIND] == DP_PROBE_EVENT ? event_field(p, low) : DP_PT_KIND;

		if (field >= 0)
			return field;
	} else if (p[DP_PT_KIND] != DP_PROBE_BREAK) {
		is |= WATCHED;
		if (length - 1 > 3 || length == 3 || (low & (length - 1)) != 0)
			return DP_PT_LENGTH;
	}
	for (zero = zeros; zero < zeros + sizeof zeros / sizeof zeros[0]; zero++)
		if (!(zero->unless & is) && !all_zero(p + zero->at, zero->bytes))
			return zero->at;
	if ((is & WITH_OPCODE) && p[DP_PT_INSN_BYTES] - 1u > 14)
		return DP_PT_INSN_BYTES;
	if ((before >= extent && (before | extent) != 0) ||
	    (before > low && dp_get_u32(p + DP_PT_ADDRESS) == 0))
		return DP_PT_BEFORE;
	if (dp_get_u32(p + DP_PT_MAXHITS) - 1 >= RPN_MAXHITS_DEFAULT)
		return DP_PT_MAXHITS;
	return -1;
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

/* Are the points the same place twice: with equal kind, phase and minor, or as two instruction
 * sets. */
static bool duplicate(const uint8_t *a, const uint8_t *b)
{
	if (!same_16(a, b, DP_PT_MODULE) || !same_32(a, b, DP_PT_ADDRESS) ||
	    !same_32(a, b, DP_PT_ADDRESS + 4))
		return false;
	return a[DP_PT_ISA] != b[DP_PT_ISA] || (same_16(a, b, DP_PT_KIND) && /* and phase */
						same_16(a, b, DP_PT_MINOR));
}

bool dp_rule_duplicate(struct dp_check *check, unsigned point)
{
	const uint8_t *first = check->object + check->layout.probes;
	uint32_t at = check->layout.probes + point * DP_PROBE_BYTES;

	for (unsigned other = 0; other < point; other++) {
		dp_at(check, at, other);
		if (duplicate(check->object + at, first + other * DP_PROBE_BYTES))
			return true;
	}
	return false;
}
#endif
