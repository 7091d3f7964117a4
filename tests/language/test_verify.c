/* SPDX-License-Identifier: BSD-2-Clause */
/* Every way an object and its code can be malformed is refused with its own error of errors.def;
 * what must be accepted is. The number in front of a row is the case's own. */
#define _DEFAULT_SOURCE
#include <inttypes.h>

#include "dp_verify.h"
#include "tables/registers.h"
#include "rpn_asm.h"

static struct rpn_asm assembler;
static _Alignas(4) uint8_t good[70000], object[70000];
static unsigned good_bytes;
static uint8_t starts[(RPN_CODE_MAX + 7) / 8];

static struct dp_target the_target(void)
{
	size_t count;
	struct dp_target target = {
		.cpu = DP_CPU_SIM,
		.isas = 1u << DP_ISA_MAIN,
		.word_bytes = 4,
		.order = DP_ORDER_LITTLE,
		.port_groups = RPN_GROUP_WRITE | RPN_GROUP_HOOK,
		.build_groups = RPN_GROUP_WRITE | RPN_GROUP_HOOK,
		.may_write = true,
		.log_max = 1024,
		.trace_max = 1024,
		.vars_max = 256,
		.gvars_max = 64,
		.jmpmax_max = 65535,
		.probes_max = 64,
		.regs = dph_cpu_regs(dph_cpu_named("sim"), &count),
	};

	target.reg_count = (uint16_t)count;
	return target;
}

static struct dp_verdict verify_as(const uint8_t *o, unsigned bytes, const struct dp_target *target)
{
	struct dp_layout layout;
	struct dp_verdict verdict;
	enum dp_err error =
		dp_verify_object(o, bytes, target, starts, sizeof starts, &layout, &verdict);

	CHECK(error == verdict.error);
	return verdict;
}

static struct dp_verdict verify(const uint8_t *o, unsigned bytes)
{
	struct dp_target target = the_target();

	return verify_as(o, bytes, &target);
}

#define EXPECT(verdict, name, at) expect(verdict, DP_ERR_##name, at, #name, __LINE__)
enum {
	ANYWHERE = 0xfffffff
};

static void expect(struct dp_verdict verdict, enum dp_err error, uint32_t where, const char *name,
		   int line)
{
	if (verdict.error == error && (where == ANYWHERE || verdict.where == where))
		return;
	printf("%s:%d: expected %s (%d) at %" PRIu32 ", got %d at %" PRIu32 ", found %" PRIu32 "\n",
	       __FILE__, line, name, error, where, verdict.error, verdict.where, verdict.found);
	check_failures++;
}

static const struct rpn_facts facts = {.vars = 2, .gvars = 2, .traits = 2};

static void make(const char *source)
{
	rpn_assemble(&assembler, source, 4, false);
	good_bytes = rpn_object(good, &assembler, &facts);
	memcpy(object, good, good_bytes);
}

/* The good object with one byte changed; sealed again. */
static struct dp_verdict changed(unsigned at, unsigned value)
{
	memcpy(object, good, good_bytes);
	object[at] = (uint8_t)value;
	rpn_reseal(object, good_bytes);
	return verify(object, good_bytes);
}

static struct dp_verdict changed_u32(unsigned at, uint32_t value)
{
	memcpy(object, good, good_bytes);
	dp_put_u32(object + at, value);
	rpn_reseal(object, good_bytes);
	return verify(object, good_bytes);
}

static struct dp_verdict changed_u16(unsigned at, unsigned value)
{
	memcpy(object, good, good_bytes);
	dp_put_u16(object + at, (uint16_t)value);
	rpn_reseal(object, good_bytes);
	return verify(object, good_bytes);
}

/* Section table entries: kind, count, offset. */
enum {
	TABLE = 40,
	MODULES = 100,
	TRAITS = 132, /* two rows */
	POINTS = 180,
	ENTRY = 12,
	TRAITS_ENTRY = ENTRY,
	POINTS_ENTRY = 2 * ENTRY,
	CODE_ENTRY = 3 * ENTRY,
	STRINGS_ENTRY = 4 * ENTRY,
	COUNT = 4,
	OFFSET = 8
};

/* proves: R2.1 R2.2 R2.3 R2.4 */
static void test_frame(void)
{
	make("push 1; log 1; exit");
	EXPECT(verify(good, good_bytes), OK, 0);
	EXPECT(changed(0, 'X'), BAD_MAGIC, 0); /* 1 */
	EXPECT(changed(3, '2'), BAD_MAGIC, 0);
	EXPECT(changed(DP_OBJ_VERSION, 1), BAD_VERSION, DP_OBJ_VERSION); /* 2 */
	EXPECT(changed(DP_OBJ_VERSION, 4), BAD_VERSION, DP_OBJ_VERSION);
	EXPECT(changed(DP_OBJ_CPU, DP_CPU_ARM), BAD_TARGET, DP_OBJ_CPU); /* 3 */
	EXPECT(changed(DP_OBJ_WORD, 8), BAD_TARGET, DP_OBJ_WORD);
	EXPECT(changed(DP_OBJ_ORDER, DP_ORDER_BIG), BAD_TARGET, DP_OBJ_ORDER);
	EXPECT(verify(good, good_bytes - 1), TRUNCATED, DP_OBJ_BYTES); /* 5 */
	EXPECT(verify(good, 103), TRUNCATED, 0);
	EXPECT(verify(good, 0), TRUNCATED, 0);
	EXPECT(changed_u32(DP_OBJ_BYTES, 103), TRUNCATED, DP_OBJ_BYTES);
	EXPECT(changed_u32(DP_OBJ_BYTES, 0xffffffff), TRUNCATED, DP_OBJ_BYTES);
	EXPECT(verify(good, good_bytes + 1), TRAILING, DP_OBJ_BYTES); /* 6 */
	memcpy(object, good, good_bytes);
	object[good_bytes - 1] ^= 1;
	EXPECT(verify(object, good_bytes), BAD_CRC, good_bytes - 4); /* 7 */
	memcpy(object, good, good_bytes);
	object[DP_OBJ_ID] ^= 1;
	EXPECT(verify(object, good_bytes), BAD_CRC, good_bytes - 4);
}

