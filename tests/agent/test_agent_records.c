/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of hits: items, traces, the ring, time and counts.  PROTOCOL.md section 4 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_plan.h"
#include "dp_sites.h"

#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100
};

static void one_size(unsigned bytes)
{
	char source[200];

	bench.records = 0;
	if (bytes < 3)
		snprintf(source, sizeof(source), "name = \"t\"\noffset = 0x08000100\nexit\n");
	else
		snprintf(source, sizeof(source),
			 "name = \"t\"\noffset = 0x08000100\npush %u\npush 0x20000000\nlog "
			 "mrf\nexit\n",
			 bytes - 3);
	CHECK(bench_install(source) >= 0);
	firmware_run(AT, 2);
	firmware_run(AT, 2);
	bench_poll();
	CHECK(bench.records == 2 && bench.bad_records == 0 && bench.line[0].gaps == 0);
	for (unsigned i = 0; i < 2; i++) {
		CHECK(bench.record[i].head.bytes == bytes);
		for (unsigned k = 3; k < bytes; k++)
			CHECK(bench.record[i].body[k] == (uint8_t)(k - 3));
	}
	bench_remove_all();
}

static void sizes(void)
{
	bench_start();
	one_size(0);
	for (unsigned bytes = 3; bytes < 180; bytes++)
		one_size(bytes);
	one_size(1023);
	one_size(1024);
}

/* Records of several lengths in a line, of one probe in words and in bytes, of the other one in
 * words: differences reach as far as the record before has words, and is of the probe. */
/* proves: R4.43 */
static void lengths_in_a_line(void)
{
	enum {
		COUNT = 48,
		TWICE = 32, /* up to here, each probe is hit two times in a row */
	};
	unsigned hits[2] = {0, 0};

	bench_start();
	CHECK(bench_install(
		      "name = \"t\"\nvars = 2\n"
		      "offset = 0x08000100\ninc lv, 0\npush lv, 0\npush 13\nmul\npush 3\nadd\n"
		      "push 15\nand\npush 0x20000000\nlog mrf\nexit\n"
		      "offset = 0x08000104\ninc lv, 1\npush lv, 1\npush 8\nmul\npush 9\nadd\n"
		      "push 15\nand\npush 0x20000040\nlog mrf\nexit\n") == 0);
	bench_poll();
	for (unsigned i = 0; i < COUNT; i++)
		firmware_run(AT + 4 * (i / (i < TWICE ? 2 : 1) % 2), 1);
	bench_poll();
	CHECK(bench.records == COUNT && bench.bad_records == 0 && bench.line[0].gaps == 0);
	for (unsigned i = 0; i < COUNT; i++) {
		const unsigned second = i / (i < TWICE ? 2 : 1) % 2, hit = ++hits[second];
		const unsigned bytes = 3 + (second ? (8 * hit + 9) & 15 : (13 * hit + 3) & 15);

		CHECK(bench.record[i].head.bytes == bytes);
		for (unsigned k = 3; k < bytes; k++)
			CHECK(bench.record[i].body[k] == (uint8_t)(k - 3 + 0x40 * second));
	}
}

static void traces(void)
{
	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\ncall p\nexit\n"
			    "proc p\npush 1\npush 2\nlog st\nlog 1\nret\nendproc\n") == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 2 && bench.bad_records == 0);
	CHECK(bench.record[0].head.kind == DP_RECORD_LOG && bench_logged(0) == 2);
	CHECK(bench.record[1].head.kind == DP_RECORD_TRACE);
	CHECK(bench.record[1].head.bytes == DP_THIS_CPU(&firmware.agent)->vm.trace_bytes);
	CHECK(DP_THIS_CPU(&firmware.agent)->vm.trace_bytes > 0 &&
	      memcmp(bench.record[1].body, DP_THIS_CPU(&firmware.agent)->vm.trace,
		     DP_THIS_CPU(&firmware.agent)->vm.trace_bytes) == 0);
	CHECK(bench.record[1].time == bench.record[0].time);
}

static unsigned task_calls;

static void idle_task(struct dp_task *now)
{
	task_calls++;
	now->task = 0x20001234;
	now->pid = 0x01020304;
	now->name = "idle";
}

