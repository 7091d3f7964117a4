/* SPDX-License-Identifier: BSD-2-Clause */
/* Uploads: BEGIN, pieces in any order, COMMIT and CHECK, and each error they can answer. */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "sim_insn.h"

#include <stdio.h>
#include <string.h>

#define PROGRAM "name = \"first\"\nvars = 20\noffset = 0x08000100\npush 5\nlog 1\nexit\n"

/* proves: R1.2 R5.13 R5.14 R5.15 R5.16 */
static void begin_data(void)
{
	uint8_t begin[8] = {0, 0, 0, 100, 1, 2, 3, 4}, data[12] = {0};
	struct bench_answer answer;

	bench_start();
	dp_put_u32(begin, DP_ARENA_BYTES + 1);
	CHECK(bench_error(DP_CMD_BEGIN, begin, 8) == DP_ERR_ARENA_FULL);
	CHECK(bench_error(DP_CMD_DATA, data, 12) == DP_ERR_BAD_TXN);
	dp_put_u32(begin, 100);
	answer = bench_ask(DP_CMD_BEGIN, begin, 8);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 1);
	answer = bench_ask(DP_CMD_BEGIN, begin, 8); /* nothing came: the same one */
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 1);
	data[1] = 2;
	CHECK(bench_error(DP_CMD_DATA, data, 12) == DP_ERR_BAD_TXN); /* another transaction */
	data[1] = 1;
	dp_sim.ticks += (uint64_t)1 << 40; /* days: the agent waits */
	bench_poll();
	answer = bench_ask(DP_CMD_DATA, data, 12);
	CHECK(answer.error == 0 && bench_number(&answer, 2, 4) == 6);
	answer = bench_ask(DP_CMD_DATA, data, 12); /* what is there already is ignored */
	CHECK(answer.error == 0 && bench_number(&answer, 2, 4) == 6);
	dp_put_u32(data + 2, 4); /* overlaps: the rest counts */
	answer = bench_ask(DP_CMD_DATA, data, 12);
	CHECK(answer.error == 0 && bench_number(&answer, 2, 4) == 10);
	dp_put_u32(data + 2, 0xfffffffe); /* offset + bytes wraps */
	CHECK(bench_error(DP_CMD_DATA, data, 12) == DP_ERR_BAD_TXN);
	dp_put_u32(data + 2, 10);
	answer = bench_ask(DP_CMD_BEGIN, begin, 8); /* something came: a new one */
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 2);
	CHECK(bench_error(DP_CMD_DATA, data, 12) == DP_ERR_BAD_TXN); /* the first one has ended */
	data[1] = 2;
	dp_put_u32(begin, 5); /* beyond what was announced */
	answer = bench_ask(DP_CMD_BEGIN, begin, 8);
	data[1] = (uint8_t)bench_number(&answer, 0, 2);
	dp_put_u32(data + 2, 0);
	CHECK(bench_error(DP_CMD_DATA, data, 12) == DP_ERR_BAD_TXN);
	CHECK(bench_commit(data[1], 0, 0).error == DP_ERR_BAD_TXN); /* bytes are missing */
	CHECK(bench_error(DP_CMD_CHECK, "\0\3\0\0", 4) == DP_ERR_BAD_TXN);
}

/* A piece with bytes [first, end), each the low byte of its offset plus `mark`. Checks the answer:
 * have, and the ranges behind, up to a zero. */
static void piece(uint32_t first, uint32_t end, uint8_t mark, enum dp_err error,
		  const uint32_t *told)
{
	uint8_t data[6 + DP_DATA_MAX] = {0, (uint8_t)firmware.agent.upload.transaction};
	struct bench_answer answer;
	unsigned at = 2;

	dp_put_u32(data + 2, first);
	for (uint32_t i = first; i < end; i++)
		data[6 + i - first] = (uint8_t)(i + mark);
	answer = bench_ask(DP_CMD_DATA, data, 6 + (size_t)(end - first));
	CHECK(answer.error == error && bench_number(&answer, at, 4) == *told++);
	for (at += 4; *told != 0; at += 4)
		CHECK(bench_number(&answer, at, 4) == *told++);
	CHECK(answer.bytes == at);
}

#define PIECE(first, end, mark, error, ...)                                                        \
	piece(first, end, mark, error, (uint32_t[]){__VA_ARGS__, 0})

static bool has_bytes(uint32_t first, uint32_t end, uint8_t mark)
{
	const uint8_t *object = firmware.agent.arena + firmware.agent.arena_used;

	while (first < end && object[first] == (uint8_t)(first + mark))
		first++;
	return first == end;
}

