/* SPDX-License-Identifier: BSD-2-Clause */
/* Malformed objects over the line. For each: the exact error, text, tables and
 * arena as before, and a good object is accepted next. Case 15 of test_verify.c is for ports with
 * fewer instruction groups than the simulated one. */
#include "bench.h"
#include "check.h"

#include "dp_store.h"
#include "dp_bytes.h"
#include "dp_crc.h"
#include "sim_insn.h"

#include <stdio.h>
#include <string.h>

/* --- objects, byte by byte --- */

enum {
	TABLE = DP_OBJECT_HEADER_BYTES,
	MODULES = TABLE + 5 * DP_OBJECT_ENTRY_BYTES,
	TRAITS = MODULES + DP_MODULE_BYTES, /* all points share one row */
	PROBES = TRAITS + DP_TRAITS_BYTES,
	POINTS_MAX = 70,
	AT = FIRMWARE_TEXT + 0x100
};
enum section {
	S_MODULES,
	S_TRAITS,
	S_PROBES,
	S_CODE,
	S_STRINGS
};

static unsigned points;

static uint8_t *entry(enum section section)
{
	return bench.object + TABLE + section * DP_OBJECT_ENTRY_BYTES;
}

static uint8_t *point(unsigned i)
{
	return bench.object + PROBES + i * DP_PROBE_BYTES;
}

static uint8_t *traits(void)
{
	return bench.object + TRAITS;
}

static uint8_t *code(void)
{
	return bench.object + dp_get_u32(entry(S_CODE) + 8);
}

static void put_entry(enum section section, uint32_t count, uint32_t offset)
{
	entry(section)[0] = (uint8_t)(section + 1);
	dp_put_u32(entry(section) + 4, count);
	dp_put_u32(entry(section) + 8, offset);
}

/* An object of n points at AT, AT + 4, ... with this code; sealed. */
static void make(unsigned n, const uint8_t *bytes, uint32_t count)
{
	uint8_t *o = bench.object;
	uint32_t code_at = PROBES + n * DP_PROBE_BYTES, strings_at = (code_at + count + 3) & ~3u;

	points = n;
	bench.object_bytes = strings_at + 8 + 4;
	memset(o, 0, bench.object_bytes);
	memcpy(o, DP_OBJECT_MAGIC, 4);
	o[DP_OBJ_VERSION] = DP_OBJECT_VERSION;
	o[DP_OBJ_CPU] = DP_CPU_SIM;
	o[DP_OBJ_WORD] = sizeof(dp_word);
	o[DP_OBJ_ORDER] = DP_PORT_BIG_ENDIAN ? DP_ORDER_BIG : DP_ORDER_LITTLE;
	dp_put_u32(o + DP_OBJ_BYTES, bench.object_bytes);
	dp_put_u16(o + DP_OBJ_JMPMAX, 256);
	dp_put_u16(o + DP_OBJ_LOGMAX, 1024);
	o[DP_OBJ_NAME_BYTES] = 5;
	o[DP_OBJ_SECTIONS] = 5;
	put_entry(S_MODULES, 1, MODULES);
	put_entry(S_TRAITS, 1, TRAITS);
	put_entry(S_PROBES, n, PROBES);
	put_entry(S_CODE, count, code_at);
	put_entry(S_STRINGS, 5, strings_at);
	o[MODULES + DP_MOD_NAME_BYTES] = 5;
	dp_put_u32(traits() + DP_TR_MAXHITS, 5);
	for (unsigned i = 0; i < n; i++)
		dp_put_u32(point(i) + DP_PT_ADDRESS, AT + 4 * i);
	memcpy(o + code_at, bytes, count);
	memcpy(o + strings_at, "bench", 5);
	bench_seal();
}

#define EXIT_CODE RPN_HANDLER, 1, RPN_EXIT
static const uint8_t exit_code[] = {EXIT_CODE};

static void make_plain(void)
{
	make(1, exit_code, sizeof(exit_code));
}

/* --- the check --- */

