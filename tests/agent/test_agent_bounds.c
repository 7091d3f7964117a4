/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of functions decides where instructions begin: no object arms a probe anywhere else,
 * and no byte of a table leads the reader out of the table.
 * usage: test_agent_bounds [OBJECTS [SEED]] */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_functions.h"
#include "sim_insn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	UNIT = DP_SIM_WIDE ? 1 : 4,
	MIXED = FIRMWARE_TEXT + 0x100, /* instructions of every length, up to DATA */
	DATA = FIRMWARE_TEXT + 0x300,
	MORE = FIRMWARE_TEXT + 0x340, /* code again */
	OTHER_ISA = FIRMWARE_TEXT + 0x800,
	MAIN_AGAIN = FIRMWARE_TEXT + 0x880,
	END = FIRMWARE_TEXT + FIRMWARE_TEXT_BYTES,
	TABLE_MAX = 256,
	TRAITS = DP_OBJECT_HEADER_BYTES + 5 * DP_OBJECT_ENTRY_BYTES + DP_MODULE_BYTES,
	POINT = TRAITS + DP_TRAITS_BYTES,
};

static const struct {
	uint32_t address;
	unsigned kind;
} entries[] = {
	{FIRMWARE_TEXT, DP_ISA_MAIN}, {MIXED, DP_ISA_MAIN},      {DATA, DP_FUNCTIONS_DATA},
	{MORE, DP_ISA_MAIN},          {OTHER_ISA, DP_ISA_THUMB}, {MAIN_AGAIN, DP_ISA_MAIN},
	{END, DP_FUNCTIONS_DATA},
};
enum {
	ENTRIES = sizeof(entries) / sizeof(entries[0])
};

static uint8_t *table; /* of exactly table_bytes: the sanitizer sees a read behind it */
static uint32_t table_bytes;
static bool starts[FIRMWARE_TEXT_BYTES]; /* an instruction begins there */
static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)seed * below >> 32);
}

/* --- the table and the code ---------------------------------------------------------------- */

static uint32_t put_number(uint8_t *at, uint32_t value)
{
	uint32_t bytes = 0;

	for (; value > 0x7f; value >>= 7)
		at[bytes++] = (uint8_t)(value | 0x80);
	at[bytes++] = (uint8_t)value;
	return bytes;
}

static void seal_table(void)
{
	dp_put_u32(table + DP_FUNCTIONS_CRC,
		   dp_crc32(0, table + DP_FUNCTIONS_BYTES_AT, table_bytes - DP_FUNCTIONS_BYTES_AT));
}

static void make_table(void)
{
	uint8_t made[TABLE_MAX] = DP_FUNCTIONS_MAGIC;
	uint32_t last = FIRMWARE_TEXT;

	table_bytes = DP_FUNCTIONS_HEADER_BYTES;
	for (unsigned i = 0; i < ENTRIES; i++) {
		table_bytes += put_number(made + table_bytes,
					  (entries[i].address - last) / UNIT * 4 + entries[i].kind);
		last = entries[i].address;
	}
	dp_put_u32(made + DP_FUNCTIONS_BYTES_AT, table_bytes);
	dp_put_u32(made + DP_FUNCTIONS_COUNT, ENTRIES);
	dp_put_u32(made + DP_FUNCTIONS_UNIT, UNIT);
	dp_put_u64(made + DP_FUNCTIONS_BASE, FIRMWARE_TEXT);
	free(table);
	table = malloc(table_bytes);
	memcpy(table, made, table_bytes);
	seal_table();
}

/* Instructions of 2, 6 and 15 bytes where the CPU has some. */
static void put_code(void)
{
	static const uint8_t lengths[] = {SIM_2_BYTES, SIM_6_BYTES, SIM_15_BYTES};
	uint8_t code[DATA - MIXED];
	unsigned at = 0;

	memset(code, 0x10, sizeof(code));
	while (DP_SIM_WIDE && at + 15 <= sizeof(code)) {
		uint8_t insn[15] = {lengths[any(3)], 0x10};

		memcpy(code + at, insn, sizeof(insn));
		at += sim_bytes(insn);
	}
	firmware_put(MIXED, code, sizeof(code));
}