/* proves: R2.5 R2.6 R2.7 */
static void test_sections(void)
{
	unsigned code, end;

	make("push 1; log 1; log 1; log 1; exit"); /* 14 bytes of code: a gap of two */
	code = dp_get_u32(good + TABLE + CODE_ENTRY + OFFSET);
	end = good_bytes - 4;
	EXPECT(changed_u32(TABLE + POINTS_ENTRY + COUNT, 0x40000001), COUNT_OVERFLOW,
	       TABLE + POINTS_ENTRY + COUNT); /* 8 */
	EXPECT(changed_u32(TABLE + COUNT, 9), COUNT_OVERFLOW, TABLE + COUNT);
	EXPECT(changed_u32(TABLE + POINTS_ENTRY + COUNT, 241), COUNT_OVERFLOW,
	       TABLE + POINTS_ENTRY + COUNT);
	EXPECT(changed_u32(TABLE + CODE_ENTRY + COUNT, 65536), COUNT_OVERFLOW,
	       TABLE + CODE_ENTRY + COUNT);
	EXPECT(changed_u32(TABLE + CODE_ENTRY + COUNT, 65535), BAD_SECTION,
	       TABLE + CODE_ENTRY + OFFSET); /* 9 */
	EXPECT(changed_u32(TABLE + OFFSET, 96), BAD_SECTION, TABLE + OFFSET);
	EXPECT(changed_u32(TABLE + STRINGS_ENTRY + OFFSET, end), BAD_SECTION,
	       TABLE + STRINGS_ENTRY + OFFSET);
	EXPECT(changed_u32(TABLE + STRINGS_ENTRY + OFFSET, 0xfffffffc), BAD_SECTION,
	       TABLE + STRINGS_ENTRY + OFFSET);
	EXPECT(changed_u32(TABLE + CODE_ENTRY + OFFSET, POINTS), SECTION_OVERLAP,
	       TABLE + CODE_ENTRY + OFFSET); /* 10 */
	EXPECT(changed_u32(TABLE + POINTS_ENTRY + OFFSET, MODULES), SECTION_OVERLAP,
	       TABLE + POINTS_ENTRY + OFFSET);
	EXPECT(changed_u32(TABLE + CODE_ENTRY + OFFSET, code + 1), BAD_ALIGN,
	       TABLE + CODE_ENTRY + OFFSET);                                        /* 11 */
	EXPECT(changed(TABLE + STRINGS_ENTRY, 6), RESERVED, TABLE + STRINGS_ENTRY); /* 12 */
	EXPECT(changed(TABLE, DP_SECTION_TRAITS), RESERVED, TABLE);
	EXPECT(changed(TABLE + 1, 1), RESERVED, TABLE);
	EXPECT(changed(DP_OBJ_SECTIONS, 7), RESERVED, DP_OBJ_SECTIONS);
	EXPECT(changed(DP_OBJ_RESERVED, 1), RESERVED, DP_OBJ_RESERVED);
	EXPECT(changed(39, 1), RESERVED, DP_OBJ_RESERVED);
	EXPECT(changed(DP_OBJ_FLAGS, 4), RESERVED, DP_OBJ_FLAGS);
	EXPECT(changed(code + 15, 1), RESERVED, code + 14); /* a gap */
	EXPECT(changed(end - 1, 1), RESERVED, end - 3);     /* the one before the CRC */
	memcpy(object, good, good_bytes);                   /* 13 */
	dp_put_u32(object + TABLE + COUNT, 0);
	memset(object + MODULES, 0, DP_MODULE_BYTES);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), EMPTY, TABLE + COUNT);
	memcpy(object, good, good_bytes);
	dp_put_u32(object + TABLE + TRAITS_ENTRY + COUNT, 0);
	memset(object + TRAITS, 0, 2 * DP_TRAITS_BYTES);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), EMPTY, TABLE + TRAITS_ENTRY + COUNT);
	memcpy(object, good, good_bytes);
	dp_put_u32(object + TABLE + POINTS_ENTRY + COUNT, 0);
	memset(object + POINTS, 0, DP_PROBE_BYTES);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), EMPTY, TABLE + POINTS_ENTRY + COUNT);
	memcpy(object, good, good_bytes);
	dp_put_u32(object + TABLE + CODE_ENTRY + COUNT, 0);
	memset(object + code, 0, 16);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), EMPTY, TABLE + CODE_ENTRY + COUNT);
	/* An empty section has an offset like any other; it may be that of the CRC. */
	dp_put_u32(object + TABLE + CODE_ENTRY + OFFSET, 0);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_SECTION, TABLE + CODE_ENTRY + OFFSET);
	dp_put_u32(object + TABLE + CODE_ENTRY + OFFSET, end + 4);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_SECTION, TABLE + CODE_ENTRY + OFFSET);
	dp_put_u32(object + TABLE + CODE_ENTRY + OFFSET, code + 2);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_ALIGN, TABLE + CODE_ENTRY + OFFSET);
	dp_put_u32(object + TABLE + CODE_ENTRY + OFFSET, code + 4);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), EMPTY, TABLE + CODE_ENTRY + COUNT);
	memcpy(object, good, good_bytes);
	dp_put_u32(object + TABLE + STRINGS_ENTRY + COUNT, 0);
	dp_put_u32(object + TABLE + STRINGS_ENTRY + OFFSET, end);
	memset(object + dp_get_u32(good + TABLE + STRINGS_ENTRY + OFFSET), 0,
	       end - dp_get_u32(good + TABLE + STRINGS_ENTRY + OFFSET));
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_STRING, DP_OBJ_NAME);
}

