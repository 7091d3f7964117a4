/* SPDX-License-Identifier: BSD-2-Clause */
/* The object around the code: header, sections, modules, probe points.  PROTOCOL.md section 2,
 * rules 1-11 and 13, in that order. */
#include "dp_verify_parts.h"

#include <stddef.h>

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_memory.h"

enum {
	SECTIONS = 4,
	TABLE_END = DP_OBJECT_HEADER_BYTES + SECTIONS * DP_OBJECT_ENTRY_BYTES,
	SMALLEST = TABLE_END + DP_OBJECT_CRC_BYTES,
	VARS_MAX = 256,
	NAME_MAX_BYTES = 63,
};
#define MAGIC dp_get_u32((const uint8_t *)DP_OBJECT_MAGIC)

#define SECTION(number, name, bytes, count) BYTES_##name = (bytes), COUNT_##name = (count),
enum {
#include "sections.def"
};
#define LIMITS(name)                                                                               \
	{                                                                                          \
		COUNT_##name, BYTES_##name                                                         \
	}
static const struct {
	uint16_t count;
	uint8_t bytes;
} limits[SECTIONS] = {LIMITS(MODULES), LIMITS(PROBES), LIMITS(CODE), LIMITS(STRINGS)};

static bool all_zero(const uint8_t *p, uint32_t bytes)
{
	while (bytes-- > 0)
		if (*p++ != 0)
			return false;
	return true;
}

/* Gaps and reserved bytes. */
static enum dp_err check_zero(struct dp_check *check, uint32_t from, uint32_t bytes)
{
	dp_at(check, from, 0);
	return !DP_WITH_RULES || all_zero(check->object + from, bytes) ? DP_ERR_OK
								       : DP_ERR_RESERVED;
}

/* Rules 1-3: is it an object, whole and undamaged? */
static enum dp_err check_frame(struct dp_check *check)
{
	/* cppcheck-suppress ctuuninitvar; dp_verify_object sets it, member by member */
	const uint8_t *o = check->object;
	uint32_t received = check->layout.bytes, bytes, crc;

	dp_at(check, 0, received);
	if (received < SMALLEST)
		return DP_ERR_TRUNCATED;
	dp_at(check, 0, dp_get_u32(o));
	if (dp_get_u32(o) != MAGIC)
		return DP_ERR_BAD_MAGIC;
	dp_at(check, DP_OBJ_VERSION, o[DP_OBJ_VERSION]);
	if (o[DP_OBJ_VERSION] != DP_OBJECT_VERSION)
		return DP_ERR_BAD_VERSION;
	bytes = dp_get_u32(o + DP_OBJ_BYTES);
	dp_at(check, DP_OBJ_BYTES, bytes);
	if (bytes != received)
		return DP_WITH_RULES && bytes < received && bytes >= SMALLEST ? DP_ERR_TRAILING
									      : DP_ERR_TRUNCATED;
	bytes -= DP_OBJECT_CRC_BYTES;
	crc = dp_crc32(0, o, bytes);
	dp_at(check, bytes, crc);
	return crc == dp_get_u32(o + bytes) ? DP_ERR_OK : DP_ERR_BAD_CRC;
}

/* Rules 4 and 5. */
_Static_assert(offsetof(struct dp_target, cpu) == 0 &&
		       offsetof(struct dp_target, word_bytes) == 1 &&
		       offsetof(struct dp_target, order) == 2,
	       "what is wanted begins a target, as it lies in the header");
static enum dp_err check_header(struct dp_check *check)
{
	const struct dp_target *target = check->target;
	const uint8_t *o = check->object, *wanted = (const uint8_t *)target;
	unsigned i;

