/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests MEMORY and STORE: memory without a program.  PROTOCOL.md 5.11 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"

#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	BYTES_MAX = 52, /* of the places of a request */
	PLACES_MAX = 10,
	NOWHERE = 0x50000000
};

/* The places of a request, behind its width. */
struct places {
	uint8_t arguments[DP_PAYLOAD_MAX - 1];
	unsigned used;
};

static struct places with_width(uint8_t width)
{
	return (struct places){.arguments = {width}, .used = 1};
}

static void add(struct places *places, uint64_t address, unsigned bytes)
{
	for (unsigned i = sizeof(dp_word); i-- > 0;)
		places->arguments[places->used++] = (uint8_t)(address >> 8 * i);
	places->arguments[places->used++] = (uint8_t)bytes;
}

static struct bench_answer ask(const struct places *places)
{
	return bench_ask(DP_CMD_MEMORY, places->arguments, places->used);
}

static struct bench_answer ask_one(uint64_t address, unsigned bytes, uint8_t width)
{
	struct places places = with_width(width);

	add(&places, address, bytes);
	return ask(&places);
}

/* Does the answer have these bits of `failed`, and these bytes? */
static bool has(const struct bench_answer *answer, unsigned failed, const void *bytes,
		unsigned count)
{
	return answer->came && answer->error == 0 && answer->bytes == 2 + count &&
	       bench_number(answer, 0, 2) == failed &&
	       memcmp(answer->payload + 2, bytes, count) == 0;
}

static void start(void)
{
	bench_start();
	for (unsigned i = 0; i < FIRMWARE_RAM_BYTES; i++)
		firmware.ram[i] = (uint8_t)(i * 7 + (i >> 8));
	for (unsigned i = 0; i < FIRMWARE_CONST_BYTES; i++)
		firmware.constants[i] = (uint8_t)(0xc0 ^ i);
}

/* One place of each length and of each offset in a word. */
/* proves: R5.93 */
static void reads_one_place(void)
{
	start();
	for (unsigned bytes = 0; bytes <= BYTES_MAX; bytes++)
		for (unsigned at = 0; at < 9; at++) {
			struct bench_answer answer = ask_one(FIRMWARE_RAM + at, bytes, 0);

			CHECK(has(&answer, 0, firmware.ram + at, bytes));
		}
}

/* Ten places where an address has four bytes, in the order of the request. */
/* proves: R5.93 R5.94 */
static void reads_several(void)
{
	struct places places = with_width(0);
	unsigned most = (DP_PAYLOAD_MAX - 2) / (sizeof(dp_word) + 1);
	uint8_t expected[BYTES_MAX];
	struct bench_answer answer;

	start();
	most = most < PLACES_MAX ? most : PLACES_MAX;
	for (unsigned i = 0; i < most; i++) {
		add(&places, FIRMWARE_RAM + 100u * (most - i), 5);
		memcpy(expected + 5 * i, firmware.ram + 100 * (most - i), 5);
	}
	answer = ask(&places);
	CHECK(has(&answer, 0, expected, 5 * most));

	places = with_width(0);
	add(&places, NOWHERE, 4);
	add(&places, FIRMWARE_CONST, 3);
	add(&places, FIRMWARE_RAM + FIRMWARE_RAM_BYTES - 2, 4); /* passes the end of the row */
	add(&places, FIRMWARE_RAM + FIRMWARE_RAM_BYTES - 2, 2);
	add(&places, 0, 1);
	memcpy(expected, firmware.constants, 3);
	memcpy(expected + 3, firmware.ram + FIRMWARE_RAM_BYTES - 2, 2);
	answer = ask(&places);
	CHECK(has(&answer, 1 | 4 | 16, expected, 5));
}

static unsigned run_in(const struct bench_answer *answer, unsigned place, uint8_t *byte)
{
	*byte = answer->payload[2 + 3 * place];
	return (unsigned)bench_number(answer, 3 + 3 * place, 2);
}

/* Count without the agent. */
static unsigned run_from(unsigned at, unsigned most)
{
	unsigned count = 0;

	while (count < most && at + count < FIRMWARE_RAM_BYTES &&
	       firmware.ram[at + count] == firmware.ram[at])
		count++;
	return count;
}