/* proves: R2.8 R2.9 */
static void test_limits_and_strings(void)
{
	struct dp_target target;

	make("push 1; log 1; exit");
	EXPECT(changed_u16(DP_OBJ_LOGMAX, 1025), LIMIT, DP_OBJ_LOGMAX); /* 32 */
	EXPECT(changed_u16(DP_OBJ_EXCPT_LOG, 1025), LIMIT, DP_OBJ_EXCPT_LOG);
	EXPECT(changed_u16(DP_OBJ_VARS, 257), LIMIT, DP_OBJ_VARS);
	EXPECT(changed_u16(DP_OBJ_GVARS, 257), LIMIT, DP_OBJ_GVARS);
	EXPECT(changed_u16(DP_OBJ_GVARS, 65), NO_SPACE, DP_OBJ_GVARS); /* 26 */
	target = the_target();
	target.jmpmax_max = 255;
	EXPECT(verify_as(good, good_bytes, &target), LIMIT, DP_OBJ_JMPMAX);
	target = the_target();
	target.vars_max = 1; /* facts has two */
	target.jmpmax_max = 65535;
	EXPECT(verify_as(good, good_bytes, &target), NO_SPACE, DP_OBJ_VARS);
	target = the_target();
	target.probes_max = 0;
	EXPECT(verify_as(good, good_bytes, &target), TABLE_FULL, ANYWHERE); /* 45 */
	EXPECT(changed(DP_OBJ_NAME_BYTES, 0), BAD_STRING, DP_OBJ_NAME);
	EXPECT(changed(DP_OBJ_NAME_BYTES, 2), BAD_STRING, DP_OBJ_NAME);
	EXPECT(changed(DP_OBJ_NAME_BYTES, 64), BAD_STRING, DP_OBJ_NAME);
	EXPECT(changed_u16(DP_OBJ_NAME, 0xffff), BAD_STRING, DP_OBJ_NAME);
	EXPECT(changed(MODULES + DP_MOD_NAME_BYTES, 0), BAD_STRING, MODULES + DP_MOD_NAME);
	EXPECT(changed(good_bytes - 8, 0x1f), BAD_STRING, good_bytes - 8);
	EXPECT(changed(good_bytes - 8, 0x20), OK, 0);
	EXPECT(changed(good_bytes - 8, 0x7e), OK, 0);
	EXPECT(changed(good_bytes - 8, 0x7f), BAD_STRING, good_bytes - 8);
}

/* On ARM a place is ARM or Thumb, not both. Leaves a damaged `object`. */
static void thumb_beside_arm(void)
{
	struct dp_target target = the_target();

	target.cpu = DP_CPU_ARM;
	target.isas = 1u << DP_ISA_MAIN | 1u << DP_ISA_THUMB;
	memcpy(object, good, good_bytes);
	object[DP_OBJ_CPU] = DP_CPU_ARM;
	memcpy(object + POINTS + DP_PROBE_BYTES, object + POINTS, DP_PROBE_BYTES);
	object[POINTS + DP_PROBE_BYTES + DP_PT_MINOR + 1] = 9;
	object[POINTS + DP_PROBE_BYTES + DP_PT_TRAITS] = 1;
	object[TRAITS + DP_TRAITS_BYTES + DP_TR_ISA] = DP_ISA_THUMB;
	rpn_reseal(object, good_bytes);
	EXPECT(verify_as(object, good_bytes, &target), DUPLICATE, POINTS + DP_PROBE_BYTES);
	object[TRAITS + DP_TR_ISA] = DP_ISA_THUMB;
	rpn_reseal(object, good_bytes);
	EXPECT(verify_as(object, good_bytes, &target), OK, 0);
}

/* A timer: a period of at least 1 ns, and no place. */
/* proves: R2.42 R2.43 */
static void timers(void)
{
	static const struct {
		uint32_t address, extent;
		unsigned wrong; /* 0: right */
	} periods[] = {
		{1, 0, 0},
		{0, 1, 0},
		{0x7fffffff, 999999999, 0},
		{0x80000000 | 1, 0, 0},
		{0x80000000, 10309278, 0},
		{0, 0, POINTS + DP_PT_ADDRESS},
		{0x80000000, 0, POINTS + DP_PT_ADDRESS},
		{0, 1000000000, POINTS + DP_PT_EXTENT},
		{1, 0xffffffff, POINTS + DP_PT_EXTENT},
	};
	uint8_t *second = object + POINTS + DP_PROBE_BYTES;

	for (unsigned i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		memcpy(object, good, good_bytes);
		object[TRAITS + DP_TR_KIND] = DP_PROBE_TIMER;
		dp_put_u32(object + POINTS + DP_PT_ADDRESS, periods[i].address);
		dp_put_u32(object + POINTS + DP_PT_EXTENT, periods[i].extent);
		rpn_reseal(object, good_bytes);
		if (periods[i].wrong == 0)
			EXPECT(verify(object, good_bytes), OK, 0);
		else
			EXPECT(verify(object, good_bytes), BAD_FIELD, periods[i].wrong);
	}
	dp_put_u32(object + POINTS + DP_PT_ADDRESS, 1);
	dp_put_u32(object + POINTS + DP_PT_EXTENT, 1);
	dp_put_u32(object + POINTS + DP_PT_BEFORE, 1);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_FIELD, POINTS + DP_PT_BEFORE);
	dp_put_u32(object + POINTS + DP_PT_BEFORE, 0);
	for (unsigned phase = DP_PHASE_AFTER; phase <= DP_PHASE_FAULT; phase++) {
		object[TRAITS + DP_TR_PHASE] = (uint8_t)phase;
		rpn_reseal(object, good_bytes);
		EXPECT(verify(object, good_bytes), BAD_FIELD, TRAITS + DP_TR_PHASE);
	}
	object[TRAITS + DP_TR_PHASE] = DP_PHASE_BEFORE;
	object[TRAITS + DP_TR_FLAGS] = DP_POINT_TAKEN;
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_FIELD, TRAITS + DP_TR_FLAGS);
	object[TRAITS + DP_TR_FLAGS] = DP_POINT_OPCODE;
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_FIELD, TRAITS + DP_TR_FLAGS);
	object[TRAITS + DP_TR_FLAGS] = 0;
	object[TRAITS + DP_TR_LENGTH] = 1;
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_FIELD, TRAITS + DP_TR_LENGTH);
	object[TRAITS + DP_TR_LENGTH] = 0;
	dp_put_u32(object + TRAITS + DP_TR_HIGH, 1);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_FIELD, TRAITS + DP_TR_HIGH);
	dp_put_u32(object + TRAITS + DP_TR_HIGH, 0);

	memcpy(second, object + POINTS, DP_PROBE_BYTES);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), DUPLICATE, POINTS + DP_PROBE_BYTES);
	dp_put_u32(second + DP_PT_EXTENT, 2); /* another period */
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), OK, 0);
}