/* proves: P2.6 R4.7 */
static void items(void)
{
	static const uint8_t first[] = {
		DP_PORT_CPUS - 1, 'i', 'd', 'l', 'e', 0, 0, 0, 0, 1, 2, 3, 4};
	static const uint8_t tsc[] = {0, 0, 0, 1, 0, 0, 0, 9};
	const uint8_t *body = bench.record[0].body + sizeof(first);
	enum {
		WORD = sizeof(dp_word)
	};

	bench_start();
	firmware.board.task = idle_task;
	CHECK(bench_compile("name = \"t\"\noffset = 0x08000100\nsetmaj 300\nsetmin 400\npush "
			    "5\nlog 1\nexit\n"));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, DP_ITEM_ALL).error == 0);
	firmware.frame.word[sim_row(0x0d)][0] = 0x2000beef;
	dp_sim.ticks = 0x100000009;
	bench_poll(); /* a counter of 32 bits has gone round */
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 &&
	      bench.record[0].head.bytes == sizeof(first) + sizeof(tsc) + 3 * WORD);
	CHECK(memcmp(bench.record[0].body, first, sizeof(first)) == 0);
	CHECK(bench_word(body) == AT && bench_word(body + WORD) == 0x2000beef);
	CHECK(memcmp(body + 2 * WORD, tsc, sizeof(tsc)) == 0);
	CHECK(bench_word(body + 2 * WORD + sizeof(tsc)) == 5);
	CHECK(bench.record[0].head.flags == DP_RECORD_CODES);
	CHECK(bench.record[0].head.major == 300 && bench.record[0].head.minor == 400);
}

/* Items that the host derives take no room, and leave the hit its plan. */
/* proves: R4.37 */
static void derived_items(void)
{
	struct bench_answer answer;

	bench_start();
	CHECK(bench_compile("name = \"t\"\noffset = 0x08000100\npush r, r1\nlog 1\nexit\n"));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, DP_DERIVED_ALL).error == 0);
	CHECK(dp_plan_kind(&dp_site_find(&firmware.agent, AT)->plan) == DP_PLAN_WORDS);
	firmware.frame.word[sim_row(1)][0] = 77;
	firmware_run(AT, 1);
	bench_ask(DP_CMD_LOG, "\376\0", 2); /* the interpreter leaves them out as well */
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 2);
	for (unsigned i = 0; i < 2; i++)
		CHECK(bench.record[i].head.bytes == sizeof(dp_word) && bench_logged(i) == 77);
	answer = bench_ask(DP_CMD_PROGRAM, "\0", 1);
	CHECK(answer.error == 0 && firmware.agent.program[0].items == DP_DERIVED_ALL);
}

/* proves: R4.35 R4.36 */
static void faults(void)
{
#if DP_WITH_LANGUAGE
	static const char program[] = "name = \"t\"\noffset = 0x08000100\npush 7\nlog 1\ncall p\n"
				      "exit\nproc p\npush 0x3\npush mem, u32\nret\nendproc\n";
	enum {
		WORD = sizeof(dp_word)
	};

	for (unsigned told = 0; told < 2; told++) {
		bench_start();
		CHECK(bench_compile(program));
		CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY | (told ? DP_COMMIT_FAULTS : 0u),
					   0)
			      .error == 0);
		firmware_run(AT, 1);
		bench_poll();
		const struct dp_record *head = &bench.record[0].head;
		const uint8_t *body = bench.record[0].body;
		CHECK(bench.records == 1 && bench.bad_records == 0);
		CHECK(head->flags == (DP_RECORD_EXCEPTION | (told ? DP_RECORD_FAULT : 0)));
		CHECK(head->bytes == (told ? DP_FAULT_PARAMETER + WORD : 0) + WORD);
		CHECK(bench_word(body + head->bytes - WORD) == 7);
		if (!told)
			continue;
		const unsigned place = dp_get_u16(body + DP_FAULT_PLACE);
		const struct dp_program_view *view = &firmware.agent.program[0].view;
		CHECK(place > 0 && view->code[place - 1] == RPN_PUSH_MEM_32);
		CHECK(dp_get_u16(body + DP_FAULT_EXCEPTION) == RPN_X_INVALID_ADDR);
		CHECK(bench_word(body + DP_FAULT_PARAMETER) == 3);
	}
#endif
}