static void note_starts(void)
{
	memset(starts, 0, sizeof(starts));
	for (unsigned i = 0; i + 1 < ENTRIES; i++)
		for (uint32_t at = entries[i].address;
		     entries[i].kind == DP_ISA_MAIN && at < entries[i + 1].address;
		     at += sim_bytes(firmware.text + (at - FIRMWARE_TEXT)))
			starts[at - FIRMWARE_TEXT] = true;
}

/* The agent of a firmware with this table. */
static void start(void)
{
	bench_start();
	put_code();
	note_starts();
	firmware.board.functions = table;
	firmware.board.functions_bytes = table_bytes;
	bench_warm();
	CHECK(bench_hello(0x1234, 0).error == 0);
}

static bool has_bounds(void)
{
	struct bench_answer answer = bench_ask(DP_CMD_LIMITS, NULL, 0);

	return bench_number(&answer, 39, 1) != 0;
}

/* --- the points ---------------------------------------------------------------------------- */

/* Install at an address with bounds as an object says them, and remove. */
static enum dp_err try_point(uint32_t address, uint8_t isa, uint32_t before, uint32_t extent,
			     uint8_t options)
{
	struct bench_answer answer;

	bench.line[0].out_bytes =
		0; /* the bench keeps what was sent, and has room for some thousand points */
	CHECK(bench_compile("name = \"t\"\noffset = 0x08000100\nexit\n"));
	bench.object[TRAITS + DP_TR_ISA] = isa;
	dp_put_u32(bench.object + POINT + DP_PT_ADDRESS, address);
	dp_put_u32(bench.object + POINT + DP_PT_BEFORE, before);
	dp_put_u32(bench.object + POINT + DP_PT_EXTENT, extent);
	bench_seal();
	answer = bench_install_object(options, 0);
	CHECK(answer.came);
	if (answer.error == DP_ERR_OK)
		bench_remove_all();
	return (enum dp_err)answer.error;
}

static enum dp_err at(uint32_t address)
{
	return try_point(address, DP_ISA_MAIN, 0, 0, DP_COMMIT_NO_IDENTITY);
}

/* proves: R7.8 */
static void bounds_of_the_table(void)
{
	make_table();
	start();
	CHECK(has_bounds());
	for (uint32_t address = MIXED; address < DATA; address++)
		CHECK(at(address) ==
		      (starts[address - FIRMWARE_TEXT] ? DP_ERR_OK : DP_ERR_NOT_BOUNDARY));
	CHECK(at(DATA) == DP_ERR_NOT_BOUNDARY && at(MORE - 4) == DP_ERR_NOT_BOUNDARY);
	CHECK(at(MORE) == DP_ERR_OK && at(OTHER_ISA - 4) == DP_ERR_OK);
	CHECK(at(OTHER_ISA) == DP_ERR_WRONG_ISA && at(MAIN_AGAIN) == DP_ERR_OK);
	/* an object's own bounds count nothing */
	CHECK(try_point(DATA, 0, 0, 4, DP_COMMIT_NO_IDENTITY) == DP_ERR_NOT_BOUNDARY);
	CHECK(try_point(MORE, 0, 3, 100, DP_COMMIT_NO_IDENTITY) == DP_ERR_OK);
	CHECK(firmware_text_is_original());
}

/* A handler with `return` stands where a function of the table begins, whatever the object says. */
/* proves: R5.141 */
static enum dp_err returning_at(uint32_t address)
{
	enum dp_err error;

	CHECK(bench_compile("name = \"t\"\noffset = 0x08000100\nfunction = 64\nreturn 0\nexit\n"));
	dp_put_u32(bench.object + POINT + DP_PT_ADDRESS, address);
	bench_seal();
	error = (enum dp_err)bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error;
	if (error == DP_ERR_OK)
		bench_remove_all();
	return error;
}

static void returns_of_the_table(void)
{
	make_table();
	start();
	CHECK(bench_hello(0x1234, DP_RIGHT_WRITE).error == 0);
	CHECK(returning_at(MORE) == DP_ERR_OK);
	CHECK(returning_at(MORE + 4) == DP_ERR_NOT_ENTRY);
	CHECK(at(MORE + 8) == DP_ERR_OK && returning_at(MORE + 8) == DP_ERR_NOT_ENTRY);
	CHECK(returning_at(DATA) == DP_ERR_NOT_BOUNDARY);
	CHECK(firmware_text_is_original());
}