/* Not of plans, which whoever changes a program drops and the patrol makes anew. */
static uint64_t state_hash(void)
{
	const struct dp_agent *a = &firmware.agent;
	uint32_t low = 0, high = 0;
	unsigned total, available;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		if (a->probe[i].program != DP_NONE)
			low = dp_crc32(low, &a->probe[i], sizeof(a->probe[i]));
		if (a->site[i].chain != DP_SITE_FREE)
			low = dp_crc32(low, &a->site[i], offsetof(struct dp_site, plan));
	}
	low = dp_crc32(low, a->bucket, sizeof(a->bucket));
	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++)
		if (a->program[i].object)
			low = dp_crc32(low, &a->program[i], sizeof(a->program[i]));
	low = dp_crc32(low, &a->arena_used, sizeof(a->arena_used));
	low = dp_crc32(low, a->arena, a->arena_used);
	low = dp_crc32(low, &a->gv_count, sizeof(a->gv_count));
	high = dp_crc32(high, firmware.text, sizeof(firmware.text));
	high = dp_crc32(high, firmware.rom, sizeof(firmware.rom));
	high = dp_crc32(high, &firmware.keep.entry, sizeof(firmware.keep.entry));
	dp_port_slots(&total, &available);
	return (uint64_t)high << 32 | (low + available);
}

/* A program stands beside every case, at AT + 0x40. */
static void fresh(void)
{
	bench_start();
	CHECK(bench_install(
		      "name = \"beside\"\nvars = 3\ngvars = 2\noffset = 0x08000140\nexit\n") == 0);
}

static const char *about;

static struct bench_answer commit_object(uint8_t options)
{
	return bench_install_object(options, 0);
}

static void accepted_with(uint8_t options)
{
	struct bench_answer answer = commit_object(options);

	if (!answer.came || answer.error != 0)
		printf("%s: error %u\n", about, answer.error);
	CHECK(answer.came && answer.error == 0);
	if (answer.came && answer.error == 0)
		CHECK(bench_ask(DP_CMD_REMOVE, answer.payload + 11, 1).error == 0);
}

/* The object is refused with this error, and nothing has changed. Returns the verdict. */
static struct bench_answer refused_with(const char *name, enum dp_err error, uint8_t options)
{
	uint64_t before = state_hash();
	struct bench_answer answer;

	about = name;
	answer = commit_object(options);
	if (!answer.came || answer.error != error || state_hash() != before)
		printf("%s: came %d, error %u not %d, state %s\n", name, answer.came, answer.error,
		       (int)error, state_hash() == before ? "kept" : "changed");
	CHECK(answer.came && answer.error == error && state_hash() == before);
	CHECK(answer.bytes == 18 && bench_number(&answer, 11, 3) == 0xff0000);
	make_plain();
	accepted_with(DP_COMMIT_NO_IDENTITY);
	CHECK(state_hash() == before);
	return answer;
}

static struct bench_answer refused(const char *name, enum dp_err error)
{
	return refused_with(name, error, DP_COMMIT_NO_IDENTITY);
}

/* --- 1..13: the frame around --- */

static void one_byte(const char *name, unsigned at, uint8_t value, enum dp_err error)
{
	make_plain();
	bench.object[at] = value;
	bench_seal();
	refused(name, error);
}

/* proves: R2.1 R2.2 R2.3 R2.4 R2.5 R2.6 */
static void header(void)
{
	one_byte("1 magic", 3, '2', DP_ERR_BAD_MAGIC);
	one_byte("2 version", DP_OBJ_VERSION, 1, DP_ERR_BAD_VERSION);
	one_byte("2 later version", DP_OBJ_VERSION, 4, DP_ERR_BAD_VERSION);
	one_byte("3 cpu", DP_OBJ_CPU, DP_CPU_ARM, DP_ERR_BAD_TARGET);
	one_byte("3 word", DP_OBJ_WORD, 12 - sizeof(dp_word), DP_ERR_BAD_TARGET);
	one_byte("3 order", DP_OBJ_ORDER, DP_PORT_BIG_ENDIAN ? DP_ORDER_LITTLE : DP_ORDER_BIG,
		 DP_ERR_BAD_TARGET);
	one_byte("12 flags", DP_OBJ_FLAGS, 0x80, DP_ERR_RESERVED);
	one_byte("12 reserved", DP_OBJ_RESERVED + 5, 1, DP_ERR_RESERVED);
	one_byte("12 sections", DP_OBJ_SECTIONS, 6, DP_ERR_RESERVED);
	one_byte("12 section kind", TABLE + 3 * DP_OBJECT_ENTRY_BYTES, 9, DP_ERR_RESERVED);
	one_byte("12 section reserved", TABLE + 2, 9, DP_ERR_RESERVED);
	one_byte("12 traits", PROBES + DP_PT_TRAITS, 1, DP_ERR_BAD_FIELD);
	one_byte("12 module reserved", MODULES + DP_MOD_RESERVED, 1, DP_ERR_BAD_FIELD);
	make_plain();
	code()[sizeof(exit_code)] = 1; /* a gap */
	bench_seal();
	refused("12 gap", DP_ERR_RESERVED);

	make_plain();
	dp_put_u32(bench.object + DP_OBJ_BYTES, bench.object_bytes + 4);
	bench_seal();
	refused("5 truncated", DP_ERR_TRUNCATED);
	for (uint32_t n = 1; n < 104; n += 13) {
		make_plain();
		bench.object_bytes = n;
		refused("5 shorter than any", DP_ERR_TRUNCATED);
	}
	make_plain();
	dp_put_u32(bench.object + DP_OBJ_BYTES, bench.object_bytes - 4);
	bench_seal();
	refused("6 trailing", DP_ERR_TRAILING);
	make_plain();
	bench.object[bench.object_bytes - 1] ^= 1;
	refused("7 checksum", DP_ERR_BAD_CRC);
}