/* Items and instructions of one run ask the board once, and those of the next run ask again. */
static void task_is_asked_once(void)
{
	bench_start();
	firmware.board.task = idle_task;
	CHECK(bench_compile("name = \"t\"\noffset = 0x08000100\npush pid\npush task\npush "
			    "task\nlog 3\nexit\n"));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, DP_ITEM_PID | DP_ITEM_NAME).error == 0);
	for (task_calls = 0; task_calls < 3;) {
		unsigned before = task_calls;

		firmware_run(AT, 1);
		CHECK(task_calls == before + 1);
	}
	bench_poll();
	CHECK(bench.records == 3);
	for (unsigned i = 0; i < 3; i++) {
		const uint8_t *words = bench.record[i].body + 12;

		CHECK(bench_word(words) == 0x20001234);
		CHECK(bench_word(words + sizeof(dp_word)) == 0x20001234);
		CHECK(bench_word(words + 2 * sizeof(dp_word)) == 0x01020304);
	}
}

static void task_without_pid(struct dp_task *now)
{
	now->task = 0x20001234;
}

/* A board without pid: the item is the task, and 0 only where there is neither. */
static void item_pid_of_the_task(void)
{
	const struct {
		void (*task)(struct dp_task *now);
		uint32_t says;
	} boards[] = {{task_without_pid, 0x20001234}, {NULL, 0}};

	for (unsigned i = 0; i < 2; i++) {
		bench_start();
		firmware.board.task = boards[i].task;
		CHECK(bench_compile("name = \"t\"\noffset = 0x08000100\nexit\n"));
		CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, DP_ITEM_PID).error == 0);
		firmware_run(AT, 1);
		bench_poll();
		CHECK(bench.records == 1 && bench.record[0].head.bytes == 4);
		CHECK(dp_get_u32(bench.record[0].body) == boards[i].says);
	}
}

static void abort_logs_nothing(void)
{
	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush 5\nlog 1\nabort\n") == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 0 && dp_probe_hits(bench_probe(0, 0)) == 1);
}

/* Digits of a sync behind stream and line number. */
enum {
	SYNC_HZ = DP_STREAM_HEAD + 16,
	SYNC_SENT = SYNC_HZ + 8 + 4,
	SYNC_DROPPED = SYNC_SENT + 8,
	SYNC_MISSED = SYNC_DROPPED + 8,
	SYNC_WITHDRAWN = SYNC_MISSED + 8
};

static uint32_t counter_of(const struct dp_frame_in *sync, unsigned at)
{
	uint32_t value = 0;

	for (unsigned i = at; i < at + 8; i++)
		value = value << 4 | sync->payload[i];
	return value;
}

/* Each hit logs how many there were, in a record of more than 90 bytes. */
#define LONG_COUNTS                                                                                \
	"name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\n"              \
	"push 90\npush 0x20000000\nlog mrf\nexit\n"

/* Nobody asked for records: they wait, and what finds no room is counted. */
/* proves: R4.3 */
static void no_target(void)
{
	enum {
		HITS = 1000
	};
	uint32_t lines;

	bench_start();
	CHECK(bench_install(LONG_COUNTS) == 0);
	bench_ask(DP_CMD_LOG, "\377\1", 2);
	lines = bench.line[0].stream_lines;
	for (unsigned i = 0; i < HITS; i++)
		firmware_run(AT, 1);
	dp_sim.ticks += 5000000;
	bench_poll();
	CHECK(bench.line[0].stream_lines == lines && bench.line[1].stream_lines == 0);
	CHECK(DP_THIS_CPU(&firmware.agent)->ring.dropped > 0);
	bench_ask(DP_CMD_LOG, "\0\1", 2);
	bench_poll();
	CHECK(bench.records > 50 &&
	      bench.records + DP_THIS_CPU(&firmware.agent)->ring.dropped == HITS);
	for (unsigned i = 0; i < bench.records; i++)
		CHECK(bench_logged(i) == i + 1);
}

static uint32_t low_ticks(void)
{
	dp_sim.counter_reads++;
	return (uint32_t)dp_sim.ticks;
}

/* Hits read the board's counter or that of DP_COUNTER alone, which goes round between them. */
/* proves: A1.24 A3.43 */
static void counter_of_hits(void)
{
	uint64_t first = 0xfffffff0u;

	bench_start();
	firmware.board.counter = low_ticks;
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush r, r0\nlog 1\nexit\n") == 0);
	dp_sim.ticks = first;
	bench_poll();
	dp_sim.counter_reads = 0;
	for (unsigned i = 0; i < 6; i++) {
		firmware_run(AT, 1);
		dp_sim.ticks += 0x70000000;
	}
	CHECK(dp_sim.counter_reads == 6);
	bench_poll();
	CHECK(bench.records == 6);
	for (unsigned i = 0; i < bench.records; i++)
		CHECK(bench.record[i].time == first + i * (uint64_t)0x70000000);
}