/* Each length of a run, from each offset in a word, and the end of the row of memory. */
/* proves: R5.134 R5.135 */
static void counts_runs(void)
{
	struct bench_answer answer;
	uint8_t byte;

	for (unsigned bytes = 0; bytes < 70; bytes++)
		for (unsigned at = 64; at < 73; at++) {
			start();
			memset(firmware.ram + at, 0xa5, bytes);
			firmware.ram[at + bytes] = 0;
			answer = ask_one(FIRMWARE_RAM + at, 1, 16);
			CHECK(answer.error == 0 && answer.bytes == 5);
			CHECK(run_in(&answer, 0, &byte) == run_from(at, 64));
			CHECK(byte == firmware.ram[at]);
		}
	start();
	memset(firmware.ram + FIRMWARE_RAM_BYTES - 100, 0x5a, 100);
	answer = ask_one(FIRMWARE_RAM + FIRMWARE_RAM_BYTES - 100, 2, 16);
	CHECK(answer.error == 0 && run_in(&answer, 0, &byte) == 100 && byte == 0x5a);
}

/* Several runs in one request, one of them nowhere; 4096 bytes at most. */
/* proves: R5.134 R5.136 */
static void counts_several_runs(void)
{
	struct places places = with_width(16);
	struct bench_answer answer;
	uint8_t byte;

	start();
	memset(firmware.ram + 256, 1, 200);
	memset(firmware.ram + 600, 2, 30);
	add(&places, FIRMWARE_RAM + 256, 3);
	add(&places, NOWHERE, 60);
	add(&places, FIRMWARE_RAM + 600, 1);
	answer = ask(&places);
	CHECK(answer.error == 0 && answer.bytes == 8 && bench_number(&answer, 0, 2) == 2);
	CHECK(run_in(&answer, 0, &byte) == 192 && byte == 1);
	CHECK(run_in(&answer, 1, &byte) == 30 && byte == 2);
	CHECK(ask_one(FIRMWARE_RAM, 64, 16).error == 0);
	CHECK(ask_one(FIRMWARE_RAM, 65, 16).error == DP_ERR_BAD_REQUEST);
	add(&places, FIRMWARE_RAM, 1); /* 65 units together */
	CHECK(ask(&places).error == DP_ERR_BAD_REQUEST);
	answer = ask_one(FIRMWARE_RAM, 0, 16); /* no bytes */
	CHECK(answer.error == 0 && answer.bytes == 2 && bench_number(&answer, 0, 2) == 1);
}

/* Nothing is left of a place whose second stretch fails, and no place wraps around the end of
 * memory. */
/* proves: R5.94 */
static void no_part_of_a_place(void)
{
	struct places places = with_width(0);
	struct bench_answer answer;

	start();
	add(&places, FIRMWARE_RAM + FIRMWARE_RAM_BYTES - 16, 20);
	add(&places, FIRMWARE_RAM, 4);
	answer = ask(&places);
	CHECK(has(&answer, 1, firmware.ram, 4));
	answer = ask_one((dp_addr)-4, 8, 0);
	CHECK(has(&answer, 1, "", 0));
}

/* --- what nothing interrupts --- */

static unsigned stretches;

static void reading(void *context)
{
	(void)context;
	CHECK(dp_sim.masked);
	stretches++;
}

static unsigned stretches_of(unsigned at, unsigned bytes, uint8_t width)
{
	struct bench_answer answer;

	stretches = 0;
	dp_sim.reading = reading;
	answer = ask_one(FIRMWARE_RAM + at, bytes, width);
	dp_sim.reading = NULL;
	CHECK(has(&answer, 0, firmware.ram + at, bytes));
	return stretches;
}

/* proves: R5.95 R5.96 */
static void in_stretches(void)
{
	start();
	for (unsigned at = 0; at < 8; at++)
		for (unsigned bytes = 1; bytes <= 8; bytes *= 2)
			CHECK((stretches_of(at, bytes, 0) == 1) == (at % bytes == 0));
	CHECK(stretches_of(0, 16, 0) == 2 && stretches_of(4, 16, 0) == 3);
	CHECK(stretches_of(7, 9, 0) == 2 && stretches_of(1, 15, 0) == 4);
	CHECK(stretches_of(0, BYTES_MAX, 0) == 7);
	for (uint8_t width = 1; width <= 8; width *= 2)
		CHECK(stretches_of(16, 48, width) == 48u / width);
}