static void section(const char *name, enum section which, uint32_t count, uint32_t offset,
		    enum dp_err error)
{
	make_plain();
	put_entry(which, count == UINT32_MAX ? dp_get_u32(entry(which) + 4) : count,
		  offset == UINT32_MAX ? dp_get_u32(entry(which) + 8) : offset);
	bench_seal();
	refused(name, error);
}

/* proves: R2.6 R2.7 */
static void sections(void)
{
	const uint32_t same = UINT32_MAX;

	section("8 count x size", S_PROBES, 0x40000001, same, DP_ERR_COUNT_OVERFLOW);
	section("8 too many", S_PROBES, 241, same, DP_ERR_COUNT_OVERFLOW);
	section("9 far", S_CODE, same, 0x10000, DP_ERR_BAD_SECTION);
	section("9 offset wraps", S_CODE, same, 0xfffffffc, DP_ERR_BAD_SECTION);
	section("9 end outside", S_STRINGS, 13, same, DP_ERR_BAD_SECTION);
	section("9 in the table", S_MODULES, same, 96, DP_ERR_BAD_SECTION);
	section("10 overlap", S_PROBES, same, MODULES + 28, DP_ERR_SECTION_OVERLAP);
	section("11 align", S_CODE, same, PROBES + DP_PROBE_BYTES + 2, DP_ERR_BAD_ALIGN);
	section("13 no traits", S_TRAITS, 0, same, DP_ERR_RESERVED);
	section("13 no points", S_PROBES, 0, same, DP_ERR_RESERVED); /* its bytes are a gap now */
	make(0, exit_code, sizeof(exit_code));
	refused("13 no points at all", DP_ERR_EMPTY);
	make(1, exit_code, 0);
	refused("13 no code", DP_ERR_EMPTY);
	one_byte("string offset", DP_OBJ_NAME + 1, 1, DP_ERR_BAD_STRING);
	one_byte("string empty", MODULES + DP_MOD_NAME_BYTES, 0, DP_ERR_BAD_STRING);
}

/* proves: R5.25 */
static void image(void)
{
	static const uint8_t id[] = {1, 2, 3, 4, 5};

	for (uint8_t options = 0; options <= DP_COMMIT_NO_IDENTITY;
	     options += DP_COMMIT_NO_IDENTITY) {
		make_plain();
		bench.object[MODULES + DP_MOD_IDENTITY] = DP_IDENTITY_TEXT_CRC;
		dp_put_u32(bench.object + MODULES + DP_MOD_ID, 0x12345678);
		dp_put_u32(bench.object + MODULES + DP_MOD_ID + 4, FIRMWARE_TEXT_BYTES);
		bench_seal();
		refused_with("4 other text", DP_ERR_WRONG_IMAGE, options);
	}
	make_plain();
	refused_with("4 no identity", DP_ERR_WRONG_IMAGE, 0);
	make_plain();
	bench.object[MODULES + DP_MOD_IDENTITY] = DP_IDENTITY_BUILD_ID;
	memcpy(bench.object + MODULES + DP_MOD_ID, id, sizeof(id));
	bench_seal();
	refused_with("4 another kind", DP_ERR_WRONG_IMAGE, 0);
	/* with the right one, the program beside notwithstanding */
	make_plain();
	bench.object[MODULES + DP_MOD_IDENTITY] = DP_IDENTITY_TEXT_CRC;
	dp_put_u32(bench.object + MODULES + DP_MOD_ID,
		   dp_crc32(0, firmware.original, FIRMWARE_TEXT_BYTES));
	dp_put_u32(bench.object + MODULES + DP_MOD_ID + 4, FIRMWARE_TEXT_BYTES);
	bench_seal();
	accepted_with(0);
	firmware.agent.module[0].build_id = id;
	firmware.agent.module[0].build_id_bytes = sizeof(id);
	make_plain();
	bench.object[MODULES + DP_MOD_IDENTITY] = DP_IDENTITY_BUILD_ID;
	memcpy(bench.object + MODULES + DP_MOD_ID, id, sizeof(id));
	bench_seal();
	accepted_with(0);
	make_plain();
	bench.object[MODULES + DP_MOD_IDENTITY] = DP_IDENTITY_BUILD_ID;
	bench.object[MODULES + DP_MOD_ID] = 9;
	bench_seal();
	refused("4 other build-id", DP_ERR_WRONG_IMAGE);
}