/* proves: R2.10 R2.11 R2.12 R2.34 */
static void test_fields(void)
{
	make("push 1; log 1; exit; handler; exit");
	EXPECT(changed(MODULES + DP_MOD_TYPE, 3), BAD_FIELD, MODULES + DP_MOD_TYPE);
	EXPECT(changed(MODULES + DP_MOD_IDENTITY, 3), BAD_FIELD, MODULES + DP_MOD_IDENTITY);
	EXPECT(changed(MODULES + 11, 1), BAD_FIELD, MODULES + DP_MOD_RESERVED);
	timers();
	EXPECT(changed(TRAITS + DP_TR_PHASE, DP_PHASES), BAD_FIELD, TRAITS + DP_TR_PHASE);
	EXPECT(changed(TRAITS + DP_TR_ISA, 2), BAD_FIELD, TRAITS + DP_TR_ISA);
	EXPECT(changed(TRAITS + DP_TR_ISA, DP_ISAS), BAD_FIELD, TRAITS + DP_TR_ISA);
	EXPECT(changed(TRAITS + DP_TR_ISA, 255), BAD_FIELD, TRAITS + DP_TR_ISA);
	EXPECT(changed(TRAITS + DP_TR_ISA, DP_ISA_THUMB), BAD_FIELD, TRAITS + DP_TR_ISA);
	EXPECT(changed(TRAITS + DP_TR_FLAGS, DP_POINT_FLAGS + 1), BAD_FIELD, TRAITS + DP_TR_FLAGS);
	EXPECT(changed(TRAITS + DP_TR_FLAGS, DP_POINT_TAKEN), OK, 0);
	EXPECT(changed(TRAITS + DP_TR_MODULE, 1), BAD_FIELD, TRAITS + DP_TR_MODULE);
	EXPECT(changed(TRAITS + DP_TR_FLAGS, DP_POINT_OPCODE), BAD_FIELD,
	       POINTS + DP_PT_INSN_BYTES);
	EXPECT(changed(POINTS + DP_PT_INSN_BYTES, 4), BAD_FIELD, POINTS + DP_PT_INSN_BYTES);
	EXPECT(changed_u32(POINTS + DP_PT_OPCODE, 1), BAD_FIELD, POINTS + DP_PT_OPCODE);
	EXPECT(changed(POINTS + DP_PT_TRAITS, 1), OK, 0);
	EXPECT(changed(POINTS + DP_PT_TRAITS, 2), BAD_FIELD, POINTS + DP_PT_TRAITS);
	EXPECT(changed(POINTS + DP_PT_TRAITS, 255), BAD_FIELD, POINTS + DP_PT_TRAITS);
	EXPECT(changed(TRAITS + DP_TR_HIGH, 1), BAD_FIELD, TRAITS + DP_TR_HIGH);
	EXPECT(changed(TRAITS + DP_TR_LENGTH, 4), BAD_FIELD, TRAITS + DP_TR_LENGTH);
	EXPECT(changed(TRAITS + DP_TR_KIND, DP_PROBE_WATCH_W), BAD_FIELD, TRAITS + DP_TR_LENGTH);
	EXPECT(changed_u32(POINTS + DP_PT_BEFORE, 1), BAD_FIELD, POINTS + DP_PT_BEFORE);
	EXPECT(changed_u32(TRAITS + DP_TR_MAXHITS, 0), BAD_FIELD, TRAITS + DP_TR_MAXHITS);
	EXPECT(changed_u32(TRAITS + DP_TR_MAXHITS, 0x80000000), BAD_FIELD, TRAITS + DP_TR_MAXHITS);
	memcpy(object, good, good_bytes);
	object[TRAITS + DP_TR_FLAGS] = DP_POINT_TAKEN;
	object[TRAITS + DP_TR_PHASE] = DP_PHASE_AFTER;
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_FIELD, TRAITS + DP_TR_FLAGS);
	memcpy(object, good, good_bytes);
	object[TRAITS + DP_TR_FLAGS] = DP_POINT_TAKEN;
	object[TRAITS + DP_TR_KIND] = DP_PROBE_WATCH_W;
	object[TRAITS + DP_TR_LENGTH] = 4;
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_FIELD, TRAITS + DP_TR_FLAGS);
	memcpy(object, good, good_bytes);
	object[TRAITS + DP_TR_KIND] = DP_PROBE_WATCH_W;
	object[TRAITS + DP_TR_LENGTH] = 4;
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), OK, 0);
	object[TRAITS + DP_TR_LENGTH] = 3;
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_FIELD, TRAITS + DP_TR_LENGTH);
	memcpy(object, good, good_bytes);
	dp_put_u32(object + POINTS + DP_PT_BEFORE, 0x1004);
	dp_put_u32(object + POINTS + DP_PT_EXTENT, 0x2000);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), BAD_FIELD, POINTS + DP_PT_BEFORE);

	/* watchpoints: 1, 2 or 4 bytes, aligned */
	for (unsigned length = 0; length < 6; length++) {
		for (unsigned low = 0; low < 4; low++) {
			bool fits = length == 1 || (length == 2 && low % 2 == 0) ||
				    (length == 4 && low == 0);

			memcpy(object, good, good_bytes);
			object[TRAITS + DP_TR_KIND] = DP_PROBE_WATCH_RW;
			object[POINTS + DP_PT_ADDRESS + 3] = (uint8_t)low;
			object[TRAITS + DP_TR_LENGTH] = (uint8_t)length;
			rpn_reseal(object, good_bytes);
			if (fits)
				EXPECT(verify(object, good_bytes), OK, 0);
			else
				EXPECT(verify(object, good_bytes), BAD_FIELD,
				       TRAITS + DP_TR_LENGTH);
		}
	}

	/* events: no place, no phase */
	for (unsigned event = 0; event < 3; event++) {
		memcpy(object, good, good_bytes);
		object[TRAITS + DP_TR_KIND] = DP_PROBE_EVENT;
		memset(object + POINTS + DP_PT_ADDRESS, 0, 4);
		object[POINTS + DP_PT_ADDRESS + 3] = (uint8_t)event;
		rpn_reseal(object, good_bytes);
		if (event < DP_EVENTS)
			EXPECT(verify(object, good_bytes), OK, 0);
		else
			EXPECT(verify(object, good_bytes), BAD_FIELD, POINTS + DP_PT_ADDRESS);
		object[POINTS + DP_PT_ADDRESS + 3] = 0;
		object[TRAITS + DP_TR_PHASE] = DP_PHASE_AFTER;
		rpn_reseal(object, good_bytes);
		EXPECT(verify(object, good_bytes), BAD_FIELD, TRAITS + DP_TR_PHASE);
		object[TRAITS + DP_TR_PHASE] = DP_PHASE_BEFORE;
		dp_put_u32(object + POINTS + DP_PT_EXTENT, 4);
		rpn_reseal(object, good_bytes);
		EXPECT(verify(object, good_bytes), BAD_FIELD, POINTS + DP_PT_EXTENT);
	}
	EXPECT(changed(TRAITS + DP_TR_KIND, DP_POINTS_MAX + 1), BAD_FIELD, TRAITS + DP_TR_KIND);

	/* 42: the second point like the first */
	memcpy(object, good, good_bytes);
	memcpy(object + POINTS + DP_PROBE_BYTES, object + POINTS, DP_PROBE_BYTES);
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), DUPLICATE, POINTS + DP_PROBE_BYTES);
	CHECK(verify(object, good_bytes).probe == 1);
	object[POINTS + DP_PROBE_BYTES + DP_PT_MINOR + 1] = 9; /* another minor: chained */
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), OK, 0);

	/* another address, kind or phase: two points; another instruction set: the same place twice
	 */
	object[POINTS + DP_PROBE_BYTES + DP_PT_MINOR + 1] = object[POINTS + DP_PT_MINOR + 1];
	object[POINTS + DP_PROBE_BYTES + DP_PT_ADDRESS + 3] ^= 4;
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), OK, 0);
	object[POINTS + DP_PROBE_BYTES + DP_PT_ADDRESS + 3] ^= 4;
	object[POINTS + DP_PROBE_BYTES + DP_PT_TRAITS] = 1;
	object[TRAITS + DP_TRAITS_BYTES + DP_TR_PHASE] = DP_PHASE_AFTER;
	rpn_reseal(object, good_bytes);
	EXPECT(verify(object, good_bytes), OK, 0);
	object[TRAITS + DP_TRAITS_BYTES + DP_TR_PHASE] = object[TRAITS + DP_TR_PHASE];
	thumb_beside_arm();

	EXPECT(changed_u32(POINTS + DP_PT_ENTRY, 1), BAD_ENTRY, 1);
	EXPECT(changed_u32(POINTS + DP_PT_ENTRY, 2), BAD_ENTRY, 2);
	EXPECT(changed_u32(POINTS + DP_PT_ENTRY, 0xffffffff), BAD_ENTRY, 0xffffffff);
}