	for (i = 0; i < 3; i++) { /* the three bytes from DP_OBJ_CPU */
		dp_at(check, DP_OBJ_CPU + i, o[DP_OBJ_CPU + i]);
		if (o[DP_OBJ_CPU + i] != wanted[i])
			return DP_ERR_BAD_TARGET;
	}
	dp_at(check, DP_OBJ_FLAGS, o[DP_OBJ_FLAGS]);
	if (DP_WITH_RULES && (o[DP_OBJ_FLAGS] & ~DP_PROGRAM_FLAGS))
		return DP_ERR_RESERVED;
	if (!DP_WITH_TRACES && (o[DP_OBJ_FLAGS] & DP_PROGRAM_AUTOSTACKTRACE)) {
		dp_at(check, DP_OBJ_FLAGS, DP_FOUND_PART + DP_PART_TRACES);
		return DP_ERR_LEFT_OUT;
	}
	if (!DP_WITH_GLOBALS && dp_get_u16(o + DP_OBJ_GVARS) != 0) {
		dp_at(check, DP_OBJ_GVARS, DP_FOUND_PART + DP_PART_GLOBALS);
		return DP_ERR_LEFT_OUT;
	}
	if (!DP_WITH_RULES) /* there are four, whatever it says */
		return DP_ERR_OK;
	if (check_zero(check, DP_OBJ_RESERVED, DP_OBJECT_HEADER_BYTES - DP_OBJ_RESERVED))
		return DP_ERR_RESERVED;
	dp_at(check, DP_OBJ_SECTIONS, o[DP_OBJ_SECTIONS]);
	if (o[DP_OBJ_SECTIONS] != SECTIONS)
		return DP_ERR_RESERVED;
	for (i = 0; i < SECTIONS; i++) {
		uint32_t at = DP_OBJECT_HEADER_BYTES + i * DP_OBJECT_ENTRY_BYTES;

		dp_at(check, at, o[at]);
		if (dp_get_u32(o + at) != (DP_SECTION_MODULES + i) << 24)
			return DP_ERR_RESERVED;
	}
	return DP_ERR_OK;
}

/* Rules 6 and 7. */
static enum dp_err check_sections(struct dp_check *check)
{
	struct dp_layout *layout = &check->layout;
	uint32_t end = layout->bytes - DP_OBJECT_CRC_BYTES, previous = TABLE_END, at;
	const uint8_t *entry = check->object + DP_OBJECT_HEADER_BYTES + 4;
	unsigned i;

	for (i = 0; i < SECTIONS; i++, entry += DP_OBJECT_ENTRY_BYTES) {
		uint32_t count = dp_get_u32(entry), offset = dp_get_u32(entry + 4), bytes;

		at = (uint32_t)(entry - check->object);
		dp_at(check, at, count);
		if (count > limits[i].count)
			return DP_ERR_COUNT_OVERFLOW;
		bytes = count * limits[i].bytes;
		dp_at(check, at + 4, offset);
		if (DP_WITH_RULES && offset % 4 != 0)
			return DP_ERR_BAD_ALIGN;
		/* count is small: the product fits 32 bits, the sum may not */
		if (offset < TABLE_END || offset > end || bytes > end - offset)
			return DP_ERR_BAD_SECTION;
		if (DP_WITH_RULES && offset < previous)
			return DP_ERR_SECTION_OVERLAP;
		if (check_zero(check, previous, offset - previous))
			return DP_ERR_RESERVED;
		layout->offset[i] = offset;
		layout->count[i] = (uint16_t)count;
		previous = offset + bytes;
	}
	if (check_zero(check, previous, end - previous))
		return DP_ERR_RESERVED;
	/* The identity that the object was made for stands in its modules. */
	for (i = 0; i < SECTIONS - 1; i++) {
		dp_at(check, DP_OBJECT_HEADER_BYTES + i * DP_OBJECT_ENTRY_BYTES + 4, 0);
		if (layout->count[i] == 0)
			return DP_ERR_EMPTY;
	}
	return DP_ERR_OK;
}

/* Rule 8: fields of the header, and the most that they may be: a member of the target, or
 * VARS_MAX. */
#define LIMIT(at, member, error)                                                                   \
	{                                                                                          \
		DP_OBJ_##at, offsetof(struct dp_target, member), DP_ERR_##error                    \
	}
static const struct field_limit {
	uint8_t at, member, error;
} field_limits[] = {
#if DP_WITH_RULES
	LIMIT(JMPMAX, jmpmax_max, LIMIT),   {DP_OBJ_VARS, 0, DP_ERR_LIMIT},
	{DP_OBJ_GVARS, 0, DP_ERR_LIMIT},
#endif
#if DP_WITH_RULES || DP_WITH_TRACES
	LIMIT(EXCPT_LOG, trace_max, LIMIT),
#endif
	LIMIT(LOGMAX, log_max, LIMIT),
#if DP_WITH_RULES
	LIMIT(VARS, vars_max, NO_SPACE),
#endif
#if DP_WITH_RULES || DP_WITH_GLOBALS
	LIMIT(GVARS, gvars_max, NO_SPACE),
#endif
};
_Static_assert(offsetof(struct dp_target, cpu) == 0, "0 is no limit's place");

static enum dp_err check_limits(struct dp_check *check)
{
	const uint8_t *target = (const uint8_t *)check->target;
	const struct field_limit *field = field_limits;