/* --- 14..33: the code --- */

/* An operand of 16 bits. */
#define U16(v) DP_PORT_BIG_ENDIAN ? (v) >> 8 : (v)&0xff, DP_PORT_BIG_ENDIAN ? (v)&0xff : (v) >> 8

#define CODE(...)                                                                                  \
	do {                                                                                       \
		static const uint8_t bytes[] = {__VA_ARGS__};                                      \
		make(1, bytes, sizeof(bytes));                                                     \
	} while (0)

static void bad_code(void)
{
	CODE(RPN_HANDLER, 1, 0x00);
	refused("14 opcode", DP_ERR_BAD_OPCODE);
	CODE(RPN_HANDLER, 1, RPN_EXIT, RPN_ESCAPE);
	refused("14 escape", DP_ERR_BAD_OPCODE);
	CODE(RPN_HANDLER, 1, RPN_JMP, 5);
	refused("16 operand", DP_ERR_OPERAND_CUT);
	CODE(RPN_HANDLER, 2, RPN_PUSH_8, 5, RPN_JMP, U16(3));
	refused("17 into operand", DP_ERR_JUMP_INTO_OPERAND);
	CODE(RPN_HANDLER, 1, RPN_JMP, U16(0x7fff));
	refused("18 out", DP_ERR_JUMP_OUT);
	CODE(RPN_HANDLER, 1, RPN_JMP, U16(7), RPN_PROC, 1, RPN_RET);
	refused("18 other routine", DP_ERR_JUMP_OUT);
	CODE(RPN_HANDLER, 1, RPN_JMP, U16(5));
	refused("19 jump to the end", DP_ERR_NO_END);
	CODE(RPN_HANDLER, 1, RPN_NOP);
	refused("19 runs off", DP_ERR_NO_END);
	CODE(RPN_HANDLER, 1, RPN_NOP, RPN_PROC, 1, RPN_RET);
	refused("20 falls through", DP_ERR_FALL_INTO_PROC);
	CODE(RPN_HANDLER, 1, RPN_CALL, U16(0), RPN_BLOCK, 1, RPN_EXIT);
	refused("21 call", DP_ERR_BAD_CALL);
	CODE(RPN_HANDLER, 2, RPN_SX, U16(6), RPN_EXIT, RPN_PROC, 1, RPN_RET);
	refused("23 handler", DP_ERR_BAD_HANDLER);
	CODE(RPN_HANDLER, 2, RPN_INC_LV_N, 0, RPN_EXIT);
	refused("24 lv", DP_ERR_LV_RANGE);
	CODE(RPN_HANDLER, 2, RPN_INC_GV_N, 0, RPN_EXIT);
	refused("25 gv", DP_ERR_GV_RANGE);
	CODE(RPN_HANDLER, 2, RPN_PUSH_R, U16(0x11), RPN_EXIT);
	refused("27 register", DP_ERR_BAD_REG);
	CODE(RPN_HANDLER, 2, RPN_POP_R, U16(0x0f), RPN_EXIT);
	refused("28 pc", DP_ERR_REG_READONLY);
	CODE(RPN_HANDLER, 2, RPN_EXIT);
	refused("block count", DP_ERR_BAD_BLOCK);
	CODE(RPN_HANDLER, 1, RPN_EXIT, RPN_PROC, 1, RPN_RET);
	dp_put_u32(point(0) + DP_PT_ENTRY, 3);
	bench_seal();
	refused("entry", DP_ERR_BAD_ENTRY);
}

