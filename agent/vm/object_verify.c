/* SPDX-License-Identifier: BSD-2-Clause */
/* The object around the code: header, sections, modules, probe points.  PROTOCOL.md section 2,
 * rules 1-11 and 13, in that order. */
#include "dp_verify_parts.h"

#include <stddef.h>

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_memory.h"

enum {
	DP_TABLE_BYTES = DP_SECTIONS * DP_OBJECT_ENTRY_BYTES,
	DP_SMALLEST = DP_OBJECT_HEADER_BYTES + DP_TABLE_BYTES + DP_OBJECT_CRC_BYTES,
	DP_VARS_MAX = 256,
	DP_NAME_MAX_BYTES = 63,
	DP_PROBES_COUNT = DP_OBJECT_HEADER_BYTES +
			  (DP_SECTION_PROBES - DP_SECTION_MODULES) * DP_OBJECT_ENTRY_BYTES + 4,
};
_Static_assert((DP_OBJECT_VERSION | 1) == DP_OBJECT_VERSION_LONG,
	       "rule 1: both versions, and no other");
#define DP_MAGIC dp_get_u32((const uint8_t *)DP_OBJECT_MAGIC)

#define DP_SECTION(number, name, bytes, count) BYTES_##name = (bytes), COUNT_##name = (count),
enum {
#include "sections.def"
};
#define DP_LIMITS(name)                                                                            \
	{                                                                                          \
		COUNT_##name, BYTES_##name                                                         \
	}
static const struct {
	uint16_t count;
	uint8_t bytes;
} limits[DP_SECTIONS_MAX] = {DP_LIMITS(MODULES), DP_LIMITS(TRAITS),
			     DP_LIMITS(PROBES),  DP_LIMITS(CODE),
			     DP_LIMITS(STRINGS), DP_IF(DP_WITH_COUNTS, DP_LIMITS(MAPS))};

/* Rules 1-3: is it an object, whole and undamaged? */
static enum dp_err check_frame(struct dp_check *check)
{
	/* cppcheck-suppress ctuuninitvar; dp_verify_object sets it, member by member */
	const uint8_t *o = check->object;
	uint32_t received = check->layout.bytes, bytes, crc;

	dp_at(check, 0, received);
	if (received < DP_SMALLEST)
		return DP_ERR_TRUNCATED;
	dp_at(check, 0, dp_get_u32(o));
	if (dp_get_u32(o) != DP_MAGIC)
		return DP_ERR_BAD_MAGIC;
	dp_at(check, DP_OBJ_VERSION, o[DP_OBJ_VERSION]);
	if ((o[DP_OBJ_VERSION] | 1) != DP_OBJECT_VERSION_LONG)
		return DP_ERR_BAD_VERSION;
	bytes = dp_get_u32(o + DP_OBJ_BYTES);
	dp_at(check, DP_OBJ_BYTES, bytes);
	if (bytes != received)
		return dp_rule(bytes < received && bytes >= DP_SMALLEST) ? DP_ERR_TRAILING
									 : DP_ERR_TRUNCATED;
	bytes -= DP_OBJECT_CRC_BYTES;
	crc = dp_crc32(0, o, bytes);
	dp_at(check, bytes, crc);
	return crc == dp_get_u32(o + bytes) ? DP_ERR_OK : DP_ERR_BAD_CRC;
}

/* Rule 5: does the header ask for more than the plain language? */
static bool asks_for_language(struct dp_check *check)
{
	const uint8_t *o = check->object;

	dp_at(check, DP_OBJ_FLAGS, DP_FOUND_PART + DP_PART_TRACES);
	if (o[DP_OBJ_FLAGS] & DP_PROGRAM_AUTOSTACKTRACE)
		return true;
	dp_at(check, DP_OBJ_GVARS, DP_FOUND_PART + DP_PART_GLOBALS);
	return dp_get_u16(o + DP_OBJ_GVARS) != 0;
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
	if (dp_rule(o[DP_OBJ_FLAGS] & ~DP_PROGRAM_FLAGS))
		return DP_ERR_RESERVED;
	if (!DP_WITH_LANGUAGE && asks_for_language(check))
		return DP_ERR_LEFT_OUT;
	dp_at(check, DP_OBJ_SECTIONS, o[DP_OBJ_SECTIONS]);
	if (DP_WITH_COUNTS && o[DP_OBJ_SECTIONS] > DP_SECTIONS) {
		check->sections = DP_SECTIONS_MAX;
		if (check->layout.bytes < DP_SMALLEST + DP_OBJECT_ENTRY_BYTES)
			return DP_ERR_TRUNCATED;
	}
	return dp_rule_header(check);
}

