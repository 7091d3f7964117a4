/* SPDX-License-Identifier: BSD-2-Clause */
/* The object around the code: header, sections, modules, probe points.  PROTOCOL.md section 2,
 * rules 1-11 and 13, in that order; spec/safety.md 2.4. */
#include "dp_verify_parts.h"

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

void dp_refuse_at(struct dp_check *check, uint32_t where, uint32_t found)
{
	check->verdict->where = where;
	check->verdict->found = found;
}

static bool all_zero(const uint8_t *p, uint32_t bytes)
{
	while (bytes-- > 0)
		if (*p++ != 0)
			return false;
	return true;
}

/* Rules 1-3: is it an object, whole and undamaged? */
static enum dp_err check_frame(struct dp_check *check, uint32_t received)
{
	const uint8_t *o = check->object;
	uint32_t bytes, crc;

	if (received < SMALLEST)
		return dp_refuse(check, DP_ERR_TRUNCATED, 0, received);
	if (o[0] != DP_OBJECT_MAGIC[0] || o[1] != DP_OBJECT_MAGIC[1] ||
	    o[2] != DP_OBJECT_MAGIC[2] || o[3] != DP_OBJECT_MAGIC[3])
		return dp_refuse(check, DP_ERR_BAD_MAGIC, 0, dp_get_u32(o));
	if (o[DP_OBJ_VERSION] != DP_OBJECT_VERSION)
		return dp_refuse(check, DP_ERR_BAD_VERSION, DP_OBJ_VERSION, o[DP_OBJ_VERSION]);
	bytes = dp_get_u32(o + DP_OBJ_BYTES);
	if (bytes > received || bytes < SMALLEST)
		return dp_refuse(check, DP_ERR_TRUNCATED, DP_OBJ_BYTES, bytes);
	if (bytes < received)
		return dp_refuse(check, DP_ERR_TRAILING, DP_OBJ_BYTES, bytes);
	crc = dp_crc32(0, o, bytes - DP_OBJECT_CRC_BYTES);
	if (crc != dp_get_u32(o + bytes - DP_OBJECT_CRC_BYTES))
		return dp_refuse(check, DP_ERR_BAD_CRC, bytes - DP_OBJECT_CRC_BYTES, crc);
	check->layout->bytes = bytes;
	return DP_ERR_OK;
}

/* Rules 4 and 5. */
static enum dp_err check_header(struct dp_check *check)
{
	const uint8_t *o = check->object, *entry = o + DP_OBJECT_HEADER_BYTES;
	/* the three bytes from DP_OBJ_CPU */
	const uint8_t wanted[] = {check->target->cpu, check->target->word_bytes,
				  check->target->order};
	unsigned i;

	for (i = 0; i < sizeof wanted; i++)
		if (o[DP_OBJ_CPU + i] != wanted[i])
			return dp_refuse(check, DP_ERR_BAD_TARGET, DP_OBJ_CPU + i,
					 o[DP_OBJ_CPU + i]);
	if (o[DP_OBJ_FLAGS] & ~DP_PROGRAM_FLAGS)
		return dp_refuse(check, DP_ERR_RESERVED, DP_OBJ_FLAGS, o[DP_OBJ_FLAGS]);
	if (!DP_WITH_TRACES && (o[DP_OBJ_FLAGS] & DP_PROGRAM_AUTOSTACKTRACE))
		return dp_refuse(check, DP_ERR_LEFT_OUT, DP_OBJ_FLAGS,
				 DP_FOUND_PART + DP_PART_TRACES);
	if (!all_zero(o + DP_OBJ_RESERVED, DP_OBJECT_HEADER_BYTES - DP_OBJ_RESERVED))
		return dp_refuse(check, DP_ERR_RESERVED, DP_OBJ_RESERVED, 0);
	if (o[DP_OBJ_SECTIONS] != SECTIONS)
		return dp_refuse(check, DP_ERR_RESERVED, DP_OBJ_SECTIONS, o[DP_OBJ_SECTIONS]);
	for (i = 0; i < SECTIONS; i++, entry += DP_OBJECT_ENTRY_BYTES)
		if (entry[0] != DP_SECTION_MODULES + i || !all_zero(entry + 1, 3))
			return dp_refuse(check, DP_ERR_RESERVED, (uint32_t)(entry - o), entry[0]);
	return DP_ERR_OK;
}

