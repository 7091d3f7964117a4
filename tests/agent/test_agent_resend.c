/* SPDX-License-Identifier: BSD-2-Clause */
/* Records that are sent again, acknowledged records, and STOP.  PROTOCOL.md sections 4.1, 4.2, 5.4
 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"

#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	PROGRAM = 0,
	STATE_AT = 1, /* of PROBE's answer */
	HITS_AT = 1 + 1 + 2 + 1 + 8 + 4 + 1,
	BUFFERED = 1,
	ACKNOWLEDGED = 2,
	TICKS = 1000, /* from hit to hit */
	SYNC_DROPPED = DP_STREAM_HEAD + 16 + 8 + 4 + 8,
	SYNC_FULL = SYNC_DROPPED + 8 + 8 + 8 + 8,
};

/* The record with number n logs n + 1. */
#define COUNTS "name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"
#define LONG_COUNTS                                                                                \
	"name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\n"              \
	"push 397\npush 0x20000000\nlog mrf\nexit\n"

static void start(const char *source)
{
	bench_start();
	CHECK(bench_install(source) == PROGRAM);
	bench_poll();
	bench.loses = true;
}

static void hit(unsigned count)
{
	for (unsigned i = 0; i < count; i++, dp_sim.ticks += TICKS)
		firmware_run(AT, 1);
}

struct resend {
	uint8_t error;
	uint32_t first, count, next;
};

static struct resend ask(uint32_t have, uint32_t from, uint16_t count)
{
	struct bench_answer answer;
	uint8_t arguments[10];

	dp_put_u32(arguments, have);
	dp_put_u32(arguments + 4, from);
	dp_put_u16(arguments + 8, count);
	answer = bench_ask(DP_CMD_RESEND, arguments, sizeof(arguments));
	return (struct resend){answer.came ? answer.error : 0xff, bench_number(&answer, 0, 4),
			       bench_number(&answer, 4, 2), bench_number(&answer, 6, 4)};
}

static bool is(struct resend answer, uint32_t first, uint32_t count, uint32_t next)
{
	return answer.error == DP_ERR_OK && answer.first == first && answer.count == count &&
	       answer.next == next;
}

/* Are the records that came those from `first` on, each as it was? */
static bool came(uint32_t first, uint32_t count)
{
	uint64_t begin = bench.record[0].time;

	for (uint32_t i = 0; i < bench.records; i++) {
		const struct bench_record *r = &bench.record[i];

		if (r->number != first + i || bench_logged(i) != first + i + 1 ||
		    r->time != begin + (uint64_t)TICKS * i)
			return false;
	}
	return bench.records == count && bench.bad_records == 0;
}

/* proves: R4.21 R4.23 R4.25 R4.26 */
static void sent_again(void)
{
	uint32_t lines;

	start(COUNTS);
	hit(50);
	bench_poll();
	CHECK(bench.records == 0);
	bench.loses = false;
	bench.stream[0].next = 50;
	lines = bench.line[0].timed_lines;
	CHECK(is(ask(0, 10, 20), 10, 20, 50));
	CHECK(came(10, 20) && bench.record[0].again && bench.line[0].timed_lines > lines);
	hit(1);
	bench_poll();
	CHECK(bench.records == 21 && bench.record[20].number == 50 && !bench.record[20].again);
	CHECK(bench.record[20].time == bench.record[19].time + 21 * TICKS);
	CHECK(bench_logged(20) == 51 && bench.line[0].gaps == 0);
	bench.records = 0;
	CHECK(is(ask(0, 45, 100), 45, 6, 51) && came(45, 6)); /* no more than there are */
	bench.records = 0;
	CHECK(is(ask(0, 51, 7), 51, 0, 51) && is(ask(0, 3, 0), 3, 0, 51) && bench.records == 0);
	CHECK(ask(0, 52, 1).error == DP_ERR_BAD_RANGE && ask(52, 0, 0).error == DP_ERR_BAD_RANGE);
}

/* Records that hits have overwritten are gone; what is left is found. */
/* proves: R4.25 */
static void overwritten(void)
{
	enum {
		IN_RING = DP_RING_BYTES / (DP_RING_HEAD + sizeof(dp_word)),
		HITS = 5 * IN_RING / 2
	};
	struct resend answer;

	start(COUNTS);
	for (unsigned i = 0; i < HITS; i++) {
		hit(1);
		bench_poll();
	}
	bench.loses = false;
	bench.stream[0].next = HITS;
	answer = ask(0, 0, 0xffff);
	CHECK(answer.error == DP_ERR_OK && answer.next == HITS);
	CHECK(answer.count <= IN_RING &&
	      answer.count >= IN_RING * (DP_RING_MARKS - 2) / DP_RING_MARKS);
	CHECK(answer.first + answer.count == HITS && came(answer.first, answer.count));
}