static uint64_t running_ticks(void)
{
	return dp_sim.ticks += 5;
}

static uint64_t ticks_ahead(void)
{
	return dp_sim.ticks + 1;
}

static uint32_t low_ticks_down(void)
{
	return -(uint32_t)dp_sim.ticks;
}

/* The agent does not start when the counter of hits is not the low half of the board's ticks. */
/* proves: A3.44 */
static void wrong_counter(void)
{
	bench_start();
	firmware.board.counter = low_ticks;
	dp_sim.ticks = 0x1fffffffe;
	firmware.board.ticks = running_ticks;
	CHECK(firmware_boot() == DP_ERR_OK);
	firmware.board.ticks = ticks_ahead;
	CHECK(firmware_boot() == DP_ERR_BAD_COUNTER);
	firmware.board.ticks = running_ticks;
	firmware.board.counter = low_ticks_down;
	CHECK((firmware_boot() == DP_ERR_OK) == (DP_COUNTER != 0)); /* hits call counter, or not */
}

/* Nor when it is not the low half of the port's ticks: hits and syncs would have times of two
 * clocks. The port has no ticks without a rate. */
/* proves: A3.44 */
static void wrong_counter_for_port(void)
{
	bench_start();
	firmware.board.counter = low_ticks;
	dp_sim.ticks = 0x1fffffffe;
	CHECK(firmware_boot() == DP_ERR_OK);
	dp_sim.tick_hz = 0;
	CHECK(firmware_boot() == DP_ERR_BAD_COUNTER);
	dp_sim.tick_hz = 1000;
	firmware.board.counter = low_ticks_down;
	CHECK((firmware_boot() == DP_ERR_OK) == (DP_COUNTER != 0)); /* hits call counter, or not */
}

/* What the ring could not hold is counted, per probe and in all; what it held arrives. */
/* proves: R7.7 */
static void ring_full(void)
{
	enum {
		HITS = 1000
	};

	bench_start();
	CHECK(bench_install(LONG_COUNTS) == 0);
	for (unsigned i = 0; i < HITS; i++)
		firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records > 50 && bench.records + bench_probe(0, 0)->dropped == HITS);
	CHECK(DP_THIS_CPU(&firmware.agent)->ring.dropped == bench_probe(0, 0)->dropped &&
	      dp_probe_hits(bench_probe(0, 0)) == HITS);
	for (unsigned i = 0; i < bench.records; i++)
		CHECK(bench_logged(i) == i + 1); /* the first ones */
	bench_ask(DP_CMD_LOG, "\376\376", 2);
	firmware.agent.stream[DP_PORT_CPUS - 1].sync_due = 1;
	bench_poll();
	CHECK(counter_of(&bench.line[0].sync, SYNC_SENT) == bench.records);
	CHECK(counter_of(&bench.line[0].sync, SYNC_DROPPED) == HITS - bench.records);
	CHECK(bench.line[0].gaps == 0 && bench.bad_records == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench_logged(bench.records - 1) == HITS + 1);
}

/* Time and counts, of each CPU: after HELLO, each second while a program is installed, when one is
 * removed. */
/* proves: R4.13 R4.16 */
static void syncs(void)
{
	const struct bench_line *line = &bench.line[0];
	uint32_t before;

	bench_start();
	CHECK(line->syncs == DP_PORT_CPUS && counter_of(&line->sync, SYNC_HZ) == 1000000);
	for (unsigned at = SYNC_SENT; at <= SYNC_WITHDRAWN; at += 8)
		CHECK(counter_of(&line->sync, at) == 0);
	dp_sim.ticks += 10000000;
	bench_poll();
	CHECK(line->syncs == DP_PORT_CPUS);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	dp_sim.ticks += 1000000;
	bench_poll();
	before = line->syncs;
	for (unsigned second = 0; second < 5; second++) {
		dp_sim.ticks += 900000;
		bench_poll();
		CHECK(line->syncs == before);
		dp_sim.ticks += 100000;
		bench_poll();
		before += DP_PORT_CPUS;
		CHECK(line->syncs == before);
	}
	firmware_run(AT, 1);
	bench_poll();
	DP_THIS_CPU(&firmware.agent)->ring.next.number = bench.stream[DP_PORT_CPUS - 1].next =
		UINT32_MAX;
	firmware_run(AT, 1);
	bench_poll();
	before = line->syncs;
	bench_remove_all();
	bench_poll();
	before += DP_PORT_CPUS;
	CHECK(line->syncs == before && counter_of(&line->sync, SYNC_SENT) == 0);
	dp_sim.ticks += 10000000;
	bench_poll();
	CHECK(line->syncs == before);
}