static void hit_between(void *context)
{
	(void)context;
	dp_sim.unmasked = NULL;
	firmware_nested(AT, 1);
}

/* The patrol reads with interrupts open. */
static void reading_with_hit(void *context)
{
	(void)context;
	if (dp_sim.masked && ++stretches == 2)
		dp_sim.unmasked = hit_between;
}

/* Interrupts come between two stretches: a hit there counts as ever. */
/* proves: R5.95 R5.103 */
static void hits_between_stretches(void)
{
	struct bench_answer answer;

	start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n") == 0);
	stretches = 0;
	dp_sim.reading = reading_with_hit;
	answer = ask_one(FIRMWARE_RAM, 40, 0);
	dp_sim.reading = NULL;
	CHECK(has(&answer, 0, firmware.ram, 40) && stretches >= 5 && !dp_sim.unmasked);
	bench_poll();
	CHECK(bench.records == 1 && dp_probe_hits(bench_probe(0, 0)) == 1);
	/* memory is as it is: with the trap */
	answer = ask_one(AT, 4, 0);
	CHECK(has(&answer, 0, firmware.text + 0x100, 4) && !firmware_text_is_original());
}

/* proves: R5.96 R5.97 */
static void widths(void)
{
	struct places places = with_width(4);
	struct bench_answer answer;

	start();
	add(&places, FIRMWARE_RAM + 2, 4);
	add(&places, FIRMWARE_RAM + 4, 6);
	add(&places, FIRMWARE_RAM + 8, 8);
	answer = ask(&places);
	CHECK(has(&answer, 1 | 2, firmware.ram + 8, 8));
	for (unsigned width = 0; width < 256; width++) {
		bool known = width == 0 || width == 1 || width == 2 || width == 4 || width == 8 ||
			     width == 16;

		answer = ask_one(FIRMWARE_RAM, 8, (uint8_t)width);
		CHECK(answer.came && answer.error == (known ? 0 : DP_ERR_BAD_REQUEST));
	}
}

/* proves: R5.97 */
static void bad_requests(void)
{
	struct places places = with_width(0);

	start();
	CHECK(bench_error(DP_CMD_MEMORY, "", 0) == DP_ERR_BAD_REQUEST);
	add(&places, FIRMWARE_RAM, 26);
	for (unsigned less = 1; less <= sizeof(dp_word); less++)
		CHECK(bench_error(DP_CMD_MEMORY, places.arguments, places.used - less) ==
		      DP_ERR_BAD_REQUEST);
	add(&places, FIRMWARE_RAM, 26);
	CHECK(ask(&places).error == 0);
	places.arguments[places.used - 1]++;
	CHECK(ask(&places).error == DP_ERR_BAD_REQUEST && ask(&places).bytes == 0);
	places = with_width(0); /* no place: an answer without bytes */
	CHECK(ask(&places).error == 0 && ask(&places).bytes == 2);
}

/* --- rights --- */

/* proves: R5.98 */
static void needs_rights(void)
{
	uint8_t store[9] = {0, 0, 0, 0, FIRMWARE_RAM >> 24, 0, 0, 0, 0xee};

	start();
	CHECK(bench_hello(8, DP_RIGHT_WRITE).error == 0);
	CHECK(bench_error(DP_CMD_STORE, store, sizeof(store)) == 0 && firmware.ram[0] == 0xee);
	CHECK(bench_hello(9, 0).error == 0);
	firmware.ram[0] = 1;
	CHECK(ask_one(FIRMWARE_RAM, 1, 0).error == 0);
	CHECK(bench_error(DP_CMD_STORE, store, sizeof(store)) == DP_ERR_NO_RIGHT);
	firmware.agent.link.rights = DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_WRITE;
	CHECK(ask_one(FIRMWARE_RAM, 1, 0).error == DP_ERR_NO_RIGHT);
	CHECK(bench_error(DP_CMD_STORE, store, sizeof(store)) == DP_ERR_NO_RIGHT);
	CHECK(bench_hello(10, DP_RIGHT_WRITE).error == 0);
	dp_lock(&firmware.agent);
	CHECK(ask_one(FIRMWARE_RAM, 1, 0).error == DP_ERR_LOCKED);
	CHECK(bench_error(DP_CMD_STORE, store, sizeof(store)) == DP_ERR_LOCKED);
	CHECK(firmware.ram[0] == 1);
}