/* proves: R5.16 R5.74 R5.75 R5.76 */
static void gaps(void)
{
	const uint8_t begin[8] = {0, 0, 0, 200, 1, 2, 3, 4};

	bench_start();
	CHECK(bench_ask(DP_CMD_BEGIN, begin, 8).error == 0);
	PIECE(100, 110, 0, DP_ERR_OK, 0, 100, 110);
	PIECE(60, 70, 0, DP_ERR_OK, 0, 60, 70, 100, 110);
	PIECE(140, 150, 0, DP_ERR_OK, 0, 60, 70, 100, 110, 140, 150);
	PIECE(20, 30, 0, DP_ERR_OK, 0, 20, 30, 60, 70, 100, 110, 140, 150);
	PIECE(180, 190, 0, DP_ERR_BAD_TXN, 0, 20, 30, 60, 70, 100, 110, 140, 150);
	PIECE(105, 120, 1, DP_ERR_OK, 0, 20, 30, 60, 70, 100, 120, 140,
	      150); /* only what is missing */
	CHECK(has_bytes(100, 110, 0) && has_bytes(110, 120, 1));
	PIECE(70, 100, 2, DP_ERR_OK, 0, 20, 30, 60, 120, 140, 150); /* between two */
	PIECE(0, 25, 3, DP_ERR_OK, 30, 60, 120, 140, 150);
	CHECK(has_bytes(0, 20, 3) && has_bytes(20, 30, 0));
	PIECE(110, 158, 4, DP_ERR_OK, 30, 60, 158); /* over a gap */
	CHECK(has_bytes(110, 120, 1) && has_bytes(120, 140, 4) && has_bytes(140, 150, 0));
	PIECE(10, 20, 5, DP_ERR_OK, 30, 60, 158);
	PIECE(30, 60, 6, DP_ERR_OK, 158);
	PIECE(190, 200, 7, DP_ERR_OK, 158, 190, 200);
	PIECE(158, 200, 8, DP_ERR_OK, 200);
	CHECK(has_bytes(158, 190, 8) && has_bytes(190, 200, 7) && has_bytes(30, 60, 6));
	CHECK(bench_ask(DP_CMD_BEGIN, begin, 8).error == 0);
	PIECE(50, 60, 0, DP_ERR_OK, 0, 50, 60);
	CHECK(bench_ask(DP_CMD_BEGIN, begin, 8).error == 0); /* no range is left */
	PIECE(100, 110, 0, DP_ERR_OK, 0, 100, 110);
}

/* proves: R5.40 */
static void transactions(void)
{
	uint8_t begin[8] = {0, 0, 0, 100, 1, 2, 3, 4};
	struct bench_answer answer;

	bench_start();
	for (unsigned number = 1; number < 5; number++, begin[7]++) {
		answer = bench_ask(DP_CMD_BEGIN, begin, 8);
		CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == number);
		answer = bench_ask(DP_CMD_BEGIN, begin, 8); /* opens none */
		CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == number);
		CHECK(bench_hello(100 + number, 1).error == 0);
	}
	dp_put_u32(begin, DP_ARENA_BYTES + 1);
	CHECK(bench_error(DP_CMD_BEGIN, begin, 8) == DP_ERR_ARENA_FULL); /* nor does this */
	dp_put_u32(begin, 100);
	answer = bench_ask(DP_CMD_BEGIN, begin, 8);
	CHECK(bench_number(&answer, 0, 2) == 5);
	firmware.agent.upload.transaction = 0xffff;
	begin[7]++;
	answer = bench_ask(DP_CMD_BEGIN, begin, 8);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 0);
}

/* Old and new program stand beside each other for a moment: both must fit. */
/* proves: R5.21 */
static void replacing_needs_room(void)
{
	char source[64 * DP_MAX_PROBES] = "name = \"half\"\n";
	struct bench_answer answer;

	bench_start();
	for (unsigned i = 0, n = 14; i <= DP_MAX_PROBES / 2; i++)
		n += (unsigned)snprintf(source + n, sizeof(source) - n,
					"offset = 0x%x\nminor = %u\nexit\n", FIRMWARE_TEXT + 4 * i,
					i);
	CHECK(bench_install(source) == 0);
	answer = bench_install_object(DP_COMMIT_NO_IDENTITY | DP_COMMIT_REPLACE, 0);
	CHECK(answer.error == DP_ERR_TABLE_FULL && firmware.agent.programs == 1);
	CHECK(firmware_word(FIRMWARE_TEXT) == DP_SIM_TRAP_WORD);
	bench_remove_all();
	CHECK(bench_install(PROGRAM) == 0);
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY | DP_COMMIT_REPLACE, 0).error == 0);
	CHECK(firmware.agent.programs == 1);
}