static uint64_t board_ticks(void)
{
	return 0x123456789a;
}

/* The board's counter comes before the port's; where there is none, the rate says so. */
/* proves: A1.13 A3.29 A3.30 P6.2 */
static void clocks(void)
{
	struct bench_answer answer;

	bench_start();
	firmware.board.ticks = board_ticks;
	firmware.board.tick_hz = 1000;
	dp_sim.ticks = (uint32_t)board_ticks();
	answer = bench_hello(7, 1);
	CHECK(bench_number(&answer, 12, 4) == 1000 && bench_number(&answer, 16, 4) == 0x12 &&
	      bench_number(&answer, 20, 4) == 0x3456789a);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench.record[0].time == 0x123456789a);
	bench_start();
	dp_sim.tick_hz = 0;
	answer = bench_hello(7, 1);
	CHECK(bench_number(&answer, 12, 4) == 0);
	CHECK(counter_of(&bench.line[0].sync, SYNC_HZ) == 0);
}

/* Records of times far apart carry the right time all the same. */
/* proves: R4.15 */
static void times(void)
{
	static const uint64_t at[] = {5,
				      0x7fffe,
				      0x80010,
				      0x100011,
				      0x17ffff,
				      0x200000,
				      0x27ffff,
				      0x5ffffff,
				      0x6000000,
				      0x6080000,
				      0x10000000000,
				      0x10000000001,
				      0x10000080001,
				      0x10000080000 + 0x80001};
	enum {
		ALL = sizeof(at) / sizeof(at[0]),
		/* before the last four a counter of 32 bits goes round unnoticed */
		COUNT = DP_COUNTER ? ALL - 4 : ALL
	};

	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	for (unsigned i = 0; i < COUNT; i++) { /* each sent at once */
		dp_sim.ticks = at[i];
		firmware_run(AT, 1);
		bench_poll();
		CHECK(bench.records == i + 1 && bench.record[i].time == at[i]);
	}
	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	for (unsigned i = 0; i < COUNT; i++) { /* all sent late */
		dp_sim.ticks = at[i];
		firmware_run(AT, 1);
	}
	dp_sim.ticks = 0x20000000000;
	bench_poll();
	CHECK(bench.records == COUNT);
	for (unsigned i = 0; i < COUNT; i++)
		CHECK(bench.record[i].time == at[i]);
}

enum {
	LATE_HITS = 8 /* more than dp_poll reads the time before it builds a line */
};
static unsigned hits_to_come;

/* A hit comes behind each of these reads of the time, so also behind that of a line. */
static uint64_t ticks_before_hit(void)
{
	static bool in_hit;
	uint64_t now = dp_sim.ticks;

	if (!in_hit && hits_to_come > 0) {
		hits_to_come--;
		in_hit = true;
		dp_sim.ticks += 1000;
		firmware_run(AT, 1);
		in_hit = false;
	}
	return now;
}

/* Records that are later than their line was begun. Then records that are earlier than the one
 * before or than the first of their line, and one that is 2^32 ticks and a few later. */
/* proves: R4.15 */
static void times_out_of_order(void)
{
	static const uint64_t at[] = {0x400000000, 0x400000300, 0x400000200, 0x500000210,
				      0x500000209};
	enum {
		COUNT = sizeof(at) / sizeof(at[0])
	};

	bench_start();
	firmware.board.ticks = ticks_before_hit;
	firmware.board.tick_hz = 1000000;
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	dp_sim.ticks = 0x300000005;
	bench_poll();
	hits_to_come = LATE_HITS;
	bench_polls(1);
	CHECK(hits_to_come == 0 && bench.records == LATE_HITS);
	for (unsigned i = 0; i < LATE_HITS; i++)
		CHECK(bench.record[i].time == 0x300000005u + 1000 * (i + 1));
	if (DP_COUNTER) /* a counter of 32 bits only goes on */
		return;
	for (unsigned i = 0; i < COUNT; i++) {
		dp_sim.ticks = at[i];
		firmware_run(AT, 1);
	}
	bench_poll();
	CHECK(bench.records == LATE_HITS + COUNT);
	for (unsigned i = 0; i < COUNT; i++)
		CHECK(bench.record[LATE_HITS + i].time == at[i]);
}

