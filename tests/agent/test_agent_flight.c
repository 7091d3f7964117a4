/* SPDX-License-Identifier: BSD-2-Clause */
/* The flight recorder: records that stay in the keep area, over warm restarts and resets in the
 * middle of a record. The host's reader finds them. PROTOCOL.md 9 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_flight_ring.h"
#include "stream/flight.h"

#include <stdlib.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	OTHER = FIRMWARE_TEXT + 0x200,
	SIZE = DP_FLIGHT_BYTES,
	NO_RIGHT = 72
};
#define COUNTS "name = \"c\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"

/* --- the ring by requests --- */

static uint8_t bytes[SIZE];
static struct dph_flight found;

static struct bench_answer ask_flight(uint8_t how, uint32_t at)
{
	uint8_t arguments[5] = {how};

	dp_put_u32(arguments + 1, at);
	return bench_ask(DP_CMD_FLIGHT, arguments, sizeof(arguments));
}

static unsigned state(void)
{
	return ask_flight(0, UINT32_MAX).payload[0];
}

static uint32_t programs(void)
{
	const struct bench_answer answer = bench_ask(DP_CMD_EMBED, "", 0);

	return bench_number(&answer, 9, 4);
}

static void read_ring(void)
{
	struct bench_answer answer = ask_flight(0, UINT32_MAX);
	struct dph_flight_bytes ring = {.bytes = bytes, .size = SIZE};

	CHECK(answer.error == 0 && bench_number(&answer, 3, 4) == SIZE);
	CHECK(answer.bytes == 11); /* beyond the end there are no bytes */
	ring.end = ring.latest = bench_number(&answer, 7, 4);
	for (uint32_t at = 0; at < SIZE; at += 40) {
		answer = ask_flight(0, at);
		CHECK(answer.error == 0 && answer.bytes == 11 + (SIZE - at < 40 ? SIZE - at : 40));
		memcpy(bytes + at, answer.payload + 11, answer.bytes - 11u);
	}
	dph_flight_free(&found);
	dph_flight_find(&ring, &found);
}

/* The word that an intact record has logged. */
static dp_word logged(size_t index)
{
	CHECK(index < found.count && found.list[index].head.bytes >= sizeof(dp_word));
	return bench_word(found.list[index].body);
}

static int install_flight(const char *source)
{
	struct bench_answer answer;

	CHECK(bench_compile(source));
	answer = bench_install_object(DP_COMMIT_FLIGHT | DP_COMMIT_NO_IDENTITY, 0);
	CHECK(answer.came && answer.error == 0);
	return answer.error == 0 ? answer.payload[11] : -1;
}

/* --- records --- */

/* Nothing is sent, and the records have what a stream would tell. */
/* proves: R9.1 */
static void keeps_records(void)
{
	bench_start();
	dp_sim.tick_hz = 1000000;
	read_ring();
	CHECK(found.count == 0 && found.gaps == 0 && !found.older && !found.begun);
	CHECK(install_flight(COUNTS) == 0 && programs() == 1);
	CHECK(bench_install("name = \"o\"\noffset = 0x08000200\npush 5\nlog 1\nexit\n") == 1);
	CHECK(programs() == 1);
	for (unsigned i = 0; i < 3; i++) {
		dp_sim.ticks = 0x123456789000u + i;
		firmware_run(AT, 1);
	}
	firmware_run(OTHER, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 5);
	read_ring();
	CHECK(found.count == 3 && found.gaps == 0 && !found.older && !found.begun);
	for (unsigned i = 0; i < 3; i++) {
		const struct dph_flight_record *r = &found.list[i];

		CHECK(logged(i) == i + 1 && r->ticks == 0x123456789000u + i);
		CHECK(r->boot == firmware.agent.boot && r->point == 0 && r->items == 0);
		CHECK(r->program == firmware.agent.program[0].crc);
		CHECK(r->head.kind == DP_RECORD_LOG && r->head.bytes == sizeof(dp_word));
	}
	CHECK(bench_probe(0, 0)->dropped == 0 && dp_probe_hits(bench_probe(0, 0)) == 3);
	bench_remove_all();
	CHECK(programs() == 0);
	read_ring();
	CHECK(found.count == 3);
}

