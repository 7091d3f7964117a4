/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions longer than 4 bytes, and shorter ones beside them: the core keeps, compares,
 * restores and steps all bytes of each. Compiled for the wide form of the simulated CPU only
 * (sim_insn.h). */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_sites.h"
#include "dp_text.h"
#include "sim_insn.h"

#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	AT_6 = AT + 2,
	AT_15 = AT_6 + 6,
	BEHIND = AT_15 + 15,
	ALL = BEHIND - AT,
	PIECE = 64, /* of TEXT: ALL and what is behind it */
};

/* 2, 6 and 15 bytes one after the other, each of this kind. */
static void put_code(enum sim_insn kind)
{
	uint8_t code[ALL];

	for (unsigned i = 0; i < ALL; i++)
		code[i] = (uint8_t)(0x40 + i);
	code[0] = SIM_2_BYTES;
	code[AT_6 - AT] = SIM_6_BYTES;
	code[AT_15 - AT] = SIM_15_BYTES;
	code[1] = code[AT_6 - AT + 1] = code[AT_15 - AT + 1] = (uint8_t)kind;
	firmware_put(AT, code, ALL);
}

static const char three[] = "name = \"three\"\n"
			    "offset = 0x08000100\nminor = 2\npush 2\nlog 1\nexit\n"
			    "offset = 0x08000102\nminor = 6\npush 6\nlog 1\nexit\n"
			    "offset = 0x08000108\nminor = 15\npush 15\nlog 1\nexit\n";

static bool trapped(dp_addr address, unsigned bytes)
{
	uint8_t trap[DP_PORT_INSN_BYTES_MAX];

	sim_put_trap(trap, bytes);
	return memcmp(firmware.text + (address - FIRMWARE_TEXT), trap, bytes) == 0;
}

static void start(enum sim_insn kind)
{
	bench_start();
	put_code(kind);
	CHECK(bench_install(three) == 0);
	CHECK(trapped(AT, 2) && trapped(AT_6, 6) && trapped(AT_15, 15));
}

/* Emulated, in a two-trap slot and in a one-trap slot: each runs once, and goes on behind itself.
 */