/* Rules 6 and 7. */
static enum dp_err check_sections(struct dp_check *check)
{
	const uint8_t *o = check->object;
	uint32_t end = check->layout->bytes - DP_OBJECT_CRC_BYTES, previous = TABLE_END;
	uint32_t count[SECTIONS], offset[SECTIONS];
	unsigned i;

	for (i = 0; i < SECTIONS; i++) {
		uint32_t at = DP_OBJECT_HEADER_BYTES + i * DP_OBJECT_ENTRY_BYTES;

		count[i] = dp_get_u32(o + at + 4);
		offset[i] = dp_get_u32(o + at + 8);
		if (count[i] > limits[i].count)
			return dp_refuse(check, DP_ERR_COUNT_OVERFLOW, at + 4, count[i]);
		if (offset[i] % 4 != 0)
			return dp_refuse(check, DP_ERR_BAD_ALIGN, at + 8, offset[i]);
		/* count is small now: the product fits 32 bits, the sum may not */
		if (offset[i] < TABLE_END || offset[i] > end ||
		    count[i] * limits[i].bytes > end - offset[i])
			return dp_refuse(check, DP_ERR_BAD_SECTION, at + 8, offset[i]);
		if (offset[i] < previous)
			return dp_refuse(check, DP_ERR_SECTION_OVERLAP, at + 8, offset[i]);
		if (!all_zero(o + previous, offset[i] - previous))
			return dp_refuse(check, DP_ERR_RESERVED, previous, 0);
		previous = offset[i] + count[i] * limits[i].bytes;
	}
	if (!all_zero(o + previous, end - previous))
		return dp_refuse(check, DP_ERR_RESERVED, previous, 0);
	for (i = 0; i < SECTIONS - 1; i++)
		if (count[i] == 0)
			return dp_refuse(check, DP_ERR_EMPTY,
					 DP_OBJECT_HEADER_BYTES + i * DP_OBJECT_ENTRY_BYTES + 4, 0);
	check->layout->modules = offset[0];
	check->layout->probes = offset[1];
	check->layout->code = offset[2];
	check->layout->strings = offset[3];
	check->layout->module_count = (uint16_t)count[0];
	check->layout->probe_count = (uint16_t)count[1];
	check->layout->code_bytes = (uint16_t)count[2];
	check->layout->string_bytes = (uint16_t)count[3];
	return DP_ERR_OK;
}

/* Rule 8. */
static enum dp_err check_limits(struct dp_check *check)
{
	const struct dp_target *target = check->target;
	const struct {
		uint8_t at;
		uint16_t limit;
	} rows[] = {
		{DP_OBJ_JMPMAX, target->jmpmax_max},
		{DP_OBJ_LOGMAX, target->log_max},
		{DP_OBJ_EXCPT_LOG, target->trace_max},
		{DP_OBJ_VARS, VARS_MAX},
		{DP_OBJ_GVARS, VARS_MAX},
	};
	uint16_t value;
	unsigned i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		value = dp_get_u16(check->object + rows[i].at);
		if (value > rows[i].limit)
			return dp_refuse(check, DP_ERR_LIMIT, rows[i].at, value);
	}
	value = dp_get_u16(check->object + DP_OBJ_VARS);
	if (value > target->vars_max)
		return dp_refuse(check, DP_ERR_NO_SPACE, DP_OBJ_VARS, value);
	value = dp_get_u16(check->object + DP_OBJ_GVARS);
	if (value > target->gvars_max)
		return dp_refuse(check, DP_ERR_NO_SPACE, DP_OBJ_GVARS, value);
	if (check->layout->probe_count > target->probes_max)
		return dp_refuse(check, DP_ERR_TABLE_FULL,
				 DP_OBJECT_HEADER_BYTES + DP_OBJECT_ENTRY_BYTES + 4,
				 check->layout->probe_count);
	return DP_ERR_OK;
}