/* The oldest records go, one by one. */
/* proves: R9.2 */
static void overwrites_the_oldest(void)
{
	unsigned each = DP_FLIGHT_HEAD_BYTES + sizeof(dp_word), room = SIZE / each;
	dp_word first = 1;

	bench_start();
	CHECK(install_flight(COUNTS) == 0);
	for (unsigned i = 1; i <= 3 * room; i++) {
		firmware_run(AT, 1);
		if (i % 7 != 0)
			continue;
		read_ring();
		CHECK(found.gaps == 0 && !found.begun && found.older == (i > room));
		CHECK(logged(found.count - 1) == i && logged(0) >= first);
		CHECK(found.count == (i < room ? i : found.count) &&
		      found.count + 2 >= (i < room ? i : room));
		for (size_t n = 1; n < found.count; n++)
			CHECK(logged(n) == logged(n - 1) + 1);
		first = logged(0);
	}
}

/* Positions of a recorder that has run for days: behind 2^31 bytes, and behind 2^32. */
/* proves: R9.2 R9.7 R9.15 */
static void runs_for_long(void)
{
	static const uint32_t ends[] = {0x7fffffffu, 0x80000000u, 0xbfffffffu, 0xffffffffu};
	unsigned each = DP_FLIGHT_HEAD_BYTES + sizeof(dp_word), room = SIZE / each;

	for (unsigned i = 0; i < 4; i++) {
		bench_start();
		CHECK(install_flight(COUNTS) == 0);
		firmware.agent.flight.end = ends[i] / SIZE * SIZE - SIZE;
		for (unsigned n = 1; n <= 4 * room; n++) {
			firmware_run(AT, 1);
			if (n < 2 * room || n % 7 != 0)
				continue;
			read_ring();
			CHECK(found.gaps == 0 && found.older && found.count + 2 >= room);
			CHECK(logged(found.count - 1) == n);
		}
		bench_warm();
		bench_hello(7, 0);
		read_ring();
		CHECK(found.gaps == 0 && found.older && logged(found.count - 1) == 4 * room);
	}
}

/* A short record at the end of the ring, where no longer one has room. */
/* proves: R9.16 */
static void leaves_nothing_old(void)
{
	unsigned each = DP_FLIGHT_HEAD_BYTES + sizeof(dp_word);
	unsigned longest = DP_FLIGHT_HEAD_BYTES + 20 * sizeof(dp_word);
	dp_word last;

	bench_start();
	CHECK(install_flight(COUNTS) == 0);
	for (unsigned i = 0; i < SIZE / each; i++)
		firmware_run(AT, 1);
	bench_remove_all();
	CHECK(install_flight("name = \"l\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\n"
			     "push 1\npush 1\npush 1\npush 1\npush 1\npush 1\npush 1\npush 1\n"
			     "push 1\npush 1\npush 1\npush 1\npush 1\npush 1\npush 1\npush 1\n"
			     "push 1\npush 1\npush 1\npush lv, 0\nlog 20\nexit\n") == 0);
	for (unsigned i = 0; i < 2 * SIZE / longest; i++)
		firmware_run(AT, 1);
	firmware.agent.flight.end += 0x50000000u; /* half of all positions later */
	for (last = 2 * SIZE / longest; last < 4 * SIZE / longest; last++)
		firmware_run(AT, 1);
	bench_warm();
	bench_hello(7, 0);
	read_ring();
	CHECK(found.gaps == 0 && found.count + 2 >= SIZE / longest);
	CHECK(logged(found.count - 1) == last);
}

/* Records with plans of their own, with traces and with items. */
/* proves: R9.1 */
static void keeps_every_kind(void)
{
	bench_start();
	CHECK(install_flight("name = \"w\"\noffset = 0x08000100\npush r, r0\npush r, r1\nlog 2\n"
			     "exit\n") == 0);
	firmware_run(AT, 1);
	read_ring();
	CHECK(found.count == 1 && found.list[0].head.bytes == 2 * sizeof(dp_word));
	bench_remove_all();
	CHECK(bench_compile(
		"name = \"t\"\nvars = 1\noffset = 0x08000100\npush 1\npush 0\ntrace lv\nlog st\n"
		"push 0\npush mem, u8\nexit\n"));
	CHECK(bench_install_object(DP_COMMIT_FLIGHT | DP_COMMIT_NO_IDENTITY | DP_COMMIT_FAULTS,
				   DP_ITEM_PC)
		      .error == 0);
	firmware_run(AT, 1);
	read_ring();
	CHECK(found.count == 3 && found.list[2].head.kind == DP_RECORD_TRACE);
	CHECK(found.list[1].items == DP_ITEM_PC && found.list[1].head.flags & DP_RECORD_FAULT);
	CHECK(bench.records == 0);
}