static void accepted_code(void)
{
	about = "22, 29, 30, 31";
	CODE(RPN_HANDLER, 1, RPN_CALL, U16(8), RPN_BLOCK, 1, RPN_EXIT, RPN_PROC, 1, RPN_CALL,
	     U16(8), RPN_BLOCK, 1, RPN_RET);
	accepted_with(DP_COMMIT_NO_IDENTITY);
	CODE(RPN_HANDLER, 4, RPN_PUSH_U, U16(0), RPN_PBL_N, 0, RPN_PBR_N, 200, RPN_EXIT_N, 77);
	accepted_with(DP_COMMIT_NO_IDENTITY);
}

static void half(unsigned at, uint16_t value)
{
	make_plain();
	dp_put_u16(bench.object + at, value);
	bench_seal();
}

/* proves: R2.8 */
static void limits(void)
{
	half(DP_OBJ_GVARS, DP_GVARS + 1);
	refused("26 gvars", DP_ERR_NO_SPACE);
	half(DP_OBJ_LOGMAX, DP_LOG_MAX + 1);
	refused("32 logmax", DP_ERR_LIMIT);
	half(DP_OBJ_EXCPT_LOG, DP_TRACE_MAX + 1);
	refused("32 excpt_log", DP_ERR_LIMIT);
	half(DP_OBJ_VARS, 257);
	refused("32 vars", DP_ERR_LIMIT);
}

/* The object fits, its variables do not. */
static void no_space_for_variables(void)
{
	static uint8_t big[6000];
	uint32_t bytes;

	fresh();
	for (uint32_t id = 1; dp_arena_free(&firmware.agent) > 6000; id++) {
		half(DP_OBJ_VARS, 256);
		dp_put_u32(bench.object + DP_OBJ_ID, id);
		bench_seal();
		CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == 0);
	}
	memset(big, RPN_NOP, sizeof(big));
	for (unsigned at = 0; at + 257 < sizeof(big); at += 257) {
		big[at] = at == 0 ? RPN_HANDLER : RPN_BLOCK;
		big[at + 1] = 255;
	}
	bytes = (dp_arena_free(&firmware.agent) - 900) / 257 * 257;
	big[bytes - 1] = RPN_EXIT;
	make(1, big, bytes);
	dp_put_u16(bench.object + DP_OBJ_VARS, 256);
	bench_seal();
	refused("26 vars", DP_ERR_NO_SPACE);
	big[bytes - 1] = RPN_EXIT;
	make(1, big, bytes);
	about = "26 without";
	accepted_with(DP_COMMIT_NO_IDENTITY);
	/* too long for the verifier's bitmap beside it */
	bytes = dp_arena_free(&firmware.agent) - PROBES - DP_PROBE_BYTES - 20;
	make(1, big, bytes);
	refused("no room to verify", DP_ERR_ARENA_FULL);
}

/* Three locks: the build's is open here; the test of a READ build is test_sim_target.py. */
/* proves: A3.26 R2.13 */
static void rights(void)
{
	struct bench_answer answer;

	for (unsigned flag = 0; flag < 2; flag++)
		for (uint8_t right = 0; right < 2; right++) {
			bench_hello(0x1000 + flag * 2 + right, right);
			CODE(RPN_HANDLER, 2, RPN_POP_R, U16(0), RPN_EXIT);
			bench.object[DP_OBJ_GROUPS] = RPN_GROUP_WRITE;
			bench.object[DP_OBJ_FLAGS] = flag ? DP_PROGRAM_DESTRUCTIVE : 0;
			bench_seal();
			about = "33 all locks open";
			if (flag && right) {
				accepted_with(DP_COMMIT_NO_IDENTITY);
				continue;
			}
			answer = refused("33 not permitted", DP_ERR_NOT_PERMITTED);
			CHECK(bench_number(&answer, 7, 4) == (flag ? 0u : 2u) + (right ? 0u : 4u));
			CODE(RPN_HANDLER, 2, RPN_CALLK, RPN_EXIT);
			bench.object[DP_OBJ_GROUPS] = RPN_GROUP_HOOK;
			bench.object[DP_OBJ_FLAGS] = flag ? DP_PROGRAM_DESTRUCTIVE : 0;
			bench_seal();
			refused("33 callk", DP_ERR_NOT_PERMITTED);
		}
}

