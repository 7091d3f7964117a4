/* SPDX-License-Identifier: BSD-2-Clause */
/* Cores: the request CORE, the records of exit 3, and the stop of exit 2.  PROTOCOL.md 10 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"

#include <stdlib.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	NOWHERE = 0x50000000,
	UNIT = 4,
	WORDS_MAX = 1024,
	ROUNDS = 400,
	NOT_STOPPED = 46,
	NO_RESET = 85,
	RUNS_MAX = 51, /* bytes of an answer */
	PIECE = 16 * sizeof(dp_word),
	RESET = 1
};
#define CORE3 "name = \"c\"\noffset = 0x08000100\npush 7\nlog 1\nexit 3\n"
#define CRASH "name = \"p\"\noffset = 0x08000100\nexit 2\n"

/* --- the request --- */

static size_t core_request(uint8_t *to, uint64_t address, unsigned words, uint8_t how)
{
	dp_put_u64(to, address);
	to[8] = (uint8_t)(words >> 8);
	to[9] = (uint8_t)words;
	to[10] = how;
	return 11;
}

static struct bench_answer ask(uint64_t address, unsigned words)
{
	uint8_t arguments[11];

	return bench_ask(DP_CMD_CORE, arguments, core_request(arguments, address, words, 0));
}

/* A reader of its own, made from PROTOCOL.md. Returns the words; ~0: they are no runs. */
static unsigned decode(const uint8_t *runs, unsigned bytes, uint8_t *to, unsigned room)
{
	unsigned words = 0;

	while (bytes > 0) {
		bool equal = *runs >= 0x80;
		unsigned head = equal ? 2 : 1, count = equal ? (runs[0] & 0x7fu) << 8 : runs[0];

		if (bytes < head)
			return ~0u;
		count |= equal ? runs[1] : 0;
		runs += head;
		bytes -= head;
		for (unsigned i = 0; i < count; i++, words++) {
			if (bytes < UNIT || words == room)
				return ~0u;
			memcpy(to + (size_t)words * UNIT, runs, UNIT);
			if (!equal || i + 1 == count) {
				runs += UNIT;
				bytes -= UNIT;
			}
		}
	}
	return words;
}

/* Words that are equal in a row, and others. */
static void fill_ram(void)
{
	for (unsigned i = 0; i < FIRMWARE_RAM_BYTES; i += UNIT) {
		if (i > 0 && rand() % 3 != 0)
			memcpy(firmware.ram + i, firmware.ram + i - UNIT, UNIT);
		else
			for (unsigned at = 0; at < UNIT; at++)
				firmware.ram[i + at] = (uint8_t)(rand() >> 3);
	}
}

/* Read a stretch as a host does: again from the word behind each answer. */
static void read_stretch(unsigned at, unsigned words)
{
	uint8_t found[WORDS_MAX * UNIT];

	while (words > 0) {
		struct bench_answer answer = ask(FIRMWARE_RAM + at, words);
		unsigned covered = bench_number(&answer, 0, 2);
		unsigned there = (FIRMWARE_RAM_BYTES - at) / UNIT;

		CHECK(answer.came && answer.error == 0 && answer.bytes <= 3 + RUNS_MAX);
		CHECK(decode(answer.payload + 3, answer.bytes - 3u, found, words) == covered);
		CHECK(covered <= there && (covered > 0 || there == 0));
		CHECK(answer.payload[2] == (covered == there && words > there));
		CHECK(memcmp(found, firmware.ram + at, (size_t)covered * UNIT) == 0);
		if (answer.payload[2] || covered == 0)
			return;
		at += covered * UNIT;
		words -= covered;
	}
}

/* proves: R10.1 R10.2 R10.3 */
static void reads_stretches(void)
{
	bench_start();
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned at = (unsigned)rand() % (FIRMWARE_RAM_BYTES / UNIT) * UNIT;

		fill_ram();
		read_stretch(at, 1 + (unsigned)rand() % WORDS_MAX);
	}
	memset(firmware.ram, 0, sizeof(firmware.ram));
	read_stretch(0, WORDS_MAX);
	read_stretch(FIRMWARE_RAM_BYTES - UNIT, 2);
	CHECK(ask(FIRMWARE_RAM, WORDS_MAX).bytes == 3 + 2 + UNIT);
}

/* A word at each other place: the longest answer, of 12 words. */
/* proves: R10.2 R10.3 */
static void no_words_are_equal(void)
{
	struct bench_answer answer;

	bench_start();
	for (unsigned i = 0; i < FIRMWARE_RAM_BYTES; i++)
		firmware.ram[i] = (uint8_t)(i / UNIT * 7 + i);
	answer = ask(FIRMWARE_RAM, 100);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 12 && answer.payload[2] == 0);
	CHECK(answer.payload[3] == 12 && memcmp(answer.payload + 4, firmware.ram, 48) == 0);
}