/* Records without a body end lines at each place near the end: none is longer than a line. */
static void short_records(void)
{
	static const uint32_t step[] = {0, 1, 0x1000, 0x100000};
	enum {
		HITS = 40
	};

	for (unsigned i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
		bench_start();
		CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
		bench_poll();
		for (unsigned n = 0; n < HITS; n++) {
			dp_sim.ticks += step[i];
			firmware_run(AT, 1);
		}
		bench_poll();
		CHECK(bench.records == HITS && bench.bad_records == 0 && bench.line[0].gaps == 0);
	}
}

/* A record says its probe, unless the record before in its line has said it. */
static void probes_in_a_line(void)
{
	static const uint8_t probe[] = {0, 1, 1, 0, 0};
	enum {
		COUNT = sizeof(probe) / sizeof(probe[0])
	};

	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n"
			    "offset = 0x08000104\nexit\n") == 0);
	bench_poll();
	for (unsigned i = 0; i < COUNT; i++)
		firmware_run(AT + 4 * probe[i], 1);
	bench_poll();
	CHECK(bench.records == COUNT);
	CHECK(strstr((const char *)bench.line[0].out, "8400084010C4084000C40"));
}

/* Words have no leading zeros, and at least one digit. */
/* proves: R4.6 */
static void leading_zeros(void)
{
	struct bench_line *line = &bench.line[0];

	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush 0x80000000\npush 0x1234567\n"
			    "push 0x123456\npush 0x12345\npush 0x1234\npush 0x123\npush 0x10\n"
			    "push 0xf\npush 0\nlog 9\nexit\n") == 0);
	bench_poll();
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1);
	CHECK(sizeof(dp_word) != 4 ||
	      strstr((const char *)line->out, "808F910A123B1234C12345D123456E1234567780000000"));
}

/* Two random words, and what is typical: a pointer and a small number. */
#define NEXT   "push lv, 0\npush 1664525\nmul\npush 1013904223\nadd\npop lv, 0\npush lv, 0\n"
#define RANDOM "name = \"t\"\nvars = 1\noffset = 0x08000100\n" NEXT NEXT "log 2\nexit\n"
#define TYPICAL                                                                                    \
	"name = \"t\"\nvars = 1\noffset = 0x08000100\npush 0x6010d230\ninc lv, 0\npush lv, 0\n"    \
	"push 15\nand\nlog 2\nexit\n"

/* Characters of 140 records in a backlog. */
static unsigned characters_of(const char *source)
{
	enum {
		HITS = 140,
		TICKS = 2300 /* 430 a second with a clock of 1 MHz */
	};
	uint32_t before;

	bench_start();
	CHECK(bench_install(source) == 0);
	bench_poll();
	for (unsigned i = 0; i < HITS; i++, dp_sim.ticks += TICKS)
		firmware_run(AT, 1);
	before = bench.line[0].out_bytes;
	bench_poll();
	CHECK(bench.records == HITS && bench.bad_records == 0);
	return bench.line[0].out_bytes - before;
}

/* Typical data, alone in a line. */
static void characters_alone(unsigned most)
{
	uint32_t before;

	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush 0x6010d230\npush 7\nlog 2\n"
			    "exit\n") == 0);
	firmware_run(AT, 1);
	bench_poll();
	before = bench.line[0].out_bytes;
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 2);
	CHECK(bench.line[0].out_bytes - before <= most + 4 * (sizeof(dp_word) - 4));
}

/* The size of records on the line is a promise: 430 and 650 a second at 115200 baud. */
static void characters(void)
{
	const unsigned more = 4 * (sizeof(dp_word) - 4); /* digits of a word of 64 bits, at most */
	const unsigned first = 8; /* the first line has all 64 bits of its time */

	/* tenths of a character; two longer words; fewer of these records share a line */
	CHECK(10 * characters_of(RANDOM) <= 140 * (268 + 10 * more + 5 * more) + 10 * first);
	CHECK(10 * characters_of(TYPICAL) <= 140 * (177 + 10 * more) + 10 * first);
}