/* --- 34..45: the point --- */

static struct bench_answer at_address(const char *name, uint32_t address, enum dp_err error)
{
	struct bench_answer answer;

	make(2, exit_code, sizeof(exit_code));
	dp_put_u32(point(1) + DP_PT_ADDRESS, address);
	bench_seal();
	answer = refused(name, error);
	CHECK(bench_number(&answer, 1, 2) == 1);
	return answer;
}

static void told(const char *name, uint32_t address, enum dp_err error)
{
	struct bench_answer answer = at_address(name, address, error);

	CHECK(bench_number(&answer, 7, 4) == address && bench_number(&answer, 14, 4) == 0);
}

/* The verdict has the whole address. */
static void above_4_gb(void)
{
#if DP_WORD_BITS == 64
	struct bench_answer answer;

	make_plain();
	dp_put_u32(traits() + DP_TR_HIGH, 3);
	bench_seal();
	answer = refused("34 above 4 GB", DP_ERR_NOT_TEXT);
	CHECK(bench_number(&answer, 7, 4) == dp_get_u32(point(0) + DP_PT_ADDRESS));
	CHECK(bench_number(&answer, 14, 4) == 3);
#endif
}

static void on_word(const char *name, uint32_t word, enum dp_err error, enum dp_refusal why)
{
	struct bench_answer answer;

	fresh();
	firmware_put_word(AT + 4, word);
	make(2, exit_code, sizeof(exit_code));
	dp_put_u32(point(1) + DP_PT_BEFORE, 0x84);
	dp_put_u32(point(1) + DP_PT_EXTENT, 0x100);
	bench_seal();
	answer = refused(name, error);
	CHECK(answer.payload[0] == why && bench_number(&answer, 1, 2) == 1);
}

/* proves: A1.5 A1.7 A1.8 R2.14 R5.22 */
static void addresses(void)
{
	told("34 data", FIRMWARE_RAM, DP_ERR_NOT_TEXT);
	told("34 nothing there", 0x40000000, DP_ERR_NOT_TEXT);
	told("34 last address", 0xfffffffc, DP_ERR_NOT_TEXT);
	above_4_gb();
	told("35 ROM", FIRMWARE_ROM + 8, DP_ERR_NOT_PATCHABLE);
	told("36 no-probe range", FIRMWARE_TEXT + 0xf04, DP_ERR_IN_AGENT);
	for (uint32_t at = FIRMWARE_NO_PROBE; at < FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES; at++)
		at_address("36 every byte of one", at, DP_ERR_IN_AGENT);
	at_address("36 reaches into one", FIRMWARE_TEXT + 0xf00, DP_ERR_IN_AGENT);
	if (SIM_ALIGN > 1)
		at_address("37 not aligned", AT + 0x22, DP_ERR_NOT_BOUNDARY);
	make_plain();
	traits()[DP_TR_FLAGS] = DP_POINT_OPCODE;
	point(0)[DP_PT_INSN_BYTES] = 4;
	dp_put_u32(point(0) + DP_PT_OPCODE, 0x10000101);
	bench_seal();
	refused("38 opcode", DP_ERR_OPCODE_MISMATCH);
	make_plain();
	traits()[DP_TR_FLAGS] = DP_POINT_OPCODE;
	point(0)[DP_PT_INSN_BYTES] = 2;
	dp_put_u32(point(0) + DP_PT_OPCODE, 0x10000100);
	bench_seal();
	refused("38 its length", DP_ERR_OPCODE_MISMATCH);
	make_plain();
	traits()[DP_TR_FLAGS] = DP_POINT_OPCODE;
	point(0)[DP_PT_INSN_BYTES] = 4;
	dp_put_u32(point(0) + DP_PT_OPCODE, 0x10000101);
	bench_seal();
	about = "38 taken over";
	accepted_with(DP_COMMIT_NO_IDENTITY | DP_COMMIT_ANY_OPCODE);
	make(2, exit_code, sizeof(exit_code));
	dp_put_u32(point(1) + DP_PT_ADDRESS, AT);
	bench_seal();
	refused("42 duplicate", DP_ERR_DUPLICATE);
	make(2, exit_code, sizeof(exit_code));
	dp_put_u32(point(1) + DP_PT_ADDRESS, AT);
	dp_put_u16(point(1) + DP_PT_MINOR, 1);
	dp_put_u32(point(0) + DP_PT_ADDRESS, AT + 0x40);
	bench_seal();
	about = "43 chained";
	accepted_with(DP_COMMIT_NO_IDENTITY);
	make_plain();
	traits()[DP_TR_KIND] = DP_PROBE_WATCH_IO;
	traits()[DP_TR_LENGTH] = 4;
	bench_seal();
	refused("45 watchpoint", DP_ERR_NO_WATCHPOINT);
}