/* proves: R10.1 R10.2 R10.6 */
static void refuses(void)
{
	uint8_t arguments[11];
	struct bench_answer answer;

	bench_start();
	CHECK(ask(FIRMWARE_RAM + 2, 1).error == DP_ERR_BAD_REQUEST);
	CHECK(ask(FIRMWARE_RAM, 0).error == DP_ERR_BAD_REQUEST);
	CHECK(ask(FIRMWARE_RAM, WORDS_MAX + 1).error == DP_ERR_BAD_REQUEST);
	CHECK(ask((dp_word)-4, 2).error == DP_ERR_BAD_REQUEST);
	answer = ask(NOWHERE, 4);
	CHECK(answer.error == 0 && bench_number(&answer, 0, 2) == 0 && answer.payload[2] == 1 &&
	      answer.bytes == 3);
	core_request(arguments, 0, 0, 2);
	CHECK(bench_error(DP_CMD_CORE, arguments, 11) == DP_ERR_BAD_REQUEST);
	core_request(arguments, 0, 0, RESET);
	CHECK(bench_error(DP_CMD_CORE, arguments, 11) == NOT_STOPPED);
	CHECK(bench_error(DP_CMD_CORE, arguments, 10) == DP_ERR_BAD_REQUEST);
}

/* --- exit 3 --- */

static uint64_t *reg(unsigned number)
{
	return firmware.frame.word[sim_row((uint16_t)number)];
}

static dp_word body_word(unsigned record, unsigned index)
{
	return bench_word(bench.record[record].body + index * sizeof(dp_word));
}

static bool is_core(unsigned record)
{
	return record < bench.records && bench.record[record].head.kind == DP_RECORD_CORE;
}

/* The piece at an address; ~0: there is none. */
static unsigned piece_at(dp_word address)
{
	for (unsigned i = 2; i < bench.records; i++)
		if (is_core(i) && body_word(i, 0) == address)
			return i;
	return ~0u;
}

static bool has_memory(dp_word address, unsigned bytes)
{
	unsigned piece = piece_at(address);

	return piece != ~0u && bench.record[piece].head.bytes == sizeof(dp_word) + bytes &&
	       memcmp(bench.record[piece].body + sizeof(dp_word),
		      firmware.ram + (address - FIRMWARE_RAM), bytes) == 0;
}