/* Other modules have no table: the object's bounds stay. */
static void outside_of_the_image(void)
{
	make_table();
	start();
	CHECK(at(FIRMWARE_MODULE + 8) == DP_ERR_OK);
}

/* The image runs elsewhere than linked: the table has the linked addresses. */
static void moved_image(void)
{
	make_table();
	dp_put_u64(table + DP_FUNCTIONS_BASE, FIRMWARE_TEXT - 0x1000);
	seal_table();
	start();
	firmware.board.image.moved = 0x1000;
	bench_warm();
	CHECK(bench_hello(0x1234, 0).error == 0);
	CHECK(at(MORE) == DP_ERR_OK && at(DATA) == DP_ERR_NOT_BOUNDARY);
}

/* A table that is not whole is no table, whichever byte is wrong. */
static void damaged_table(void)
{
	for (unsigned i = 0; i < table_bytes; i++) {
		make_table();
		table[i] ^= 0x10;
		start();
		CHECK(!has_bounds());
	}
	make_table();
	table_bytes--; /* cut */
	start();
	CHECK(!has_bounds() && at(DATA) == DP_ERR_OK);
	table_bytes++;
	firmware.board.functions = NULL;
	bench_warm();
	CHECK(bench_hello(0x1234, 0).error == 0 && !has_bounds());
}

/* A right checksum over wrong entries: the reader stays in the table, and the agent works on. */
static void wrong_entries(unsigned tables)
{
	for (unsigned n = 0; n < tables; n++) {
		make_table();
		for (unsigned i = DP_FUNCTIONS_COUNT; i < table_bytes; i++)
			if (any(2))
				table[i] = (uint8_t)(any(4) ? any(256) : 0xff);
		seal_table();
		start();
		CHECK(has_bounds());
		for (unsigned i = 0; i < 8; i++)
			at(FIRMWARE_TEXT + any(FIRMWARE_TEXT_BYTES));
		CHECK(firmware_text_is_original());
	}
}

/* The firmware overwrites the table after the start: the reader stays in the board's room. */
static void overwritten_table(void)
{
	make_table();
	start();
	dp_put_u32(table + DP_FUNCTIONS_BYTES_AT, 0x7fffffff);
	memset(table + DP_FUNCTIONS_HEADER_BYTES, 0, table_bytes - DP_FUNCTIONS_HEADER_BYTES);
	CHECK(at(MORE) == DP_ERR_NOT_BOUNDARY);
}

/* Address, instruction set, bounds and options as they come: what is armed is an instruction, and
 * an instruction is not refused for its bounds. */
static void mutated_objects(unsigned objects)
{
	unsigned armed = 0, refused = 0;

	make_table();
	start();
	for (unsigned n = 0; n < objects; n++) {
		uint32_t offset = any(FIRMWARE_TEXT_BYTES), before = any(4) ? any(0x200) : 0;
		uint32_t extent = any(3) ? before + 1 + any(0x200) : any(0x10000);
		uint8_t isa = any(4) ? DP_ISA_MAIN : (uint8_t)any(4);
		uint8_t options = any(8) ? (uint8_t)any(16) | DP_COMMIT_NO_IDENTITY : 0xff;
		enum dp_err error;

		if (!any(8))
			before = extent = seed;
		error = try_point(FIRMWARE_TEXT + offset, isa, before, extent, options);
		armed += error == DP_ERR_OK;
		refused += error == DP_ERR_NOT_BOUNDARY;
		CHECK(error != DP_ERR_OK || (starts[offset] && isa == DP_ISA_MAIN));
		CHECK(error != DP_ERR_NOT_BOUNDARY || !starts[offset] || isa != DP_ISA_MAIN);
	}
	CHECK(firmware_text_is_original());
	CHECK(armed > objects / 20 && refused > objects / 20);
}

int main(int argc, char **argv)
{
	unsigned objects = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200;

	seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
	bounds_of_the_table();
	returns_of_the_table();
	outside_of_the_image();
	moved_image();
	damaged_table();
	wrong_entries(objects / 10);
	overwritten_table();
	mutated_objects(objects);
	free(table);
	return check_status();
}