/* Code as bytes, in an otherwise good object. */
static struct dp_verdict code_bytes(const uint8_t *code, unsigned bytes, unsigned groups)
{
	memset(&assembler, 0, sizeof assembler);
	memcpy(assembler.code, code, bytes);
	assembler.size = bytes;
	assembler.word_bytes = 4;
	assembler.entry_count = 1;
	assembler.groups = groups;
	good_bytes = rpn_object(good, &assembler, &facts);
	return verify(good, good_bytes);
}

#define CODE(...) code_bytes((const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}), 0)
#define HEAD(n)   RPN_HANDLER, n

/* A point with this code, flags, place and extent. */
static struct dp_verdict returning(const uint8_t *code, unsigned bytes, unsigned flags,
				   uint32_t before, uint32_t extent)
{
	code_bytes(code, bytes, RPN_GROUP_WRITE);
	memcpy(object, good, good_bytes);
	object[TRAITS + DP_TR_FLAGS] = (uint8_t)flags;
	dp_put_u32(object + POINTS + DP_PT_BEFORE, before);
	dp_put_u32(object + POINTS + DP_PT_EXTENT, extent);
	rpn_reseal(object, good_bytes);
	return verify(object, good_bytes);
}

#define RETURNING(flags, before, extent, ...)                                                      \
	returning((const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}), flags, before, \
		  extent)