static void run_core(void)
{
	CHECK(bench_install(CORE3) == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(firmware.executed == 1 && bench.bad_records == 0);
}

/* proves: R10.7 R10.8 R10.9 */
static void sends_a_core(void)
{
	bench_start();
	fill_ram();
	for (unsigned i = 0; i < 13; i++)
		*reg(i) = i; /* no pointer */
	*reg(13) = FIRMWARE_RAM + 0x100;
	*reg(3) = FIRMWARE_RAM + 0x1802; /* in the middle of a word */
	*reg(4) = FIRMWARE_RAM + 0x1800; /* the same words */
	*reg(5) = FIRMWARE_RAM + 0x180;  /* on the stack */
	run_core();
	CHECK(bench.record[0].head.kind == DP_RECORD_LOG && bench_logged(0) == 7);
	CHECK(is_core(1) && body_word(1, 0) == 1);
	for (unsigned i = 0; i < 16; i++)
		CHECK(body_word(1, 1 + i) == (i == 15 ? (dp_word)AT : (dp_word)*reg(i)));
	for (unsigned at = 0; at < DP_CORE_STACK_BYTES; at += PIECE)
		CHECK(has_memory(FIRMWARE_RAM + 0x100 + at, PIECE));
	CHECK(has_memory(FIRMWARE_RAM + 0x1800, PIECE));
	for (unsigned i = 1; i < bench.records; i++)
		CHECK(is_core(i) && bench.record[i].head.ticks == bench.record[1].head.ticks);
	/* log, registers, the stack, r3, and perhaps lr and pc in the text */
	CHECK(bench.records - 2 - DP_CORE_STACK_BYTES / PIECE <= 3);
}

/* proves: R10.10 */
static void leaves_out_what_is_not_there(void)
{
	bench_start();
	fill_ram();
	*reg(13) = FIRMWARE_RAM + FIRMWARE_RAM_BYTES - PIECE - 2 * sizeof(dp_word);
	*reg(2) = NOWHERE;
	run_core();
	CHECK(has_memory(FIRMWARE_RAM + FIRMWARE_RAM_BYTES - PIECE - 2 * sizeof(dp_word), PIECE));
	CHECK(has_memory(FIRMWARE_RAM + FIRMWARE_RAM_BYTES - 2 * sizeof(dp_word),
			 2 * sizeof(dp_word)));
	CHECK(piece_at(NOWHERE) == ~0u && piece_at(FIRMWARE_RAM + FIRMWARE_RAM_BYTES) == ~0u);
}

/* proves: R10.11 */
static void drops_what_has_no_room(void)
{
	uint32_t dropped;

	bench_start();
	fill_ram();
	*reg(13) = FIRMWARE_RAM;
	CHECK(bench_install(CORE3) == 0);
	CHECK(bench_error(DP_CMD_LOG, "\0\1", 2) == 0); /* buffered */
	dropped = firmware.agent.cpu[0].ring.dropped;
	for (unsigned i = 0; i < 64; i++) /* more than the ring holds */
		firmware_run(AT, 1);
	dropped = firmware.agent.cpu[0].ring.dropped - dropped;
	CHECK(dropped > 64 &&
	      dropped <= 2 * 64); /* of a hit: its log, and one record of its core */
	bench_poll();
	CHECK(firmware.executed == 64 && bench.bad_records == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(firmware.executed == 65);
}

/* Its records are not for the line. */
/* proves: R10.12 */
static void no_core_of_a_recorded_program(void)
{
	bench_start();
	*reg(13) = FIRMWARE_RAM;
	CHECK(bench_compile(CORE3));
	CHECK(bench_install_object(DP_COMMIT_FLIGHT | DP_COMMIT_NO_IDENTITY, 0).error == 0);
	for (unsigned i = 0; i < 3; i++)
		firmware_run(AT, 1);
	bench_poll();
	CHECK(firmware.executed == 3 && bench.records == 0 && bench.bad_records == 0);
	CHECK(bench_probe(0, 0)->dropped == 3);
}

/* --- exit 2 --- */

static char typed[256];
static size_t type_end, in;
static uint32_t answers;
static unsigned turns, resets;
static uint8_t error;

static void send(uint8_t command, const void *arguments, size_t bytes)
{
	in = 0;
	type_end = bench_request(typed, ++bench.seq, command, arguments, bytes);
	answers = bench.line[0].answers;
}

/* The host reads memory, asks for a reset, and resumes where that was refused. */
static int stopped(unsigned com)
{
	uint8_t arguments[11];

	dp_sim.ticks += 10;
	if (com != 0)
		return -1;
	if (in == type_end && (turns == 0 || bench.line[0].answers > answers)) {
		if (turns > 0)
			error = bench.line[0].answer.payload[1];
		type_end = 0;
		if (++turns == 1) {
			send(DP_CMD_CORE, arguments, core_request(arguments, FIRMWARE_RAM, 8, 0));
		} else if (turns == 2) {
			CHECK(error == 0);
			send(DP_CMD_CORE, arguments, core_request(arguments, 0, 0, RESET));
		} else {
			send(DP_CMD_RESUME, "", 0);
		}
	}
	return in < type_end ? (uint8_t)typed[in++] : -1;
}

static void reset(void)
{
	CHECK(dp_sim.masked && firmware.agent.halt.on == 0);
	resets++;
}

static uint8_t why(void)
{
	const uint8_t *digits = bench.line[0].notice_of[DP_NOTICE_STOPPED].payload +
				DP_STREAM_HEAD + 2 + 2 * (sizeof(dp_word) + 1);

	return (uint8_t)(digits[0] << 4 | digits[1]);
}

static void crash(void (*by)(void))
{
	bench_start();
	dp_sim.tick_hz = 1000000;
	firmware.board.stopped = stopped;
	firmware.board.reset = by;
	type_end = in = turns = resets = 0;
	error = 0;
	CHECK(bench_install(CRASH) == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(why() == 8 && firmware.executed == 1);
}

/* proves: R10.4 R10.5 A1.32 */
static void resets_behind_a_crash(void)
{
	crash(reset);
	CHECK(turns == 2 && resets == 1);
}

/* proves: R10.6 */
static void board_without_reset(void)
{
	crash(NULL);
	CHECK(turns == 3 && error == NO_RESET && resets == 0);
}

/* HALT in dp_poll: the reset comes in this stop, and the next one has none. */
/* proves: R10.5 */
static void resets_behind_a_halt(void)
{
	bench_start();
	dp_sim.tick_hz = 1000000;
	firmware.board.stopped = stopped;
	firmware.board.reset = reset;
	type_end = in = turns = resets = 0;
	bench_ask(DP_CMD_HALT, "\0\0", 2);
	CHECK(turns == 2 && resets == 1 && !dp_sim.masked);
	firmware.board.reset = NULL;
	type_end = in = turns = 0;
	CHECK(bench_install(CRASH) == 0);
	firmware_run(AT, 1);
	CHECK(turns == 3 && resets == 1 && firmware.executed == 1);
}

/* Of exit 1 and exit 2 at one place, exit 2 counts. */
/* proves: R10.4 */
static void two_stops_at_one_place(void)
{
	static const char stop[] = "name = \"s\"\noffset = 0x08000100\nexit 1\n";

	for (unsigned order = 0; order < 2; order++) {
		bench_start();
		dp_sim.tick_hz = 1000000;
		firmware.board.stopped = stopped;
		firmware.board.reset = NULL;
		type_end = in = turns = resets = 0;
		CHECK(bench_install(order == 0 ? CRASH : stop) == 0);
		CHECK(bench_install(order == 0 ? stop : CRASH) == 1);
		firmware_run(AT, 1);
		bench_poll();
		CHECK(why() == 8 && turns == 3 && firmware.executed == 1);
	}
}

int main(void)
{
	srand(1);
	reads_stretches();
	no_words_are_equal();
	refuses();
	sends_a_core();
	leaves_out_what_is_not_there();
	drops_what_has_no_room();
	no_core_of_a_recorded_program();
	resets_behind_a_crash();
	board_without_reset();
	resets_behind_a_halt();
	two_stops_at_one_place();
	return check_status();
}