	for (; field < field_limits + sizeof field_limits / sizeof field_limits[0]; field++) {
		uint32_t value = dp_get_u16(check->object + field->at), limit = VARS_MAX;

		if (!DP_WITH_RULES || field->member != 0)
			limit = *(const uint16_t *)(const void *)(target + field->member);
		dp_at(check, field->at, value);
		if (value > limit)
			return (enum dp_err)field->error;
	}
	dp_at(check, DP_OBJECT_HEADER_BYTES + DP_OBJECT_ENTRY_BYTES + 4, check->layout.probe_count);
	/* Without this rule it is the selected ones that count, in install.c. */
	return DP_WITH_RULES && check->layout.probe_count > check->target->probes_max
		       ? DP_ERR_TABLE_FULL
		       : DP_ERR_OK;
}

/* Rows of MODULES, but for the first one's identity. */
enum {
	MODULES_READ = DP_WITH_MODULES || DP_WITH_TRACES
};

/* Rule 9: the name whose u16 offset is at `at`, followed by its u8 length. */
static enum dp_err check_name(struct dp_check *check, uint32_t at)
{
	uint32_t offset = dp_get_u16(check->object + at), bytes = check->object[at + 2];

	dp_at(check, at, bytes);
	if (bytes == 0 || bytes > NAME_MAX_BYTES || offset + bytes > check->layout.string_bytes)
		return DP_ERR_BAD_STRING;
	for (offset += check->layout.strings; DP_WITH_RULES && bytes-- > 0; offset++) {
		uint32_t c = check->object[offset];

		dp_at(check, offset, c);
		if (c - 0x20 > 0x7e - 0x20)
			return DP_ERR_BAD_STRING;
	}
	return DP_ERR_OK;
}

static enum dp_err check_names(struct dp_check *check)
{
	uint32_t at = check->layout.modules + DP_MOD_NAME, n = check->layout.module_count;
	enum dp_err error = check_name(check, DP_OBJ_NAME);

	if (!DP_WITH_RULES && !MODULES_READ)
		return error;
	for (; error == DP_ERR_OK && n-- > 0; at += DP_MODULE_BYTES)
		error = check_name(check, at);
	return error;
}

/* Rule 10. */
_Static_assert(DP_MOD_TYPE == 0 && DP_MOD_IDENTITY == 1 &&
		       (int)DP_MODULE_USER == (int)DP_IDENTITY_TEXT_CRC,
	       "one loop for type and identity");
static enum dp_err check_modules(struct dp_check *check)
{
	uint32_t at = check->layout.modules, n, i;

	if (!DP_WITH_RULES) /* others than the known are no module of anybody */
		return DP_ERR_OK;
	for (n = check->layout.module_count; n-- > 0; at += DP_MODULE_BYTES) {
		for (i = at; i < at + 2; i++) {
			dp_at(check, i, check->object[i]);
			if (check->object[i] > DP_MODULE_USER)
				return DP_ERR_BAD_FIELD;
		}
		if (check_zero(check, at + DP_MOD_RESERVED, DP_MOD_ID - DP_MOD_RESERVED))
			return DP_ERR_BAD_FIELD;
	}
	return DP_ERR_OK;
}

/* The most that the first bytes of a probe point may be. */
static const uint8_t point_max[] = {
	[DP_PT_KIND] = DP_PROBE_WATCH_IO,
	[DP_PT_PHASE] = DP_PHASE_FAULT,
	[DP_PT_ISA] = DP_ISA_THUMB,
	[DP_PT_FLAGS] = DP_POINT_FLAGS, /* all low bits are defined */
};
_Static_assert(DP_POINT_FLAGS == 3 && DP_ISA_THUMB == 1, "compared by size");

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