/* A record stays when its instruction faults: it is the last one before a crash. */
/* proves: R9.3 */
static void stays_over_a_fault(void)
{
	for (unsigned late = 0; late < 2; late++) {
		bench_start();
		firmware_put_word(AT, (uint32_t)(late ? SIM_MEMORY : SIM_FAULT) << 24);
		firmware.aborts = true;
		CHECK(install_flight(COUNTS) == 0);
		firmware_run(AT, 2);
		CHECK(firmware.faults >= 1 && bench_probe(0, 0)->faulted == 1);
		read_ring();
		CHECK(found.count == 1 && found.gaps == 0 && logged(0) == 1);
	}
}

/* --- freeze --- */

/* proves: R9.4 R9.5 */
static void freezes(void)
{
	uint8_t how = 1;

	bench_start();
	CHECK(install_flight("name = \"c\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\n"
			     "push lv, 0\nlog 1\npush lv, 0\npush 3\nsub\njnz out\npush 2\nfreeze\n"
			     "out:\nexit\n") == 0);
	firmware_run(AT, 1);
	firmware_run(AT, 1);
	CHECK(state() == 0);
	firmware_run(AT, 1);
	CHECK(state() == 2);
	for (unsigned i = 0; i < 5; i++)
		firmware_run(AT, 1);
	CHECK(state() == 1);
	read_ring();
	CHECK(found.count == 5 && logged(4) == 5);
	bench_warm(); /* a frozen ring stays frozen */
	bench_hello(9, 0);
	CHECK(state() == 1);
	CHECK(ask_flight(2, UINT32_MAX).error == 0 && state() == 0);
	read_ring();
	CHECK(found.count == 0);
	CHECK(ask_flight(how, UINT32_MAX).error == 0 && state() == 1);
	CHECK(ask_flight(3, 0).error == 64);
	CHECK(ask_flight(2, 0).error == 0);
	dp_freeze(&firmware.agent);
	CHECK(state() == 1);
	bench_warm();
	bench_hello(10, 0);
	CHECK(state() == 1);
}

static unsigned stretches;

static void count_stretch(void *context)
{
	(void)context;
	stretches++;
}

/* A fault handler freezes although another CPU has halted with the lock. */
/* proves: R9.4 */
static void freezes_without_the_lock(void)
{
	bench_start();
	CHECK(install_flight(COUNTS) == 0);
	dp_sim.unmasked = count_stretch;
	firmware_run(AT, 1);
	stretches = 0;
	dp_freeze(&firmware.agent);
	CHECK(stretches == 0);
	CHECK(state() == 1 && stretches > 0);
	dp_sim.unmasked = NULL;
	firmware_run(AT, 1);
	read_ring();
	CHECK(found.count == 1);
}

/* `freeze` in a program without --flight, exit 2, and a handler that logs nothing. */
/* proves: R9.4 */
static void freezes_from_elsewhere(void)
{
	static const char *const programs_[] = {
		"name = \"f\"\noffset = 0x08000200\npush 0\nfreeze\nexit\n",
		"name = \"f\"\noffset = 0x08000200\npush 0\nfreeze\nabort\n",
		"name = \"f\"\noffset = 0x08000200\nexit 2\n",
	};

	for (unsigned i = 0; i < 3; i++) {
		bench_start();
		CHECK(install_flight(COUNTS) == 0 && bench_install(programs_[i]) == 1);
		firmware_run(AT, 1);
		firmware_run(OTHER, 1);
		CHECK(state() == 1);
		firmware_run(AT, 1);
		read_ring();
		CHECK(found.count == 1);
	}
}