/* Rule 9: the name whose u16 offset is at `at`, followed by its u8 length. */
static enum dp_err check_name(struct dp_check *check, uint32_t at)
{
	uint32_t offset = dp_get_u16(check->object + at), bytes = check->object[at + 2], i;
	const uint8_t *name = check->object + check->layout->strings + offset;

	if (bytes == 0 || bytes > NAME_MAX_BYTES || offset + bytes > check->layout->string_bytes)
		return dp_refuse(check, DP_ERR_BAD_STRING, at, bytes);
	for (i = 0; i < bytes; i++)
		if (name[i] < 0x20 || name[i] > 0x7e)
			return dp_refuse(check, DP_ERR_BAD_STRING,
					 check->layout->strings + offset + i, name[i]);
	return DP_ERR_OK;
}

static enum dp_err check_names(struct dp_check *check)
{
	enum dp_err error = check_name(check, DP_OBJ_NAME);
	unsigned i;

	for (i = 0; i < check->layout->module_count && error == DP_ERR_OK; i++)
		error = check_name(check,
				   check->layout->modules + i * DP_MODULE_BYTES + DP_MOD_NAME);
	return error;
}

/* Rule 10. */
static enum dp_err check_modules(struct dp_check *check)
{
	unsigned i;

	for (i = 0; i < check->layout->module_count; i++) {
		uint32_t at = check->layout->modules + i * DP_MODULE_BYTES;
		const uint8_t *m = check->object + at;

		if (m[DP_MOD_TYPE] > DP_MODULE_USER)
			return dp_refuse(check, DP_ERR_BAD_FIELD, at + DP_MOD_TYPE, m[DP_MOD_TYPE]);
		if (m[DP_MOD_IDENTITY] > DP_IDENTITY_TEXT_CRC)
			return dp_refuse(check, DP_ERR_BAD_FIELD, at + DP_MOD_IDENTITY,
					 m[DP_MOD_IDENTITY]);
		if (!all_zero(m + DP_MOD_RESERVED, DP_MOD_ID - DP_MOD_RESERVED))
			return dp_refuse(check, DP_ERR_BAD_FIELD, at + DP_MOD_RESERVED, 0);
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
static const struct {
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
	unsigned i;

	for (i = 0; i < sizeof point_max; i++)
		if (p[i] > point_max[i])
			return (int)i;
	if (p[DP_PT_ISA] == DP_ISA_THUMB && check->target->cpu != DP_CPU_ARM)
		return DP_PT_ISA;
	if (dp_get_u16(p + DP_PT_MODULE) >= check->layout->module_count)
		return DP_PT_MODULE;
	if (p[DP_PT_KIND] != DP_PROBE_BREAK) {
		is |= WATCHED;
		if (length - 1 > 3 || length == 3 || (low & (length - 1)) != 0)
			return DP_PT_LENGTH;
	}
	for (i = 0; i < sizeof zeros / sizeof zeros[0]; i++)
		if (!(zeros[i].unless & is) && !all_zero(p + zeros[i].at, zeros[i].bytes))
			return zeros[i].at;
	if ((is & WITH_OPCODE) && p[DP_PT_INSN_BYTES] - 1u > 14)
		return DP_PT_INSN_BYTES;
	if ((before >= extent && (before | extent) != 0) ||
	    (before > low && dp_get_u32(p + DP_PT_ADDRESS) == 0))
		return DP_PT_BEFORE;
	if (dp_get_u32(p + DP_PT_MAXHITS) - 1 >= RPN_MAXHITS_DEFAULT)
		return DP_PT_MAXHITS;
	return -1;
}

/* The same place twice: with equal kind, phase and minor, or as two instruction sets. */
static bool duplicate(const uint8_t *a, const uint8_t *b)
{
	if (!dp_equal(a + DP_PT_MODULE, b + DP_PT_MODULE, 2) ||
	    !dp_equal(a + DP_PT_ADDRESS, b + DP_PT_ADDRESS, 8))
		return false;
	return a[DP_PT_ISA] != b[DP_PT_ISA] ||
	       (dp_equal(a + DP_PT_KIND, b + DP_PT_KIND, 2) && /* and phase */
		dp_equal(a + DP_PT_MINOR, b + DP_PT_MINOR, 2));
}

static enum dp_err check_points(struct dp_check *check)
{
	const uint8_t *first = check->object + check->layout->probes;
	unsigned i, j;

	for (i = 0; i < check->layout->probe_count; i++) {
		const uint8_t *p = first + i * DP_PROBE_BYTES;
		uint32_t at = (uint32_t)(p - check->object);
		int field = bad_field(check, p);

		if (DP_WITH_DETAILS)
			check->verdict->probe = (uint16_t)i;
		if (field >= 0)
			return dp_refuse(check, DP_ERR_BAD_FIELD, at + (uint32_t)field, p[field]);
		for (j = 0; j < i; j++)
			if (duplicate(p, first + j * DP_PROBE_BYTES))
				return dp_refuse(check, DP_ERR_DUPLICATE, at, j);
	}
	if (DP_WITH_DETAILS)
		check->verdict->probe = 0xffff;
	return DP_ERR_OK;
}

/* Rule 12, second part. */
static enum dp_err check_entries(struct dp_check *check)
{
	unsigned i;

	for (i = 0; i < check->layout->probe_count; i++) {
		uint32_t at = check->layout->probes + i * DP_PROBE_BYTES;
		uint32_t entry = dp_get_u32(check->object + at + DP_PT_ENTRY);

		if (DP_WITH_DETAILS)
			check->verdict->probe = (uint16_t)i;
		if (!dp_is_marker(check, entry, RPN_HANDLER))
			return dp_refuse(check, DP_ERR_BAD_ENTRY, entry, entry);
	}
	if (DP_WITH_DETAILS)
		check->verdict->probe = 0xffff;
	return DP_ERR_OK;
}

/* Rule 13. */
static enum dp_err check_groups(struct dp_check *check)
{
	const struct dp_target *target = check->target;
	uint8_t used = check->groups, locks = 0;

	if (check->object[DP_OBJ_GROUPS] != used)
		return dp_refuse(check, DP_ERR_BAD_FIELD, DP_OBJ_GROUPS, used);
	if (used & ~target->port_groups)
		return dp_refuse(check, DP_ERR_NOT_ON_PORT, DP_OBJ_GROUPS,
				 used & ~target->port_groups);
	if (used & ~target->build_groups)
		locks |= 1;
	if (used & RPN_GROUP_DESTRUCTIVE) {
		if (!(check->object[DP_OBJ_FLAGS] & DP_PROGRAM_DESTRUCTIVE))
			locks |= 2;
		if (!target->may_write)
			locks |= 4;
	}
	return locks ? dp_refuse(check, DP_ERR_NOT_PERMITTED, DP_OBJ_GROUPS, locks) : DP_ERR_OK;
}

enum dp_err dp_verify_object(const uint8_t *object, uint32_t bytes, const struct dp_target *target,
			     uint8_t *scratch, uint32_t scratch_bytes, struct dp_layout *layout,
			     struct dp_verdict *verdict)
{
	static enum dp_err (*const steps[])(struct dp_check *) = {
		check_header, check_sections, check_limits,  check_names,  check_modules,
		check_points, dp_check_code,  check_entries, check_groups,
	};
	struct dp_check check;
	enum dp_err error;
	unsigned i;

	check.object = object;
	check.target = target;
	check.starts = scratch;
	check.starts_bytes = scratch_bytes;
	check.layout = layout;
	check.verdict = verdict;
	verdict->refusal = DP_REFUSE_NOTHING;
	verdict->probe = 0xffff;
	dp_refuse(&check, DP_ERR_OK, 0, 0);
	error = check_frame(&check, bytes);
	for (i = 0; i < sizeof steps / sizeof steps[0] && error == DP_ERR_OK; i++)
		error = steps[i](&check);
	verdict->error = error;
	return error;
}