/* Rule 11, one probe point. Returns the offset of the field that is wrong, or -1. */
DP_APART static int bad_field(const struct dp_check *check, const uint8_t *p)
{
	uint32_t low = dp_get_u32(p + DP_PT_ADDRESS + 4), length = dp_get_u32(p + DP_PT_LENGTH);
	uint32_t before = dp_get_u32(p + DP_PT_BEFORE), extent = dp_get_u32(p + DP_PT_EXTENT);
	unsigned is = (p[DP_PT_FLAGS] & WITH_OPCODE) | (check->target->word_bytes & WITH_8_BYTES);
	const struct zero *zero;
	unsigned i;

	for (i = DP_WITH_RULES ? 0 : DP_PT_PHASE;
	     i < (DP_WITH_RULES ? sizeof point_max : DP_PT_PHASE + DP_WITH_PHASES); i++)
		if (p[i] > point_max[i])
			return (int)i;
	if (p[DP_PT_ISA] > (check->target->cpu == DP_CPU_ARM ? DP_ISA_THUMB : 0))
		return DP_PT_ISA;
	if ((DP_WITH_RULES || MODULES_READ) &&
	    dp_get_u16(p + DP_PT_MODULE) >= check->layout.module_count)
		return DP_PT_MODULE;
	if (!DP_WITH_RULES) /* the target looks at what it uses: install.c */
		return -1;
	if (p[DP_PT_KIND] != DP_PROBE_BREAK) {
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

/* The same place twice: with equal kind, phase and minor, or as two instruction sets. */
static bool duplicate(const uint8_t *a, const uint8_t *b)
{
	if (!same_16(a, b, DP_PT_MODULE) || !same_32(a, b, DP_PT_ADDRESS) ||
	    !same_32(a, b, DP_PT_ADDRESS + 4))
		return false;
	return a[DP_PT_ISA] != b[DP_PT_ISA] || (same_16(a, b, DP_PT_KIND) && /* and phase */
						same_16(a, b, DP_PT_MINOR));
}

static enum dp_err check_points(struct dp_check *check)
{
	uint32_t first = check->layout.probes, at = first, other;
	const uint8_t *o = check->object;
	unsigned i;

	for (i = 0; i < check->layout.probe_count; i++, at += DP_PROBE_BYTES) {
		int field = bad_field(check, o + at);

		dp_at_point(check, i);
		if (field >= 0) {
			dp_at(check, at + (uint32_t)field, o[at + (uint32_t)field]);
			return DP_ERR_BAD_FIELD;
		}
		for (other = 0; DP_WITH_RULES && other < i; other++) {
			dp_at(check, at, other);
			if (duplicate(o + at, o + first + other * DP_PROBE_BYTES))
				return DP_ERR_DUPLICATE;
		}
	}
	dp_at_point(check, DP_NO_POINT);
	return DP_ERR_OK;
}

/* Rule 13. */
static enum dp_err check_groups(struct dp_check *check)
{
	const struct dp_target *target = check->target;
	unsigned used = check->groups, locks = 0;

	dp_at(check, DP_OBJ_GROUPS, used);
	if (DP_WITH_RULES && check->object[DP_OBJ_GROUPS] != used)
		return DP_ERR_BAD_FIELD;
	dp_at(check, DP_OBJ_GROUPS, used & ~(unsigned)target->port_groups);
	if (used & ~(unsigned)target->port_groups)
		return DP_ERR_NOT_ON_PORT;
	if (used & ~(unsigned)target->build_groups)
		locks |= 1;
	if (used & RPN_GROUP_DESTRUCTIVE) {
		if (!(check->object[DP_OBJ_FLAGS] & DP_PROGRAM_DESTRUCTIVE))
			locks |= 2;
		if (!target->may_write)
			locks |= 4;
	}
	dp_at(check, DP_OBJ_GROUPS, locks);
	return locks ? DP_ERR_NOT_PERMITTED : DP_ERR_OK;
}

/* One after the other: each believes what those before it have found. */
static enum dp_err check_all(struct dp_check *check)
{
	enum dp_err error = check_frame(check);

	if (error == DP_ERR_OK)
		error = check_header(check);
	if (error == DP_ERR_OK)
		error = check_sections(check);
	if (error == DP_ERR_OK)
		error = check_limits(check);
	if (error == DP_ERR_OK)
		error = check_names(check);
	if (error == DP_ERR_OK)
		error = check_modules(check);
	if (error == DP_ERR_OK)
		error = check_points(check);
	if (error == DP_ERR_OK)
		error = dp_check_code(check);
	if (error == DP_ERR_OK)
		error = check_groups(check);
	return error;
}

enum dp_err dp_verify_object(const uint8_t *object, uint32_t bytes, const struct dp_target *target,
			     uint8_t *scratch, uint32_t scratch_bytes, struct dp_layout *layout,
			     struct dp_verdict *verdict)
{
	struct dp_check check;
	enum dp_err error;

	check.object = object;
	check.target = target;
	check.starts = scratch;
	check.starts_bytes = scratch_bytes;
	check.verdict = verdict;
	check.groups = 0;
	check.layout.bytes = bytes;
	verdict->refusal = DP_REFUSE_NOTHING;
	verdict->probe = DP_NO_POINT;
	verdict->where = verdict->found = 0;
	verdict->error = error = check_all(&check);
	if (error == DP_ERR_OK) {
		dp_copy(layout, &check.layout, sizeof(*layout));
	} else if (DP_WITH_DETAILS) {
		verdict->where = check.where;
		verdict->found = check.found;
	}
	return error;
}