/* An object of version 3, whose point has this kind, length in TRAITS, before and extent. */
static void make_long(unsigned kind, uint8_t length, uint32_t before, uint32_t extent)
{
	make_plain();
	bench.object[DP_OBJ_VERSION] = DP_OBJECT_VERSION_LONG;
	traits()[DP_TR_KIND] = (uint8_t)kind;
	traits()[DP_TR_LENGTH] = length;
	dp_put_u32(point(0) + DP_PT_BEFORE, before);
	dp_put_u32(point(0) + DP_PT_EXTENT, extent);
	bench_seal();
}

/* The length of a watchpoint stands in the point, and only there. */
/* proves: R2.1 R2.11 */
static void version_3(void)
{
	struct bench_answer answer;

	fresh();
	make_long(DP_PROBE_WATCH_W, 0, 0, 0);
	answer = refused("46 length 0", DP_ERR_BAD_FIELD);
	CHECK(bench_number(&answer, 3, 4) == PROBES + DP_PT_EXTENT);
	make_long(DP_PROBE_WATCH_W, 4, 0, 4);
	answer = refused("46 two lengths", DP_ERR_BAD_FIELD);
	CHECK(bench_number(&answer, 3, 4) == TRAITS + DP_TR_LENGTH);
	make_long(DP_PROBE_BREAK, 4, 0, 0x100);
	refused("46 length of a breakpoint", DP_ERR_BAD_FIELD);
	make_long(DP_PROBE_WATCH_W, 0, 4, 8);
	answer = refused("46 before", DP_ERR_BAD_FIELD);
	CHECK(bench_number(&answer, 3, 4) == PROBES + DP_PT_BEFORE);
	make_long(DP_PROBE_WATCH_W, 0, 0, 16);
	dp_put_u32(traits() + DP_TR_HIGH, sizeof(dp_word) == 8 ? 0xffffffff : 0);
	dp_put_u32(point(0) + DP_PT_ADDRESS, 0xfffffff8);
	bench_seal();
	refused("46 past the end of memory", DP_ERR_BAD_FIELD);
	make_long(DP_PROBE_WATCH_IO, 0, 0, 16);
	refused("46 kind", DP_ERR_NO_WATCHPOINT);
	bench.object[DP_OBJ_VERSION] = 4;
	bench_seal();
	refused("46 version 4", DP_ERR_BAD_VERSION);
	about = "46 a breakpoint in version 3";
	make_long(DP_PROBE_BREAK, 0, 0x80, 0x100);
	accepted_with(DP_COMMIT_NO_IDENTITY);
	about = "46 64 bytes";
	make_long(DP_PROBE_WATCH_W, 0, 0, 64);
	accepted_with(DP_COMMIT_NO_IDENTITY);
}

/* A piece of one byte that the board cuts out of the instruction, wherever in it. */
/* proves: A1.5 A3.9 */
static void holes(void)
{
	static struct dp_range cut[8];
	const unsigned rows = firmware.board.range_count;

	for (unsigned hole = 0; hole < 4; hole++) {
		fresh();
		memcpy(cut + 1, firmware.board.ranges, rows * sizeof(cut[0]));
		cut[0] = (struct dp_range){AT + 8 + hole, 1, DP_MEM_READ | DP_MEM_NO_PROBE};
		firmware.board.ranges = cut;
		firmware.board.range_count = rows + 1;
		at_address("36 a hole that may not be probed", AT + 8, DP_ERR_IN_AGENT);
		cut[0].access = DP_MEM_READ;
		at_address("34 a hole of data", AT + 8, DP_ERR_NOT_TEXT);
		cut[0].access = DP_MEM_READ | DP_MEM_TEXT;
		make(3, exit_code, sizeof(exit_code));
		about = "a row of its own";
		accepted_with(DP_COMMIT_NO_IDENTITY);
	}
}