/* proves: R9.6 */
static void needs_rights(void)
{
	bench_start();
	dp_lock(&firmware.agent);
	CHECK(ask_flight(0, 0).error != 0 && ask_flight(2, 0).error != 0);
}

/* --- resets --- */

/* Records of two starts, and a reset behind each byte of a record. */
/* proves: R9.7 R9.8 */
static void survives_resets(void)
{
	unsigned each = DP_FLIGHT_HEAD_BYTES + sizeof(dp_word);
	struct dp_keep whole, torn;

	bench_start();
	CHECK(install_flight(COUNTS) == 0);
	for (unsigned i = 0; i < 5; i++)
		firmware_run(AT, 1);
	memcpy(&torn, &firmware.keep, sizeof(torn));
	firmware_run(AT, 1);
	memcpy(&whole, &firmware.keep, sizeof(whole));
	for (unsigned cut = 0; cut <= each; cut++) {
		memcpy(&firmware.keep, &torn, sizeof(torn));
		memcpy(firmware.keep.history.ring + 5 * each, whole.history.ring + 5 * each, cut);
		bench_warm();
		bench_hello(100 + cut, 1);
		read_ring();
		/* the last byte is of the check, and the body is behind it */
		CHECK(found.gaps == 0 && (found.count == 5 || (found.count == 6 && cut >= 32)));
		CHECK(found.count == 6 || cut < 4 || found.begun);
		CHECK(cut < each || found.count == 6);
		CHECK(install_flight(COUNTS) == 0);
		firmware_run(AT, 1);
		read_ring();
		CHECK(found.gaps == 0 && !found.begun);
		CHECK(found.list[found.count - 1].boot == (uint16_t)(found.list[0].boot + 1));
		CHECK(logged(found.count - 1) == 1);
	}
}

/* --- damage --- */

static void put_ring(const uint8_t *ring)
{
	memcpy(firmware.keep.history.ring, ring, SIZE);
}

/* Whatever bytes memory has after a reset: every record that is told was written. */
/* proves: R9.8 R9.9 */
static void invents_nothing(void)
{
	static uint8_t good[SIZE], bad[SIZE];
	unsigned each = DP_FLIGHT_HEAD_BYTES + sizeof(dp_word);
	unsigned tries = 400, seen = 0;

	bench_start();
	CHECK(install_flight(COUNTS) == 0);
	for (unsigned i = 0; i < 2 * SIZE / each; i++)
		firmware_run(AT, 1);
	memcpy(good, firmware.keep.history.ring, SIZE);
	srand(1);
	for (unsigned i = 0; i < tries; i++) {
		unsigned bytes_hit = 1 + (unsigned)rand() % 40;
		unsigned at = (unsigned)rand() % (SIZE - bytes_hit);

		memcpy(bad, good, SIZE);
		for (unsigned n = 0; n < bytes_hit; n++)
			bad[at + n] = (uint8_t)rand();
		put_ring(bad);
		bench_warm();
		bench_hello(1000 + i, 0);
		read_ring();
		seen += found.gaps > 0;
		for (size_t n = 0; n < found.count; n++) {
			const struct dph_flight_record *r = &found.list[n];

			CHECK(memcmp(r->body - DP_FLIGHT_HEAD_BYTES, good + (r->at & (SIZE - 1)),
				     r->whole) == 0);
			CHECK(n == 0 || logged(n) > logged(n - 1));
		}
		CHECK(found.count + 4 >= SIZE / each - (bytes_hit + each) / each);
	}
	CHECK(seen > tries / 2);
	memset(bad, 0, SIZE); /* power-on: any bytes */
	put_ring(bad);
	firmware.keep.history.magic = 0;
	bench_warm();
	bench_hello(5, 0);
	read_ring();
	CHECK(found.count == 0 && found.gaps == 0);
}

int main(void)
{
	keeps_records();
	overwrites_the_oldest();
	runs_for_long();
	leaves_nothing_old();
	keeps_every_kind();
	stays_over_a_fault();
	freezes();
	freezes_without_the_lock();
	freezes_from_elsewhere();
	needs_rights();
	survives_resets();
	invents_nothing();
	dph_flight_free(&found);
	return check_status();
}