/* --- STORE --- */

/* Returns the bytes stored; -1: BAD_REQUEST; -2: another answer. */
static int store(uint64_t address, const void *bytes, unsigned count)
{
	uint8_t arguments[DP_PAYLOAD_MAX - 1];
	struct bench_answer answer;

	dp_put_u64(arguments, address);
	memcpy(arguments + 8, bytes, count);
	answer = bench_ask(DP_CMD_STORE, arguments, 8 + count);
	if (answer.came && answer.error == DP_ERR_BAD_REQUEST && answer.bytes == 0)
		return -1;
	return answer.came && answer.error == 0 && answer.bytes == 1 ? answer.payload[0] : -2;
}

static unsigned writes;

static void wrote(void *context, uint64_t address, const uint8_t *bytes, size_t count)
{
	(void)context, (void)address, (void)bytes, (void)count;
	CHECK(dp_sim.masked);
	writes++;
}

/* proves: R5.99 R5.102 */
static void stores(void)
{
	static const uint8_t bytes[9] = {0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9};
	uint8_t before[FIRMWARE_RAM_BYTES];

	start();
	dp_sim.wrote = wrote;
	for (unsigned count = 0; count <= 9; count++)
		for (unsigned at = 64; at < 72; at++) {
			bool good = count > 0 && (count & (count - 1)) == 0 && at % count == 0;

			memcpy(before, firmware.ram, sizeof(before));
			memcpy(before + at, bytes, good ? count : 0);
			writes = 0;
			CHECK(store(FIRMWARE_RAM + at, bytes, count) == (good ? (int)count : -1));
			CHECK(writes == good && memcmp(before, firmware.ram, sizeof(before)) == 0);
			firmware.ram[at] = 0;
		}
	dp_sim.wrote = NULL;
}

/* proves: R5.93 R5.100 */
static void stores_nothing(void)
{
	static const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	uint8_t before[FIRMWARE_RAM_BYTES], constants[FIRMWARE_CONST_BYTES];

	start();
	memcpy(constants, firmware.constants, sizeof(constants));
	memcpy(before, firmware.ram, sizeof(before));
	CHECK(store(FIRMWARE_CONST, bytes, 4) == 0 && store(NOWHERE, bytes, 1) == 0);
	CHECK(store(FIRMWARE_RAM + FIRMWARE_RAM_BYTES, bytes, 2) == 0);
	CHECK(store((dp_addr)-8, bytes, 8) == 0);
	if (sizeof(dp_addr) == 4) /* no such address */
		CHECK(store((uint64_t)1 << 32 | FIRMWARE_RAM, bytes, 1) == 0);
	CHECK(memcmp(before, firmware.ram, sizeof(before)) == 0 &&
	      memcmp(constants, firmware.constants, sizeof(constants)) == 0);
}

/* The same request again: the stored answer, and the firmware's own value stays. */
/* proves: R5.101 */
static void stores_once(void)
{
	uint8_t arguments[] = {0, 0, 0, 0, FIRMWARE_RAM >> 24, 0, 0, 0, 0x77};
	uint8_t seq;

	start();
	CHECK(bench_error(DP_CMD_STORE, arguments, sizeof(arguments)) == 0);
	CHECK(firmware.ram[0] == 0x77);
	firmware.ram[0] = 0x11;
	seq = bench.seq;
	bench_type_request(DP_COM1, seq, DP_CMD_STORE, arguments, sizeof(arguments));
	bench_poll();
	CHECK(bench.line[0].answer.seq == seq && firmware.ram[0] == 0x11);
}

int main(void)
{
	reads_one_place();
	reads_several();
	counts_runs();
	counts_several_runs();
	no_part_of_a_place();
	in_stretches();
	hits_between_stretches();
	widths();
	bad_requests();
	needs_rights();
	stores();
	stores_nothing();
	stores_once();
	return check_status();
}