/* Rules 6 and 7. */
static enum dp_err check_sections(struct dp_check *check)
{
	struct dp_layout *layout = &check->layout;
	uint32_t end = layout->bytes - DP_OBJECT_CRC_BYTES, at;
	uint32_t table_end =
		DP_OBJECT_HEADER_BYTES + check->sections * (uint32_t)DP_OBJECT_ENTRY_BYTES;
	uint32_t previous = table_end;
	const uint8_t *entry = check->object + DP_OBJECT_HEADER_BYTES + 4;
	unsigned i;

	for (i = 0; i < check->sections; i++, entry += DP_OBJECT_ENTRY_BYTES) {
		uint32_t count = dp_get_u32(entry), offset = dp_get_u32(entry + 4), bytes;

		at = (uint32_t)(entry - check->object);
		dp_at(check, at, count);
		if (count > limits[i].count)
			return DP_ERR_COUNT_OVERFLOW;
		bytes = count * limits[i].bytes;
		dp_at(check, at + 4, offset);
		if (dp_rule(offset % 4 != 0))
			return DP_ERR_BAD_ALIGN;
		/* count is small: the product fits 32 bits, the sum may not */
		if (offset < table_end || offset > end || bytes > end - offset)
			return DP_ERR_BAD_SECTION;
		if (dp_rule(offset < previous))
			return DP_ERR_SECTION_OVERLAP;
		if (dp_rule_zero(check, previous, offset - previous))
			return DP_ERR_RESERVED;
		layout->offset[i] = offset;
		layout->count[i] = (uint16_t)count;
		previous = offset + bytes;
	}
	if (dp_rule_zero(check, previous, end - previous))
		return DP_ERR_RESERVED;
	/* The modules hold the identity that the object was made for. */
	for (i = 0; i < DP_SECTIONS - 1; i++) {
		dp_at(check, DP_OBJECT_HEADER_BYTES + i * DP_OBJECT_ENTRY_BYTES + 4, 0);
		if (layout->count[i] == 0)
			return DP_ERR_EMPTY;
	}
	return DP_ERR_OK;
}

#if DP_WITH_CHECKS || DP_WITH_LANGUAGE
#define DP_EXCPT_LOG_MATTERS 1
#else
#define DP_EXCPT_LOG_MATTERS 0
#endif

/* Rule 8: fields of the header, and the most that they may be: a member of the target, or
 * DP_VARS_MAX. */
#define DP_LIMIT(at, member, error)                                                                \
	{                                                                                          \
		DP_OBJ_##at, offsetof(struct dp_target, member), DP_ERR_##error                    \
	}
static const struct field_limit {
	uint8_t at, member, error;
} field_limits[] = {
	/* The comma goes with its row. */
	/* clang-format off */
	DP_IF(DP_WITH_CHECKS, DP_LIMIT(JMPMAX, jmpmax_max, LIMIT), {DP_OBJ_VARS, 0, DP_ERR_LIMIT},
	      {DP_OBJ_GVARS, 0, DP_ERR_LIMIT},)
	DP_IF(DP_EXCPT_LOG_MATTERS, DP_LIMIT(EXCPT_LOG, trace_max, LIMIT),)
	DP_LIMIT(LOGMAX, log_max, LIMIT),
	DP_IF(DP_WITH_CHECKS, DP_LIMIT(VARS, vars_max, NO_SPACE),)
	DP_IF(DP_WITH_LANGUAGE, DP_LIMIT(GVARS, gvars_max, NO_SPACE),)
	/* clang-format on */
};
_Static_assert(offsetof(struct dp_target, cpu) == 0, "0 is no limit's place");

static enum dp_err check_limits(struct dp_check *check)
{
	const uint8_t *target = (const uint8_t *)check->target;
	const struct field_limit *field = field_limits;