/* proves: P3.7 P3.9 P3.10 P3.11 */
static void instructions(void)
{
	on_word("39 not probeable", (uint32_t)SIM_REFUSED << 24, DP_ERR_NOT_PROBEABLE,
		DP_REFUSE_UNDEFINED);
	on_word("44 breakpoint", DP_SIM_TRAP_WORD, DP_ERR_FOREIGN_BREAK, 0);
	fresh();
	firmware_put_word(AT + 4, (uint32_t)SIM_BRANCH << 24);
	firmware_put_word(AT + 8, (uint32_t)SIM_BRANCH << 24);
	make(2, exit_code, sizeof(exit_code));
	refused("40 delay slot", DP_ERR_BAD_DELAY_SLOT);
	fresh();
	firmware_put_word(AT - 12, (uint32_t)SIM_LOCK << 24);
	firmware_put_word(AT - 4, (uint32_t)SIM_UNLOCK << 24);
	make(1, exit_code, sizeof(exit_code));
	dp_put_u32(point(0) + DP_PT_ADDRESS, AT - 8);
	dp_put_u32(point(0) + DP_PT_BEFORE, 0x40);
	dp_put_u32(point(0) + DP_PT_EXTENT, 0x80);
	bench_seal();
	refused("41 atomic", DP_ERR_IN_ATOMIC);
	/* the window is seen through a probe's trap at its beginning */
	fresh();
	firmware_put_word(AT - 12, (uint32_t)SIM_LOCK << 24);
	firmware_put_word(AT - 4, (uint32_t)SIM_UNLOCK << 24);
	CHECK(bench_install("name = \"lock\"\noffset = 0x080000f4\nexit\n") == 1);
	make(1, exit_code, sizeof(exit_code));
	dp_put_u32(point(0) + DP_PT_ADDRESS, AT - 8);
	dp_put_u32(point(0) + DP_PT_BEFORE, 0x40);
	dp_put_u32(point(0) + DP_PT_EXTENT, 0x80);
	bench_seal();
	refused("41 behind a probe", DP_ERR_IN_ATOMIC);
}

/* proves: P3.12 R2.8 */
static void pools(void)
{
	fresh();
	for (unsigned i = 0; i <= SIM_SLOTS; i++)
		firmware_put_word(AT + 4 * i, (uint32_t)SIM_STEPPED << 24);
	make(SIM_SLOTS + 1, exit_code, sizeof(exit_code));
	refused("45 slots", DP_ERR_NO_SLOT);
	fresh();
	make(DP_MAX_PROBES, exit_code, sizeof(exit_code));
	refused("45 probes", DP_ERR_TABLE_FULL);
	make(DP_MAX_PROBES + 1, exit_code, sizeof(exit_code));
	refused("45 more than the table", DP_ERR_TABLE_FULL);
	fresh();
	for (unsigned i = 1; i < DP_MAX_PROGRAMS; i++) {
		make_plain();
		CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY | DP_COMMIT_MERGE, 0).error == 0);
	}
	uint64_t before = state_hash();

	make_plain();
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY | DP_COMMIT_MERGE, 0).error ==
	      DP_ERR_TABLE_FULL);
	CHECK(state_hash() == before);
}

/* --- all or nothing --- */

/* proves: P3.26 R5.18 R7.3 */
static void commit_fails_in_the_middle(void)
{
	uint64_t before;
	struct bench_answer answer;

	fresh();
	before = state_hash();
	for (unsigned bad = 0; bad < 6; bad++) {
		make(6, exit_code, sizeof(exit_code));
		dp_put_u16(bench.object + DP_OBJ_GVARS, 9);
		dp_put_u32(point(5 - bad) + DP_PT_ADDRESS, AT + 0x40); /* beside: armed already */
		dp_put_u32(point(bad) + DP_PT_ADDRESS, FIRMWARE_ROM);
		bench_seal();
		answer = refused("arming fails", DP_ERR_NOT_PATCHABLE);
		CHECK(bench_number(&answer, 1, 2) == bad && state_hash() == before);
	}
	CHECK(firmware_word(AT + 0x40) == DP_SIM_TRAP_WORD);
	firmware_run(AT + 0x40, 1);
	bench_poll();
	CHECK(bench.records == 1);
}

int main(void)
{
	fresh();
	header();
	sections();
	image();
	fresh();
	bad_code();
	accepted_code();
	rights();
	limits();
	no_space_for_variables();
	fresh();
	addresses();
	version_3();
	holes();
	instructions();
	pools();
	commit_fails_in_the_middle();
	return check_status();
}