/* proves: P3.6 R5.14 R5.17 R5.19 R5.22 R5.23 R5.25 */
static void commit(void)
{
	struct bench_answer answer, again;
	uint16_t transaction = 0, next = 0;
	uint8_t arguments[4] = {0, 1, 0, 0};

	bench_start();
	CHECK(bench_compile(PROGRAM));
	CHECK(bench_upload(&transaction).error == 0);
	CHECK(bench_error(DP_CMD_COMMIT, "\0\1\100\0", 4) ==
	      DP_ERR_BAD_REQUEST);                      /* unknown option */
	answer = bench_ask(DP_CMD_CHECK, arguments, 4); /* no identity */
	CHECK(answer.error == DP_ERR_WRONG_IMAGE && answer.bytes == 15);
	arguments[2] = DP_COMMIT_NO_IDENTITY;
	answer = bench_ask(DP_CMD_CHECK, arguments, 4);
	CHECK(answer.error == 0 && answer.bytes == 15 && firmware_text_is_original());
	CHECK(!firmware.agent.program[0].object && firmware.agent.arena_used == 0);
	answer = bench_ask(DP_CMD_COMMIT, "\0\1\10\0\0", 5); /* selects no point */
	CHECK(answer.error == DP_ERR_EMPTY && bench_number(&answer, 11, 3) == 0xff0000);
	answer = bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0);
	CHECK(answer.error == 0 && bench_number(&answer, 11, 3) == 0x000100);
	again = bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0);
	CHECK(memcmp(&answer, &again, sizeof(answer)) == 0);
	again = bench_commit(transaction, 0, 0x3f); /* whatever it asks for */
	CHECK(memcmp(&answer, &again, sizeof(answer)) == 0);
	CHECK(firmware.agent.program[0].object && !firmware.agent.program[1].object);
	CHECK(bench_error(DP_CMD_CHECK, arguments, 4) == DP_ERR_BAD_TXN);
	CHECK(bench_error(DP_CMD_DATA, "\0\1\0\0\0\0\0", 7) == DP_ERR_BAD_TXN);

	CHECK(bench_upload(&next).error == 0 && next != transaction);
	CHECK(bench_commit(transaction, DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_BAD_TXN);
	/* decisions.txt C130 */
	CHECK(bench_commit(next, DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_NAME_IN_USE);
	CHECK(bench_commit(next, DP_COMMIT_NO_IDENTITY | DP_COMMIT_MERGE, 0).error == 0);
	CHECK(firmware.agent.program[0].object && firmware.agent.program[1].object);
	CHECK(bench_upload(&next).error == 0);
	answer = bench_commit(next, DP_COMMIT_NO_IDENTITY | DP_COMMIT_REPLACE, 0);
	CHECK(answer.error == 0 && answer.payload[11] == 2);
	CHECK(!firmware.agent.program[0].object && !firmware.agent.program[1].object);
	CHECK(firmware.agent.arena_used == firmware.agent.program[2].held);
	/* announced and received do not agree */
	CHECK(bench_upload(&next).error == 0);
	firmware.agent.upload.crc ^= 1;
	CHECK(bench_commit(next, DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_BAD_CRC);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* A removed program's slot comes back at a quiescent point. test_locks.py finds the lock of
 * dp_quiescent here. */
static void slot_comes_back(void)
{
	unsigned all, bound, behind;

	bench_start();
	firmware_put_word(FIRMWARE_TEXT + 0x100, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install(PROGRAM) == 0);
	bench_remove_all();
	dp_port_slots(&all, &bound);
	dp_quiescent(&firmware.agent);
	dp_port_slots(&all, &behind);
	CHECK(bound == all - 1 && behind == all);
}

/* The numbers of epochs come again after 253 quiescent points: no slot is lost then, and one that
 * is released behind the last quiescent point stays bound. */
static void epochs_wrap(void)
{
	unsigned all, bound, behind;

	bench_start();
	firmware_put_word(FIRMWARE_TEXT + 0x100, (uint32_t)SIM_AWAY << 24);
	for (unsigned round = 0; round < 600; round++) {
		for (unsigned i = 0; i < round % 3; i++)
			dp_quiescent(&firmware.agent);
		CHECK(bench_install(PROGRAM) == 0);
		bench_remove_all();
		dp_port_slots(&all, &bound);
		CHECK(bound == all - 1);
	}
	dp_quiescent(&firmware.agent);
	dp_port_slots(&all, &behind);
	CHECK(behind == all);
}

int main(void)
{
	begin_data();
	gaps();
	transactions();
	commit();
	replacing_needs_room();
	slot_comes_back();
	epochs_wrap();
	return check_status();
}