/* A number that a removed probe had is given again only after its records have left. */
/* proves: R4.9 */
static void numbers(void)
{
	struct bench_answer answer;
	uint8_t number = 0xff;

	bench_start();
	bench_ask(DP_CMD_LOG, "\377\1", 2); /* nothing leaves */
	for (unsigned i = 0; i < 3 * DP_MAX_PROBES; i++) {
		CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
		answer = bench_ask(DP_CMD_PROBE, "\0\0", 2);
		CHECK(answer.payload[0] != number);
		if (i == 0) {
			number = answer.payload[0];
			firmware_run(AT, 1);
		}
		bench_remove_all();
	}
	bench_ask(DP_CMD_LOG, "\0\1", 2);
	bench_poll();
	CHECK(bench.records == 1 && bench.record[0].head.probe == number);
	bench.records = 0;
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
		if (bench_ask(DP_CMD_PROBE, "\0\0", 2).payload[0] == number)
			bench.records = 1;
		bench_remove_all();
	}
	CHECK(bench.records == 1);
}

/* The same in compact lines: 1,700 typical records a second, all with one pointer, or 670 of random
 * words. Alone in a line, a typical record has 23 characters. */
static void characters_compact(void)
{
	const unsigned more = 3 * (sizeof(dp_word) - 4);

	bench_compact = true;
	CHECK(characters_of(RANDOM) <= 140 * (17 + 2 * more) + 5);
	CHECK(characters_of(TYPICAL) <= 140 * (6.6 + more) + 5);
	characters_alone(23);
	bench_compact = false;
}

/* What a line says in one form and in the other, but for its characters. */
/* proves: R4.38 R4.43 */
static void in_both_forms(void)
{
	for (int form = 0; form < 2; form++) {
		bench_compact = form;
		sizes();
		lengths_in_a_line();
		traces();
		items();
		derived_items();
		faults();
		item_pid_of_the_task();
		no_target();
		ring_full();
		times();
		times_out_of_order();
		short_records();
		numbers();
		counter_of_hits();
		CHECK((bench.line[0].compact_lines > 0) == bench_compact);
	}
	bench_compact = false;
}

/* What ends the compact form: LOG of an older host, LOG with form 0, CLOSE, HELLO. */
/* proves: R4.39 */
static void end_of_compact(void)
{
	static const struct {
		uint8_t command, bytes;
		const char *arguments;
		uint8_t form; /* behind it */
	} request[] = {{DP_CMD_LOG, 2, "\376\376", 0},
		       {DP_CMD_LOG, 3, "\376\376\0", 0},
		       {DP_CMD_LOG, 3, "\376\376\376", 1},
		       {DP_CMD_LOG, 3, "\376\376\1", 1},
		       {DP_CMD_CLOSE, 0, "", 0}};
	struct bench_answer answer;

	for (unsigned i = 0; i < sizeof(request) / sizeof(request[0]); i++) {
		bench_compact = true;
		bench_start();
		bench_compact = false;
		CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
		firmware_run(AT, 1);
		bench_poll();
		CHECK(bench.line[0].compact_lines == 1);
		answer = bench_ask(request[i].command, request[i].arguments, request[i].bytes);
		CHECK(answer.error == 0);
		if (request[i].command == DP_CMD_LOG)
			CHECK(answer.bytes == 3 && answer.payload[2] == request[i].form);
		firmware_run(AT, 1);
		bench_poll();
		CHECK(bench.line[0].compact_lines == 1u + request[i].form && bench.records == 2);
		bench_hello(0x12345679, 1);
		firmware_run(AT, 1);
		bench_poll();
		CHECK(bench.line[0].compact_lines == 1u + request[i].form && bench.records == 3);
	}
	CHECK(bench_error(DP_CMD_LOG, "\376\376\2", 3) == DP_ERR_BAD_RANGE);
}

int main(void)
{
	in_both_forms();
	end_of_compact();
	characters_compact();
	sizes();
	traces();
	items();
	derived_items();
	faults();
	task_is_asked_once();
	item_pid_of_the_task();
	abort_logs_nothing();
	no_target();
	ring_full();
	syncs();
	clocks();
	times();
	times_out_of_order();
	short_records();
	probes_in_a_line();
	leading_zeros();
	characters();
	characters_alone(33);
	numbers();
	counter_of_hits();
	wrong_counter();
	wrong_counter_for_port();
	return check_status();
}