/* A record that a fault has withdrawn has overwritten older ones, too. */
/* proves: R4.25 */
static void overwritten_by_a_void_one(void)
{
	enum {
		FAULTS = 0x08000180,
		BYTES = DP_RING_HEAD + sizeof(dp_word),
		HITS = 2 * DP_RING_BYTES / BYTES
	};

	for (unsigned extra = 0; extra <= DP_RING_STRIDE / BYTES; extra++) {
		struct resend answer;

		bench_start();
		firmware_put_word(FAULTS, (uint32_t)SIM_FAULT << 24);
		CHECK(bench_install(COUNTS) == PROGRAM);
		CHECK(bench_install("name = \"f\"\noffset = 0x08000180\npush 397\npush "
				    "0x20000000\nlog mrf\nexit\n") == 1);
		bench_poll();
		bench.loses = true;
		for (unsigned i = 0; i < HITS + extra; i++) {
			hit(1);
			bench_poll();
		}
		firmware_run(FAULTS, 1);
		CHECK(firmware.faults > 0 && firmware.agent.cpu[0].ring.dropped == 0);
		bench.loses = false;
		bench.stream[0].next = HITS + extra;
		answer = ask(0, 0, 0xffff);
		CHECK(answer.first + answer.count == HITS + extra);
		CHECK(answer.count > 0 && came(answer.first, answer.count));
	}
}

/* Hits overwrite records of the range while it is being sent: what comes is right, and in order. */
static void overwritten_meanwhile(void)
{
	struct resend answer;
	uint32_t sent;

	start(COUNTS);
	hit(250);
	bench_poll();
	bench.loses = false;
	bench.stream[0].next = 250;
	bench.line[0].room = DP_LINE_MAX + 40;
	answer = ask(0, 0, 250);
	for (sent = 250; bench.records < 400 && sent < 3000; sent++) {
		bench.line[0].room = sent % 3 * 40;
		hit(1);
		dp_poll(&firmware.agent);
	}
	bench.line[0].room = -1;
	bench_poll();
	CHECK(bench.records > 100 && bench.bad_records == 0 && answer.error != DP_ERR_BAD_RANGE);
	for (uint32_t i = 0; i < bench.records; i++) {
		CHECK(bench_logged(i) == bench.record[i].number + 1);
		CHECK(i == 0 || bench.record[i].number > bench.record[i - 1].number);
	}
	CHECK(bench.record[0].again && bench.record[0].number == 0);
	CHECK(bench.stream[0].next + firmware.agent.cpu[0].ring.dropped == sent);
}

/* proves: R4.27 */
static void another_range(void)
{
	start(COUNTS);
	hit(100);
	bench_poll();
	bench.loses = false;
	bench.stream[0].next = 100;
	bench.line[0].room = 3 * DP_LINE_MAX;
	ask(0, 0, 90);
	CHECK(bench.records > 0 && bench.records < 90);
	bench.records = 0;
	bench.line[0].room = 0; /* the line under way stays */
	bench_poll();
	bench.line[0].room = -1;
	CHECK(is(ask(0, 95, 3), 95, 3, 100));
	CHECK(bench.records >= 3 && bench.record[bench.records - 3].number == 95 &&
	      bench.record[bench.records - 1].number == 97);
	CHECK(bench.records < 40);
}

/* A record in pieces; between them lines of hits in synchronous mode, after which it begins anew.
 */
/* proves: R4.10 R4.11 */
static void in_pieces(void)
{
	start(LONG_COUNTS);
	hit(5);
	bench_poll();
	bench.loses = false;
	bench.stream[0].next = 5;
	CHECK(is(ask(0, 1, 3), 1, 3, 5) && came(1, 3));
	bench.records = 0;
	bench.line[0].room = 3 * DP_LINE_MAX;
	ask(0, 1, 2);
	bench.line[0].room = -1;
	CHECK(bench.records == 0 && firmware.agent.stream[0].again.piece > 0);
	bench_ask(DP_CMD_LOG, "\376\0", 2);
	bench.records = 0;
	ask(0, 1, 2);
	CHECK(bench.records == 2 && bench.record[0].number == 1);
	bench.line[0].room = 3 * DP_LINE_MAX;
	bench.records = 0;
	ask(0, 1, 1);
	CHECK(bench.records == 0 && firmware.agent.stream[0].again.piece > 0);
	bench.line[0].room = -1;
	hit(1);
	bench_poll();
	CHECK(bench.records == 2 && bench.bad_records == 0 && bench.line[0].gaps == 0);
	CHECK(bench.record[0].number == 5 && bench.record[1].number == 1 && bench_logged(1) == 2);
}