/* `return` is for handlers of points where a function begins. */
/* proves: R2.44 R2.45 */
static void test_returns(void)
{
	EXPECT(RETURNING(DP_POINT_RETURNS, 0, 4, HEAD(2), RPN_RETURN, 0, RPN_EXIT), OK, 0);
	EXPECT(RETURNING(DP_POINT_RETURNS, 0, 4, HEAD(2), RPN_RETURN, 2, RPN_EXIT), OK, 0);
	EXPECT(RETURNING(DP_POINT_RETURNS, 0, 4, HEAD(2), RPN_RETURN, 3, RPN_EXIT), BAD_RETURN, 2);
	EXPECT(RETURNING(DP_POINT_RETURNS, 0, 4, HEAD(1), RPN_EXIT, RPN_PROC, 2, RPN_RETURN, 1,
			 RPN_RET),
	       BAD_RETURN, 5);
	EXPECT(RETURNING(0, 0, 4, HEAD(2), RPN_RETURN, 1, RPN_EXIT), NOT_ENTRY, 0);
	CHECK(verify(object, good_bytes).probe == 0);
	EXPECT(RETURNING(DP_POINT_RETURNS, 2, 4, HEAD(2), RPN_RETURN, 1, RPN_EXIT), NOT_ENTRY, 0);
	EXPECT(RETURNING(DP_POINT_RETURNS, 0, 0, HEAD(2), RPN_RETURN, 1, RPN_EXIT), NOT_ENTRY, 0);
	/* in a later block; in another handler, which no point has */
	EXPECT(RETURNING(0, 0, 0, HEAD(1), RPN_JZ, 5, 0, RPN_BLOCK, 2, RPN_RETURN, 1, RPN_EXIT),
	       NOT_ENTRY, 0);
	EXPECT(RETURNING(0, 0, 0, HEAD(1), RPN_EXIT, HEAD(2), RPN_RETURN, 1, RPN_EXIT), OK, 0);
	EXPECT(RETURNING(0, 0, 0, HEAD(3), RPN_PUSH_8, RPN_RETURN, RPN_PUSH_8, RPN_RETURN,
			 RPN_EXIT),
	       BAD_FIELD, ANYWHERE); /* only its declared group is wrong */
}

/* An undefined opcode never gets as far as INVALID_OPCODE (decisions.txt C107): the object is
 * refused. */
/* proves: R2.18 R2.19 R2.20 R2.22 */
static void test_code(void)
{
	EXPECT(CODE(HEAD(1), RPN_EXIT), OK, 0);
	EXPECT(CODE(HEAD(1), 0x00), BAD_OPCODE, 2); /* 14 */
	EXPECT(CODE(HEAD(1), RPN_ESCAPE), BAD_OPCODE, 2);
	EXPECT(CODE(HEAD(2), RPN_NOP, RPN_DISCARD + 1), BAD_OPCODE, 3);
	EXPECT(CODE(HEAD(2), RPN_NOP, RPN_PUSH_W, 1, 2, 3), OPERAND_CUT, 3); /* 16 */
	EXPECT(CODE(RPN_HANDLER), OPERAND_CUT, 0);
	EXPECT(CODE(HEAD(1), RPN_JMP, 8, 0, RPN_BLOCK, 2, RPN_NOP, RPN_EXIT), BAD_BLOCK, 2);
	EXPECT(CODE(HEAD(1), RPN_JMP, 3, 0, RPN_BLOCK, 1, RPN_EXIT), JUMP_INTO_OPERAND, 2); /* 17 */
	EXPECT(CODE(HEAD(1), RPN_JMP, 6, 0, RPN_BLOCK, 1, RPN_EXIT), JUMP_INTO_OPERAND, 2);
	EXPECT(CODE(HEAD(1), RPN_JMP, 99, 0), JUMP_OUT, 2); /* 18 */
	CHECK(CODE(HEAD(1), RPN_JMP, 99, 0).found == 99);
	EXPECT(CODE(HEAD(1), RPN_JMP, 7, 0, HEAD(1), RPN_EXIT, RPN_BLOCK, 1, RPN_EXIT), JUMP_OUT,
	       2);
	EXPECT(CODE(HEAD(1), RPN_EXIT, HEAD(1), RPN_JMP, 0, 0), JUMP_OUT, 5);
	EXPECT(CODE(HEAD(1), RPN_JMP, 5, 0, HEAD(1), RPN_EXIT), JUMP_OUT, 2);
	EXPECT(CODE(HEAD(1), RPN_JMP, 5, 0), NO_END, 2); /* 19 */
	EXPECT(CODE(HEAD(1), RPN_NOP), NO_END, 2);
	EXPECT(CODE(HEAD(1), RPN_JZ, 5, 0, RPN_BLOCK, 1, RPN_NOP), NO_END, 7);
	EXPECT(CODE(HEAD(1), RPN_CALL, 5, 0, RPN_PROC, 1, RPN_RET), FALL_INTO_PROC, 2); /* 20 */
	EXPECT(CODE(HEAD(1), RPN_NOP, RPN_PROC, 1, RPN_RET), FALL_INTO_PROC, 2);
	EXPECT(CODE(HEAD(1), RPN_NOP, HEAD(1), RPN_EXIT), FALL_INTO_PROC, 2);
	EXPECT(CODE(HEAD(1), RPN_CALL, 5, 0, RPN_BLOCK, 1, RPN_EXIT), BAD_CALL, 2); /* 21 */
	EXPECT(CODE(HEAD(1), RPN_CALL, 0, 0, RPN_BLOCK, 1, RPN_EXIT), BAD_CALL, 2);
	EXPECT(CODE(HEAD(1), RPN_CALL, 0xff, 0xff, RPN_BLOCK, 1, RPN_EXIT), BAD_CALL, 2);
	EXPECT(CODE(HEAD(2), RPN_SX, 99, 0, RPN_EXIT), BAD_HANDLER, 2); /* 23 */
	EXPECT(CODE(HEAD(2), RPN_SX, 9, 0, RPN_EXIT, RPN_PROC, 1, RPN_RET), BAD_HANDLER, 2);
	EXPECT(CODE(HEAD(2), RPN_SX, 2, 0, RPN_EXIT), BAD_BLOCK, 2);
	EXPECT(CODE(HEAD(2), RPN_UX, RPN_EXIT), OK, 0);
	EXPECT(CODE(HEAD(2), RPN_PUSH_LV_N, 2, RPN_EXIT), LV_RANGE, 2); /* 24 */
	CHECK(CODE(HEAD(2), RPN_PUSH_LV_N, 7, RPN_EXIT).found == 7);
	EXPECT(CODE(HEAD(2), RPN_PUSH_LV_N, 1, RPN_EXIT), OK, 0);
	EXPECT(CODE(HEAD(2), RPN_INC_GV_N, 2, RPN_EXIT), GV_RANGE, 2);  /* 25 */
	EXPECT(CODE(HEAD(2), RPN_PUSH_R, 99, 0, RPN_EXIT), BAD_REG, 2); /* 27 */
	EXPECT(CODE(HEAD(2), RPN_PUSH_R, 15, 1, RPN_EXIT), BAD_REG, 2);
	EXPECT(CODE(HEAD(2), RPN_POP_R, 15, 0, RPN_EXIT), REG_READONLY, 2); /* 28 */
	EXPECT(CODE(HEAD(2), RPN_POP_U, 13, 0, RPN_EXIT), REG_READONLY, 2);
	EXPECT(CODE(HEAD(2), RPN_PUSH_U, 3, 0, RPN_EXIT), OK, 0); /* 29 */
	EXPECT(CODE(HEAD(1), RPN_EXIT_N, 77), OK, 0);             /* 30 */
	EXPECT(CODE(HEAD(2), RPN_PBL_N, 0, RPN_EXIT), OK, 0);     /* 31 */
	EXPECT(CODE(HEAD(1), RPN_CALL, 8, 0, RPN_BLOCK, 1, RPN_EXIT, RPN_PROC, 1, RPN_CALL, 8, 0,
		    RPN_BLOCK, 1, RPN_RET),
	       OK, 0); /* 22 */
}