static void steps(enum sim_insn kind)
{
	start(kind);
	firmware_run(AT, 3);
	bench_poll();
	CHECK(dp_port_pc(&firmware.frame) == BEHIND && firmware.executed == 3);
	CHECK(bench.records == 3 && bench_logged(0) == 2 && bench_logged(1) == 6 &&
	      bench_logged(2) == 15);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* A fault is shown at the instruction itself, and its record is not sent. */
static void faults(enum sim_insn kind)
{
	start(kind);
	firmware_run(AT, 3);
	bench_poll();
	CHECK(firmware.faults == 3 && firmware.fault_pc == AT_15 && firmware.executed == 3);
	CHECK(bench.records == 0);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* What TEXT and a port's scan read: every byte of every original, from every offset. */
static void text_is_seen_through(void)
{
	uint8_t seen[ALL + 2], expected[4];

	start(SIM_NOP);
	for (dp_addr from = AT - 1; from < BEHIND; from++) {
		unsigned count = (unsigned)(BEHIND + 1 - from);

		CHECK(dp_text_original(from, seen, count));
		CHECK(memcmp(seen, firmware.original + (from - FIRMWARE_TEXT), count) == 0);
	}
	uint8_t arguments[13] = {0};

	dp_put_u32(arguments + 4, AT);
	dp_put_u32(arguments + 8, PIECE);
	arguments[12] = 1;
	struct bench_answer answer = bench_ask(DP_CMD_TEXT, arguments, sizeof(arguments));

	dp_put_u32(expected, dp_crc32(0, firmware.original + (AT - FIRMWARE_TEXT), PIECE));
	CHECK(answer.error == 0 && memcmp(answer.payload, expected, 4) == 0);
	CHECK(bench_number(&answer, 4, 2) == 3);
}

/* PROBE tells the length and the first 4 bytes, the first one highest. */
static void what_probe_tells(void)
{
	static const struct {
		uint8_t index, bytes;
		uint32_t original;
	} told[] = {{0, 2, 0xe200}, {1, 6, 0xe6004445}, {2, 15, 0xef004a4b}};

	start(SIM_NOP);
	for (unsigned i = 0; i < 3; i++) {
		uint8_t arguments[] = {0, told[i].index};
		struct bench_answer answer = bench_ask(DP_CMD_PROBE, arguments, 2);

		CHECK(answer.error == 0);
		CHECK(bench_number(&answer, 13, 4) == told[i].original);
		CHECK(bench_number(&answer, 17, 1) == told[i].bytes);
	}
}

/* An object may know the first 1 to 4 bytes; a byte more or another byte is a mismatch. */
static void opcodes(void)
{
	static const struct {
		uint32_t address, opcode;
		uint8_t bytes;
		enum dp_err error;
	} cases[] = {
		{AT_15, 0xef, 1, DP_ERR_OK},
		{AT_15, 0xef00, 2, DP_ERR_OK},
		{AT_15, 0xef004a4b, 4, DP_ERR_OK},
		{AT_15, 0xef004a4c, 4, DP_ERR_OPCODE_MISMATCH},
		{AT_15, 0xee, 1, DP_ERR_OPCODE_MISMATCH},
		{AT_6, 0xe600, 2, DP_ERR_OK},
		{AT_6, 0xe601, 2, DP_ERR_OPCODE_MISMATCH},
		{AT, 0xe200, 2, DP_ERR_OK},
		{AT, 0xe2, 1, DP_ERR_OK},
		{AT, 0xe200e6, 3, DP_ERR_OPCODE_MISMATCH},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t *traits = bench.object + DP_OBJECT_HEADER_BYTES +
				  5 * DP_OBJECT_ENTRY_BYTES + DP_MODULE_BYTES;
		uint8_t *point = traits + DP_TRAITS_BYTES;

		bench_start();
		put_code(SIM_NOP);
		CHECK(bench_compile("name = \"t\"\noffset = 0x08000100\nexit\n"));
		dp_put_u32(point + DP_PT_ADDRESS, cases[i].address);
		traits[DP_TR_FLAGS] = DP_POINT_OPCODE;
		point[DP_PT_INSN_BYTES] = cases[i].bytes;
		dp_put_u32(point + DP_PT_OPCODE, cases[i].opcode);
		bench_seal();
		CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == cases[i].error);
	}
}

static enum dp_err install_at(dp_addr address)
{
	char source[80];

	snprintf(source, sizeof(source), "name = \"other\"\noffset = 0x%08lx\nexit\n",
		 (unsigned long)address);
	CHECK(bench_compile(source));
	return (enum dp_err)bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error;
}

/* No probe inside the 15 bytes of another one, and none whose own bytes reach into one. */
static void neighbours(void)
{
	bench_start();
	put_code(SIM_NOP);
	CHECK(bench_install("name = \"long\"\noffset = 0x08000108\nexit\n") == 0);
	for (dp_addr at = AT_15 + 1; at < BEHIND; at++)
		CHECK(install_at(at) == DP_ERR_NOT_BOUNDARY);
	CHECK(install_at(AT_15 - 3) == DP_ERR_NOT_BOUNDARY); /* read as 4 bytes */
	CHECK(install_at(BEHIND) == DP_ERR_OK);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* What the port says of an instruction so far behind the start of its function. */
static enum dp_err prepared(dp_addr address, dp_addr before)
{
	struct dp_site site = {.address = address};
	enum dp_refusal why;
	enum dp_err error;

	dp_site_set_extent(&site, before, ALL + PIECE);
	CHECK(dp_port_fetch(&site) == DP_ERR_OK);
	error = dp_port_prepare(&site, dp_text_original, &why);
	if (error == DP_ERR_OK)
		dp_port_release(&site);
	return error;
}

/* The scan of a function at an odd address: 2 bytes that open a window, 15, 6 that close it, 2. */
static void scan(void)
{
	enum {
		FROM = AT + 1,
		CLOSES = FROM + 2 + 15,
		LAST = CLOSES + 6
	};
	uint8_t code[2 + 15 + 6 + 2] = {SIM_2_BYTES, SIM_LOCK, SIM_15_BYTES};

	code[CLOSES - FROM] = SIM_6_BYTES;
	code[CLOSES - FROM + 1] = SIM_UNLOCK;
	code[LAST - FROM] = SIM_2_BYTES;
	bench_start();
	firmware_put(FROM, code, sizeof(code));
	CHECK(prepared(FROM, 0) == DP_ERR_OK);
	CHECK(prepared(FROM + 2, 2) == DP_ERR_IN_ATOMIC);
	for (dp_addr at = FROM + 3; at < CLOSES; at++)
		CHECK(prepared(at, at - FROM) == DP_ERR_NOT_BOUNDARY);
	CHECK(prepared(CLOSES, CLOSES - FROM) == DP_ERR_IN_ATOMIC);
	CHECK(prepared(LAST, LAST - FROM) == DP_ERR_OK);
	CHECK(prepared(LAST, DP_SITE_EXTENT_MAX + 1) == DP_ERR_NOT_BOUNDARY);
}

/* Every byte of an instruction must be text that may be probed; also one in the middle. */
static void ranges(void)
{
	static struct dp_range cut[8];
	enum {
		ROWS = 6
	};

	for (unsigned hole = 0; hole < 15; hole++) {
		bench_start();
		put_code(SIM_NOP);
		CHECK(firmware.board.range_count == ROWS);
		memcpy(cut + 1, firmware.board.ranges, ROWS * sizeof(cut[0]));
		cut[0] = (struct dp_range){AT_15 + hole, 1, DP_MEM_READ | DP_MEM_NO_PROBE};
		firmware.board.ranges = cut;
		firmware.board.range_count = ROWS + 1;
		CHECK(install_at(AT_15) == DP_ERR_IN_AGENT);
		cut[0].access = DP_MEM_READ;
		CHECK(install_at(AT_15) == DP_ERR_NOT_TEXT);
		cut[0].access = DP_MEM_READ | DP_MEM_TEXT;
		CHECK(install_at(AT_15) == DP_ERR_OK);
	}
}

/* The keep area has all bytes: a warm restart restores them. */
static void restart(void)
{
	start(SIM_STEPPED);
	bench_warm();
	CHECK(firmware_text_is_original());
	firmware_run(AT, 3);
	CHECK(firmware.executed == 3 && firmware.foreign_traps == 0);
}

/* A bit that flips in the part of an original that no answer tells ends the programs, and the text
 * is restored from the keep area. */
static void damaged_tail(void)
{
	start(SIM_NOP);
	dp_site_find(&firmware.agent, AT_15)->original_bytes[14] ^= 1;
	bench_polls(2 * DP_MAX_PROBES);
	CHECK(firmware.agent.program[0].damaged == 1);
	CHECK(firmware_text_is_original());
}

/* The firmware writes over the last byte of a trap: the probe ends, the text is left as found. */
static void overwritten_tail(void)
{
	start(SIM_NOP);
	firmware.text[BEHIND - 1 - FIRMWARE_TEXT] = 0x11;
	bench_polls(2 * DP_MAX_PROBES);
	CHECK(bench.line[0].notice_of[DP_NOTICE_TEXT_CHANGED].payload[DP_STREAM_HEAD + 1] ==
	      DP_NOTICE_TEXT_CHANGED);
	CHECK(firmware.text[BEHIND - 1 - FIRMWARE_TEXT] == 0x11 && trapped(AT_6, 6));
}

int main(void)
{
	steps(SIM_NOP);
	steps(SIM_STEPPED);
	steps(SIM_AWAY);
	faults(SIM_FAULT);
	faults(SIM_SLOT_FAULT);
	text_is_seen_through();
	what_probe_tells();
	opcodes();
	neighbours();
	scan();
	ranges();
	restart();
	damaged_tail();
	overwritten_tail();
	return check_status();
}