/* A number of a probe that is given again: older records, which had it too, are not sent again. */
/* proves: R4.9 */
static void number_given_again(void)
{
	start(COUNTS);
	hit(10);
	bench_poll();
	bench.loses = false;
	bench.stream[0].next = 10;
	bench_remove_all();
	CHECK(is(ask(0, 0, 10), 0, 10, 10) && came(0, 10));
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		CHECK(bench_install(COUNTS) == PROGRAM);
		bench_remove_all();
	}
	bench.records = 0;
	CHECK(is(ask(0, 0, 10), 10, 0, 10) && bench.records == 0);
}

static uint64_t field_of_sync(unsigned at, unsigned digits)
{
	uint64_t value = 0;

	firmware.agent.stream[0].sync_due = 1;
	bench_polls(1);
	for (unsigned i = 0; i < digits; i++)
		value = value << 4 | bench.line[0].sync.payload[at + i];
	return value;
}

static void acknowledge(void)
{
	start(COUNTS);
	bench.loses = false;
	bench_ask(DP_CMD_LOG, "\376\2", 2);
}

/* What the host has not acknowledged is not overwritten; drops and their time are counted. */
/* proves: R4.28 R4.29 R7.7 */
static void acknowledged(void)
{
	enum {
		IN_RING = DP_RING_BYTES / (DP_RING_HEAD + sizeof(dp_word)),
		DROPPED = 25
	};

	acknowledge();
	for (unsigned i = 0; i < IN_RING + DROPPED; i++) {
		hit(1);
		bench_poll();
	}
	CHECK(came(0, IN_RING) && firmware.agent.cpu[0].ring.dropped == DROPPED);
	CHECK(field_of_sync(SYNC_DROPPED, 8) == DROPPED);
	CHECK(field_of_sync(SYNC_FULL, 16) == (DROPPED - 1) * TICKS); /* up to the last drop */
	CHECK(is(ask(7, 0, 0), 0, 0, IN_RING) && is(ask(7, 0, 0), 0, 0, IN_RING));
	bench.records = 0;
	hit(8);
	bench_poll();
	CHECK(bench.records == 7 && bench.record[0].number == IN_RING);
	CHECK(bench_logged(0) == IN_RING + DROPPED + 1);
	CHECK(field_of_sync(SYNC_DROPPED, 8) == DROPPED + 1);
	CHECK(field_of_sync(SYNC_FULL, 16) == DROPPED * TICKS); /* up to the record that had room */
	ask(IN_RING, 0, 0);
	ask(3, 0, 0); /* late: changes nothing */
	hit(IN_RING - 7);
	bench_poll();
	CHECK(field_of_sync(SYNC_DROPPED, 8) == DROPPED + 1);
	CHECK(is(ask(IN_RING, 7, 5), 12, 0, 2 * IN_RING)); /* overwritten since */
}

/* Of each hit one record has room and a longer one has none. */
/* proves: R4.29 */
static void full_for_long_ones(void)
{
	enum {
		FAULTS = 0x08000180
	};

	acknowledge();
	firmware_put_word(FAULTS, (uint32_t)SIM_FAULT << 24);
	CHECK(bench_install("name = \"l\"\noffset = 0x08000100\npush 397\npush 0x20000000\n"
			    "log mrf\nexit\n") == 1);
	CHECK(bench_install("name = \"f\"\noffset = 0x08000180\npush 1\nlog 1\nexit\n") == 2);
	CHECK(bench_install("name = \"g\"\noffset = 0x08000180\npush 397\npush 0x20000000\n"
			    "log mrf\nexit\n") == 3);
	for (unsigned i = 0; i < 100 && firmware.agent.cpu[0].ring.dropped == 0; i++)
		hit(1);
	CHECK(firmware.agent.cpu[0].ring.dropped == 1);
	hit(5);
	CHECK(firmware.agent.cpu[0].ring.dropped == 6 && field_of_sync(SYNC_FULL, 16) == 5 * TICKS);
	dp_sim.ticks += 7 * TICKS;
	firmware_run(FAULTS, 1); /* the record that had room is withdrawn */
	CHECK(firmware.agent.cpu[0].ring.dropped == 7 &&
	      field_of_sync(SYNC_FULL, 16) == 13 * TICKS);
	bench_ask(DP_CMD_STOP, "\1", 1);
	dp_sim.ticks += TICKS;
	hit(1);
	CHECK(firmware.agent.cpu[0].ring.dropped == 7 &&
	      field_of_sync(SYNC_FULL, 16) == 14 * TICKS);
}