/* proves: R2.15 R2.16 R2.17 */
static void test_blocks(void)
{
	EXPECT(CODE(RPN_BLOCK, 1, RPN_EXIT), BAD_BLOCK, 0);
	EXPECT(CODE(RPN_EXIT), BAD_BLOCK, 0);
	EXPECT(CODE(HEAD(0), RPN_EXIT), BAD_BLOCK, 0);
	EXPECT(CODE(HEAD(2), RPN_EXIT), BAD_BLOCK, 0);
	EXPECT(CODE(HEAD(1), RPN_NOP, RPN_EXIT), BAD_BLOCK, 3);
	EXPECT(CODE(HEAD(3), RPN_NOP, RPN_NOP, RPN_BLOCK, 1, RPN_EXIT), BAD_BLOCK, 0);
	EXPECT(CODE(HEAD(1), RPN_EXIT, RPN_NOP, RPN_EXIT), BAD_BLOCK, 3);
	EXPECT(CODE(HEAD(2), RPN_JZ, 6, 0, RPN_EXIT, RPN_BLOCK, 1, RPN_EXIT), BAD_BLOCK, 0);
	EXPECT(CODE(HEAD(1), RPN_JZ, 6, 0, RPN_EXIT, RPN_BLOCK, 1, RPN_EXIT), BAD_BLOCK, 5);
	EXPECT(CODE(HEAD(1), RPN_JMP, 6, 0, RPN_EXIT, RPN_BLOCK, 1, RPN_EXIT), BAD_BLOCK, 5);
	EXPECT(CODE(HEAD(1), RPN_CALL, 6, 0, RPN_EXIT, RPN_PROC, 1, RPN_RET), BAD_BLOCK, 5);
	EXPECT(CODE(HEAD(1), RPN_JZ, 7, 0, HEAD(1), RPN_EXIT), FALL_INTO_PROC, 2);
	EXPECT(CODE(HEAD(1), RPN_JZ, 5, 0, RPN_BLOCK, 1, RPN_EXIT), OK, 0);
	EXPECT(CODE(HEAD(1), RPN_EXIT, RPN_BLOCK, 1, RPN_EXIT), OK, 0);
	EXPECT(CODE(HEAD(1), RPN_EXIT, HEAD(1), RPN_EXIT), OK, 0);
}

/* Of two mistakes the one that comes first in the order of PROTOCOL.md 2.1. */
/* proves: R2.21 */
static void test_order_of_walks(void)
{
	/* A wrong target waits for the second walk, wherever it stands. */
	EXPECT(CODE(HEAD(1), RPN_JMP, 99, 0, HEAD(1), 0x00), BAD_OPCODE, 7);
	EXPECT(CODE(HEAD(1), RPN_CALL, 0, 0, RPN_BLOCK, 2, RPN_EXIT), BAD_BLOCK, 5);
	EXPECT(CODE(HEAD(1), RPN_JMP, 99, 0, HEAD(2), RPN_PUSH_LV_N, 2, RPN_EXIT), LV_RANGE, 7);
	/* Within each walk the first one. */
	EXPECT(CODE(HEAD(3), RPN_PUSH_LV_N, 2, RPN_PUSH_R, 99, 0, RPN_EXIT), LV_RANGE, 2);
	EXPECT(CODE(HEAD(3), RPN_PUSH_R, 99, 0, RPN_PUSH_LV_N, 2, RPN_EXIT), BAD_REG, 2);
	EXPECT(CODE(HEAD(1), RPN_JMP, 99, 0, HEAD(2), RPN_SX, 98, 0, RPN_EXIT), JUMP_OUT, 2);
	EXPECT(CODE(HEAD(2), RPN_SX, 98, 0, RPN_EXIT, HEAD(1), RPN_JMP, 99, 0), BAD_HANDLER, 2);
	/* Within an instruction opcode, length of the operand, its value. */
	EXPECT(CODE(HEAD(1), RPN_ESCAPE), BAD_OPCODE, 2);
	EXPECT(CODE(HEAD(2), RPN_PUSH_R, 99), OPERAND_CUT, 2);
	EXPECT(CODE(HEAD(2), RPN_PUSH_R, 99, 99), BAD_REG, 2);
}