	for (; field < field_limits + sizeof field_limits / sizeof field_limits[0]; field++) {
		uint32_t value = dp_get_u16(check->object + field->at), limit = DP_VARS_MAX;

		if (field->member != 0)
			limit = *(const uint16_t *)(const void *)(target + field->member);
		dp_at(check, field->at, value);
		if (value > limit)
			return (enum dp_err)field->error;
	}
	dp_at(check, DP_PROBES_COUNT, check->layout.probe_count);
	/* Without this rule install.c counts the selected points only. */
	return dp_rule(check->layout.probe_count > check->target->probes_max) ? DP_ERR_TABLE_FULL
									      : DP_ERR_OK;
}

/* Rule 9: the name with its u16 offset at `at`, followed by its u8 length. */
static enum dp_err check_name(struct dp_check *check, uint32_t at)
{
	uint32_t offset = dp_get_u16(check->object + at), bytes = check->object[at + 2];

	dp_at(check, at, bytes);
	if (bytes == 0 || bytes > DP_NAME_MAX_BYTES || offset + bytes > check->layout.string_bytes)
		return DP_ERR_BAD_STRING;
	return dp_rule_text(check, check->layout.strings + offset, bytes);
}

static enum dp_err check_names(struct dp_check *check)
{
	uint32_t at = check->layout.modules + DP_MOD_NAME, n = check->layout.module_count;
	enum dp_err error = check_name(check, DP_OBJ_NAME);

	for (; error == DP_ERR_OK && n-- > 0; at += DP_MODULE_BYTES)
		error = check_name(check, at);
	return error;
}

/* The most that the first bytes of traits may be. */
static const uint8_t traits_max[] = {
	[DP_TR_KIND] = DP_POINTS_MAX,
	[DP_TR_PHASE] = DP_PHASES - 1,
	[DP_TR_ISA] = DP_ISAS - 1,
	[DP_TR_FLAGS] = DP_POINT_FLAGS, /* all low bits are defined */
};
_Static_assert(DP_POINT_FLAGS == 15, "compared by size");

/* Rule 11, one probe point and its traits. Returns the field that is wrong, or null. */
static const uint8_t *bad_field(const struct dp_check *check, const uint8_t *point)
{
	const unsigned kinds = DP_POINTS_KNOWN & ~(DP_WITH_D ? 0 : 1u << DP_PROBE_EVENT) &
			       ~(DP_WITH_TIMERS ? 0 : 1u << DP_PROBE_TIMER);
	const uint8_t *traits;

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): within the object */
	if (point[DP_PT_TRAITS] >= check->layout.traits_count)
		return point + DP_PT_TRAITS;
	traits = dp_check_traits(check, point);
	for (unsigned i = 0; i < sizeof traits_max; i++)
		if (traits[i] > traits_max[i])
			return traits + i;
	if (!(kinds >> traits[DP_TR_KIND] & 1))
		return traits + DP_TR_KIND;
	if (!(check->target->isas >> traits[DP_TR_ISA] & 1))
		return traits + DP_TR_ISA;
	if (traits[DP_TR_MODULE] >= check->layout.module_count)
		return traits + DP_TR_MODULE;
	return dp_rule_point(check, point, traits);
}

static enum dp_err check_points(struct dp_check *check)
{
	uint32_t at = check->layout.probes;
	const uint8_t *o = check->object;
	unsigned i;

	for (i = 0; i < check->layout.probe_count; i++, at += DP_PROBE_BYTES) {
		const uint8_t *field = bad_field(check, o + at);

		dp_at_point(check, i);
		if (field) {
			dp_at(check, (uint32_t)(field - o), *field);
			return DP_ERR_BAD_FIELD;
		}
		if (dp_rule_duplicate(check, i))
			return DP_ERR_DUPLICATE;
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
	if (dp_rule(check->object[DP_OBJ_GROUPS] != used))
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

/* The rules in order: each rule relies on the findings of the rules before. */
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
		error = dp_rule_modules(check);
	if (error == DP_ERR_OK)
		error = check_points(check);
	if (DP_WITH_COUNTS && error == DP_ERR_OK)
		error = dp_check_maps(check);
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
	check.returns = false;
	check.sections = DP_SECTIONS;
	check.layout.map_count = 0;
	check.layout.asks_old = false;
	check.layout.bytes = bytes;
	verdict->refusal = DP_REFUSE_NOTHING;
	verdict->probe = DP_NO_POINT;
	verdict->where = verdict->found = 0;
	verdict->error = error = check_all(&check);
	if (error == DP_ERR_OK) {
		dp_copy(layout, &check.layout, sizeof(*layout));
	} else {
		dp_tell_place(&check);
	}
	return error;
}