/* HELLO, CLOSE and LOG end the mode: what was sent is free. */
/* proves: R4.30 */
static void mode_ends(void)
{
	for (unsigned how = 0; how < 3; how++) {
		acknowledge();
		for (unsigned i = 0; i < 200; i++) {
			hit(1);
			bench_poll();
		}
		CHECK(firmware.agent.cpu[0].ring.kept == 0 &&
		      firmware.agent.cpu[0].ring.next.number == 200);
		if (how == 0)
			bench_hello(3, 0);
		else
			bench_ask(how == 1 ? DP_CMD_CLOSE : DP_CMD_LOG, "\376\1", how == 1 ? 0 : 2);
		CHECK(firmware.agent.transmit.mode == BUFFERED);
		CHECK(firmware.agent.cpu[0].ring.kept == firmware.agent.cpu[0].ring.next.at);
		for (unsigned i = 0; i < 1000; i++) {
			hit(1);
			bench_poll();
		}
		CHECK(firmware.agent.cpu[0].ring.dropped == 0 && bench.line[0].gaps == 0);
	}
}

/* Lines are lost at random. A host that asks again has every record, once all have come. */
/* proves: R4.1 R4.14 */
static void nothing_is_lost(void)
{
	enum {
		HITS = 2500,
		PER_ROUND = 20
	};
	static bool have[HITS];
	uint32_t random = 1, missing = 0, got = 0;

	acknowledge();
	memset(have, 0, sizeof(have));
	for (unsigned round = 0; got < HITS && round < 5000; round++) {
		random = random * 1103515245 + 12345;
		if (bench.stream[0].next + firmware.agent.cpu[0].ring.dropped < HITS)
			hit(PER_ROUND);
		bench.loses = random >> 30 == 0;
		bench.records = 0;
		bench_poll();
		bench.stream[0].next = firmware.agent.cpu[0].ring.next.number; /* a sync says so */
		bench.loses = (random >> 20) % 3 == 0;
		while (missing < HITS && have[missing])
			missing++;
		if (missing < bench.stream[0].next)
			ask(missing, missing, (uint16_t)(bench.stream[0].next - missing));
		for (uint32_t i = 0; i < bench.records; i++) {
			const struct bench_record *r = &bench.record[i];

			CHECK(r->number < HITS && bench_logged(i) == r->number + 1);
			CHECK(r->time == (uint64_t)TICKS * r->number);
			got += !have[r->number];
			have[r->number] = true;
		}
	}
	CHECK(got == HITS && firmware.agent.cpu[0].ring.dropped == 0 && bench.bad_records == 0);
}

/* proves: R5.63 R5.64 */
static void stopped(void)
{
	struct bench_answer answer;

	start(COUNTS);
	CHECK(bench_install("name = \"o\"\nvars = 1\noffset = 0x08000108\ninc lv, 0\nexit\n") == 1);
	bench.line[0].room = 0;
	hit(30);
	dp_poll(&firmware.agent);
	bench.line[0].room = -1;
	bench.loses = false;
	answer = bench_ask(DP_CMD_STOP, "\0", 1);
	CHECK(answer.came && answer.error == DP_ERR_OK && bench_number(&answer, 0, 4) == 30);
	CHECK(memcmp(firmware.text, firmware.original, 0x104) == 0);
	hit(5);
	bench_poll();
	CHECK(bench.stream[0].next == 30 && came(0, 30));
	answer = bench_ask(DP_CMD_PROBE, "\0\0", 2);
	CHECK(answer.error == 0 && answer.payload[STATE_AT] == DP_PROBE_STOPPED);
	CHECK(bench_number(&answer, HITS_AT, 4) == 30);
	answer = bench_ask(DP_CMD_VARS, "\0\0\0\1\0", 5);
	CHECK(answer.error == 0 && bench_word(answer.payload + 2) == 30);
	answer = bench_ask(DP_CMD_STOP, "\0", 1);
	CHECK(answer.error == DP_ERR_OK && bench_number(&answer, 0, 4) == 30);
	firmware_run(AT + 8, 1); /* the other program goes on */
	bench_poll();
	CHECK(bench.stream[0].next == 31);
	CHECK(bench_ask(DP_CMD_STOP, "\5", 1).error == DP_ERR_NO_PROGRAM);
	bench_remove_all();
	CHECK(bench_ask(DP_CMD_STOP, "\0", 1).error == DP_ERR_NO_PROGRAM);
	CHECK(bench_install(COUNTS) == PROGRAM);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.stream[0].next == 32 && bench_logged(31) == 1);
}

static void all(void)
{
	sent_again();
	overwritten();
	overwritten_by_a_void_one();
	overwritten_meanwhile();
	another_range();
	in_pieces();
	number_given_again();
	acknowledged();
	full_for_long_ones();
	mode_ends();
	nothing_is_lost();
	stopped();
}

int main(void)
{
	all();
	bench_compact = true;
	all();
	return check_status();
}