/* decisions.txt C79: each of the four rights of a register is one instruction's. */
/* proves: R2.20 */
static void test_register_rights(void)
{
	static const struct dp_reg regs[] = {
		{1, 1, 0, DP_REG_PUSH_R},
		{2, 1, 0, DP_REG_PUSH_U},
		{4, 1, 0, DP_REG_POP_R},
		{8, 1, 0, DP_REG_POP_U},
	};
	static const uint8_t ops[] = {RPN_PUSH_R, RPN_PUSH_U, RPN_POP_R, RPN_POP_U};
	struct dp_target target = the_target();

	target.regs = regs;
	target.reg_count = 4;
	for (unsigned op = 0; op < 4; op++) {
		for (unsigned reg = 0; reg < 4; reg++) {
			const uint8_t code[] = {HEAD(2), ops[op], (uint8_t)regs[reg].index, 0,
						RPN_EXIT};
			struct dp_verdict verdict;

			code_bytes(code, sizeof code, op < 2 ? 0 : RPN_GROUP_WRITE);
			verdict = verify_as(good, good_bytes, &target);
			if (op == reg)
				EXPECT(verdict, OK, 0);
			else if (op < 2)
				EXPECT(verdict, REG_NOT_READABLE, 2);
			else
				EXPECT(verdict, REG_READONLY, 2);
		}
	}
}

/* proves: A3.26 R2.13 */
static void test_groups(void)
{
	static const uint8_t writes[] = {HEAD(2), RPN_POP_MEM_8, RPN_EXIT};
	static const uint8_t hooks[] = {HEAD(2), RPN_CALLK, RPN_EXIT};
	static const uint8_t ports[] = {HEAD(2), RPN_PUSH_IO_8, RPN_EXIT};
	static const uint8_t segments[] = {HEAD(2), RPN_SEG2LIN, RPN_EXIT};
	struct dp_target target = the_target();

	EXPECT(code_bytes(writes, sizeof writes, RPN_GROUP_WRITE), OK, 0);
	EXPECT(code_bytes(writes, sizeof writes, 0), BAD_FIELD, DP_OBJ_GROUPS);
	EXPECT(CODE(HEAD(1), RPN_EXIT), OK, 0);
	EXPECT(changed(DP_OBJ_GROUPS, RPN_GROUP_WRITE), BAD_FIELD, DP_OBJ_GROUPS);
	EXPECT(code_bytes(ports, sizeof ports, RPN_GROUP_IO), NOT_ON_PORT, DP_OBJ_GROUPS); /* 15 */
	EXPECT(code_bytes(segments, sizeof segments, RPN_GROUP_SEG), NOT_ON_PORT, DP_OBJ_GROUPS);

	/* 33: three locks, each alone and all together */
	code_bytes(writes, sizeof writes, RPN_GROUP_WRITE);
	target.may_write = false;
	EXPECT(verify_as(good, good_bytes, &target), NOT_PERMITTED, DP_OBJ_GROUPS);
	CHECK(verify_as(good, good_bytes, &target).found == 4);
	target.may_write = true;
	target.build_groups = 0;
	CHECK(verify_as(good, good_bytes, &target).found == 1);
	EXPECT(changed(DP_OBJ_FLAGS, 0), NOT_PERMITTED, DP_OBJ_GROUPS);
	CHECK(changed(DP_OBJ_FLAGS, 0).found == 2);
	target.may_write = false;
	CHECK(verify_as(object, good_bytes, &target).found == 7);
	target.build_groups = RPN_GROUP_WRITE | RPN_GROUP_HOOK;
	code_bytes(hooks, sizeof hooks, RPN_GROUP_HOOK);
	EXPECT(verify_as(good, good_bytes, &target), NOT_PERMITTED, DP_OBJ_GROUPS);
	target.may_write = true;
	EXPECT(verify_as(good, good_bytes, &target), OK, 0);
}

/* Too little scratch is refused, not overrun. */
static void test_scratch(void)
{
	struct dp_target target = the_target();
	struct dp_layout layout;
	struct dp_verdict verdict;
	uint8_t one[1];

	make("nop; nop; nop; nop; nop; nop; exit"); /* 9 bytes: two bytes of bitmap */
	CHECK(dp_verify_object(good, good_bytes, &target, one, sizeof one, &layout, &verdict) ==
	      DP_ERR_ARENA_FULL);
	CHECK(verdict.found == 2);
}

/* Any single byte changed, sealed or not, is answered, and the answer does not depend on luck. */
static void test_every_byte(void)
{
	make("sx h; push 3; a: push lv, 1; call p; loop a; push r, 5; log 2; exit; h: log 3; exit; "
	     "proc p; push 0x12345; pop gv, 0; ret");
	EXPECT(verify(good, good_bytes), OK, 0);
	for (unsigned i = 0; i < good_bytes - 4; i++)
		for (unsigned value = 0; value < 256; value++) {
			struct dp_verdict first = changed(i, value), again = changed(i, value);

			CHECK(first.error == again.error && first.where == again.where);
			CHECK(good[i] != value || first.error == DP_ERR_OK);
		}
}

int main(void)
{
	test_frame();
	test_sections();
	test_limits_and_strings();
	test_fields();
	test_code();
	test_returns();
	test_register_rights();
	test_blocks();
	test_order_of_walks();
	test_groups();
	test_scratch();
	test_every_byte();
	return check_status();
}
