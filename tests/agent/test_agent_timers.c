/* SPDX-License-Identifier: BSD-2-Clause */
/* Timers: ticks run in dp_poll, by the clock; samples run in dp_sample, by its calls.
 * agent/README.md, "Timers" */
#include "bench.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "dp_bytes.h"
#include "dp_fields.h"
#include "dp_lock.h"
#include "dp_plan.h"
#include "dp_storm.h"

enum {
	AT = FIRMWARE_TEXT + 0x100,
	HZ = 1000, /* of the clock */
	SAMPLE_HZ = 1000,
	MS = 1000000,   /* in nanoseconds */
	NEVER = 0xffff, /* no refusal */
};

#define LOGS(name) "name = \"" name "\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n"

/* The period of a timer. */
struct period {
	uint32_t seconds, nanoseconds; /* DP_TIMER_SAMPLED in seconds */
};
#define TICK(s, ns)   ((struct period){(s), (ns)})
#define SAMPLE(s, ns) ((struct period){(s) | DP_TIMER_SAMPLED, (ns)})

static struct dp_agent *const agent = &firmware.agent;

static uint8_t *section(unsigned kind)
{
	const uint8_t *entry = bench.object + DP_OBJECT_HEADER_BYTES;

	while (entry[0] != kind)
		entry += DP_OBJECT_ENTRY_BYTES;
	return bench.object + dp_get_u32(entry + 8);
}

/* Make timers of the points of the program, which have one row of traits. */
static void compile(const char *source, const struct period *period, unsigned count)
{
	uint8_t *point;

	CHECK(bench_compile(source));
	section(DP_SECTION_TRAITS)[DP_TR_KIND] = DP_PROBE_TIMER;
	point = section(DP_SECTION_PROBES);
	for (unsigned i = 0; i < count; i++, point += DP_PROBE_BYTES) {
		dp_put_u32(point + DP_PT_ADDRESS, period[i].seconds);
		dp_put_u32(point + DP_PT_EXTENT, period[i].nanoseconds);
	}
	bench_seal();
}

static struct bench_answer commit(const char *source, struct period period)
{
	compile(source, &period, 1);
	return bench_install_object(DP_COMMIT_NO_IDENTITY, 0);
}

static void arm(const char *source, struct period period)
{
	CHECK(commit(source, period).error == DP_ERR_OK);
}

static void start(void)
{
	bench_start();
	dp_sim.tick_hz = HZ;
	dp_sim.ticks = 5000;
	firmware.board.sample_hz = SAMPLE_HZ;
}

static uint32_t hits(int program, unsigned point)
{
	return dp_probe_hits(bench_probe(program, point));
}

static uint32_t missed(int program, unsigned point)
{
	return bench_probe(program, point)->missed;
}

/* Time passes, and dp_poll runs each tick. */
static void pass(unsigned ticks)
{
	while (ticks-- > 0) {
		dp_sim.ticks++;
		dp_poll(agent);
	}
}

static void calls(unsigned count)
{
	while (count-- > 0)
		dp_sample(agent, AT, 0x20000100, 0x08000200);
}

/* --- ticks --- */

/* A tick runs at each end of its period, and a fraction of the clock's ticks is kept. */
/* proves: A2.29 A3.57 R5.110 */
static void ticks_are_exact(void)
{
	start();
	CHECK(!dp_poll(agent));
	arm(LOGS("a"), TICK(0, 100 * MS));
	CHECK(dp_poll(agent));
	pass(99);
	CHECK(hits(0, 0) == 0);
	pass(1);
	CHECK(hits(0, 0) == 1);
	pass(900);
	CHECK(hits(0, 0) == 10 && missed(0, 0) == 0);
	bench_remove_all();
	CHECK(agent->timers.count == 0 && !dp_poll(agent));
	arm(LOGS("b"), TICK(0, 10309278)); /* 97 Hz: 10.3 ticks */
	pass(100000);
	CHECK(hits(0, 0) == 9700);
	bench_remove_all();
	arm(LOGS("c"), TICK(2, 500 * MS));
	pass(2499);
	CHECK(hits(0, 0) == 0);
	pass(1);
	CHECK(hits(0, 0) == 1);
	CHECK(agent->strays == 0 && firmware_text_is_original());
}

/* A late tick runs once; the other ends of its period are counted. */
/* proves: R5.111 */
static void late_ticks(void)
{
	start();
	arm(LOGS("a"), TICK(0, 10 * MS));
	dp_sim.ticks += 10;
	dp_poll(agent);
	CHECK(hits(0, 0) == 1 && missed(0, 0) == 0);
	dp_sim.ticks += 19;
	dp_poll(agent);
	CHECK(hits(0, 0) == 2 && missed(0, 0) == 0);
	dp_sim.ticks += 1; /* in step again */
	dp_poll(agent);
	CHECK(hits(0, 0) == 3 && missed(0, 0) == 0);
	for (unsigned periods = 1; periods < 40; periods++) {
		uint32_t before = missed(0, 0), ran = hits(0, 0);

		dp_sim.ticks += 10 * periods;
		dp_poll(agent);
		dp_poll(agent);
		CHECK(hits(0, 0) == ran + 1 && missed(0, 0) == before + periods - 1);
	}
	CHECK(missed(0, 0) > 0 && agent->cpu[0].ring.missed == 0);
	bench_remove_all();
	arm(LOGS("b"), TICK(0, 1)); /* a million ends of a period in each tick */
	dp_sim.ticks += 3;
	dp_poll(agent);
	CHECK(hits(0, 0) == 1);
	CHECK(missed(0, 0) >= 2999999 && missed(0, 0) < 3002000);
	dp_sim.ticks += 10000000; /* more than 2^32 of them */
	dp_poll(agent);
	CHECK(hits(0, 0) == 2);
}

/* The registers of a tick are 0, and its record has the time. */
static void the_frame_of_a_tick(void)
{
	start();
	arm("name = \"a\"\noffset = 0x08000100\npush r, pc\npush r, sp\npush r, lr\nlog 3\nexit\n",
	    TICK(0, 20 * MS));
	dp_sim.ticks += 25;
	bench_poll();
	CHECK(bench.records == 1 && bench.record[0].time == 5025);
	for (unsigned i = 0; i < 3; i++)
		CHECK(bench_word(bench.record[0].body + i * sizeof(dp_word)) == 0);
}

/* In the order of arming, whatever their periods. */
/* proves: R5.112 */
static void order(void)
{
	start();
	arm(LOGS("a"), TICK(0, 30 * MS));
	arm("name = \"b\"\noffset = 0x08000100\npush 2\nlog 1\nexit\n", TICK(0, 10 * MS));
	arm("name = \"c\"\noffset = 0x08000100\npush 3\nlog 1\nexit\n", TICK(0, 20 * MS));
	dp_sim.ticks += 60;
	bench_poll();
	CHECK(bench.records == 3);
	CHECK(bench_logged(0) == 1 && bench_logged(1) == 2 && bench_logged(2) == 3);
	CHECK(bench_error(DP_CMD_REMOVE, "\1", 1) == 0);
	arm("name = \"d\"\noffset = 0x08000100\npush 4\nlog 1\nexit\n", TICK(0, 5 * MS));
	dp_sim.ticks += 60;
	bench_poll();
	CHECK(bench.records == 6);
	CHECK(bench_logged(3) == 1 && bench_logged(4) == 3 && bench_logged(5) == 4);
}

/* A poll rests until the tick is due, not longer. */
static void polls_rest(void)
{
	start();
	dp_sim.tick_hz = 1000000; /* a rest takes 15625 ticks */
	arm(LOGS("a"), TICK(0, 1 * MS));
	bench_poll();
	for (unsigned i = 1; i <= 100; i++) {
		dp_sim.ticks = 5000 + 1000 * i - 1;
		dp_poll(agent);
		CHECK(hits(0, 0) == i - 1);
		dp_sim.ticks += 1;
		dp_poll(agent);
		CHECK(hits(0, 0) == i);
	}
}

/* --- samples --- */

/* 97 Hz of 1000 calls a second. */
/* proves: A1.30 A2.30 R5.113 */
static void samples_are_exact(void)
{
	static const struct {
		uint32_t seconds, nanoseconds, in_10_seconds;
	} rows[] = {{0, 10309278, 970}, {0, 10 * MS, 1000}, {1, 0, 10}, {0, 1 * MS, 10000},
		    {0, 3 * MS, 3333},  {0, 999001, 10000}, {3, 5, 3}};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		start();
		arm("name = \"a\"\noffset = 0x08000100\nabort\n",
		    SAMPLE(rows[i].seconds, rows[i].nanoseconds));
		calls(10000);
		CHECK(hits(0, 0) == rows[i].in_10_seconds);
	}
	start();
	arm("name = \"a\"\noffset = 0x08000100\nabort\n", SAMPLE(0, 10309278));
	for (unsigned i = 1; i < 100; i++) {
		calls(1000);
		CHECK(hits(0, 0) == 97 * i);
	}
	CHECK(missed(0, 0) == 0);
	pass(5000); /* of the clock */
	CHECK(hits(0, 0) == 97 * 99);
}

/* Shorter than the time between two calls: once in each call, and the others are counted. */
static void short_samples(void)
{
	start();
	arm("name = \"a\"\noffset = 0x08000100\nabort\n", SAMPLE(0, MS / 4));
	calls(100);
	CHECK(hits(0, 0) == 100 && missed(0, 0) == 300);
}

/* Samples of one period are not due in one call. */
static void samples_are_staggered(void)
{
	start();
	for (unsigned i = 0; i < 4; i++) {
		char source[] = LOGS("a");

		source[8] = (char)('a' + i);
		arm(source, SAMPLE(0, 100 * MS));
	}
	for (unsigned quarter = 0; quarter < 8; quarter++) {
		unsigned before = 0, behind = 0;

		for (int program = 0; program < 4; program++)
			before += hits(program, 0);
		calls(25);
		for (int program = 0; program < 4; program++)
			behind += hits(program, 0);
		CHECK(behind == before + 1);
	}
}

/* The frame has what the caller tells; an address in a slot is that of the original. */
/* proves: A2.32 P1.5 */
static void the_frame_of_a_sample(void)
{
	const struct dp_site *site;

	start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install(LOGS("slot")) == 0);
	arm("name = \"a\"\noffset = 0x08000100\npush r, pc\npush r, sp\npush r, lr\nlog 3\nexit\n",
	    SAMPLE(0, 1 * MS));
	dp_sample(agent, 0x08000444, 0x20000100, 0x08000200);
	bench_poll();
	CHECK(bench.records == 1);
	CHECK(bench_word(bench.record[0].body) == 0x08000200);
	CHECK(bench_word(bench.record[0].body + sizeof(dp_word)) == 0x20000100);
	CHECK(bench_word(bench.record[0].body + 2 * sizeof(dp_word)) == 0x08000444);
	site = &agent->site[bench_probe(0, 0)->site];
	dp_sample(agent, site->plan.resume, 0, 0);
	bench_poll();
	CHECK(bench.records == 2);
	CHECK(bench_word(bench.record[1].body + 2 * sizeof(dp_word)) == AT);
}

/* A handler and what a plan makes of it. */
static const struct {
	const char *source;
	enum dp_plan_kind kind;
} planned[] = {
	{"name = \"a\"\noffset = 0x08000100\nabort\n", DP_PLAN_NOTHING},
	{"name = \"a\"\noffset = 0x08000100\npush r, lr\npush r, sp\nlog 2\nexit\n", DP_PLAN_WORDS},
	{"name = \"a\"\noffset = 0x08000100\npush r, lr\npush 0x08000201\nsub\njz same\nabort\n"
	 "same: push r, sp\nlog 1\nexit\n",
	 DP_PLAN_COMPARE},
#if DP_WITH_D
	{"name = \"a\"\nmap = count 1 8\noffset = 0x08000100\npush r, lr\nadd map, 0\nabort\n",
	 DP_PLAN_COUNT},
#endif
	{"name = \"a\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n",
	 DP_PLAN_RUN},
};

/* Four samples of different registers. */
static void sample_four(void)
{
	for (unsigned i = 0; i < 4; i++)
		dp_sample(agent, AT, 0x20000100 + i, 0x08000200 + i % 2);
	bench_poll();
}

/* Arm the timer behind another program, run it four times with or without its plan, and keep what
 * it makes: records, hits and maps. */
static void run_planned(const char *source, bool by_plan, struct bench_record *records,
			unsigned *count, uint8_t *arena)
{
	struct dp_timer *timer = &agent->timers.timer[0];

	start();
	CHECK(bench_install(LOGS("first")) == 0);
	arm(source, SAMPLE(0, 1 * MS));
	if (!by_plan)
		timer->plan.kind = DP_PLAN_CHAIN;
	sample_four();
	CHECK(hits(1, 0) == 4 && bench.records <= 4);
	*count = bench.records;
	memcpy(records, bench.record, 4 * sizeof(*records));
	memcpy(arena, agent->arena, sizeof(agent->arena));
}

/* What follows a plan makes the records, hits and counts of the interpreter. The patrol mends a
 * plan. */
static void plan_of_a_sample(const char *source, enum dp_plan_kind kind)
{
	static uint8_t by_plan[sizeof(agent->arena)], by_handler[sizeof(agent->arena)];
	struct dp_timer *timer = &agent->timers.timer[0];
	struct bench_record planned_records[4], records[4];
	unsigned planned_count, count;

	run_planned(source, true, planned_records, &planned_count, by_plan);
	CHECK(dp_plan_kind(&timer->plan) == kind);
	run_planned(source, false, records, &count, by_handler);
	CHECK(count == planned_count && memcmp(by_plan, by_handler, sizeof(by_plan)) == 0);
	for (unsigned n = 0; n < count; n++) {
		CHECK(planned_records[n].head.probe == records[n].head.probe);
		CHECK(planned_records[n].head.kind == records[n].head.kind);
		CHECK(planned_records[n].head.flags == records[n].head.flags);
		CHECK(planned_records[n].head.bytes == records[n].head.bytes);
		CHECK(memcmp(planned_records[n].body, records[n].body, 2 * sizeof(dp_word)) == 0);
	}
	pass(HZ);
	CHECK(!DP_WITH_INTEGRITY || dp_plan_kind(&timer->plan) == kind);
}

static void plans_of_samples(void)
{
	for (size_t i = 0; DP_PLANS && i < sizeof(planned) / sizeof(*planned); i++)
		plan_of_a_sample(planned[i].source, planned[i].kind);
}

static unsigned ran_in_callback;

static uint64_t ticks_with_a_call(void)
{
	if (DP_THIS_CPU(agent)->in_hit) {
		ran_in_callback++;
		calls(2);
	}
	return dp_sim.ticks;
}

/* A call from a context above the mask comes in a hit: its samples are missed. */
/* proves: A2.31 */
static void no_sample_in_a_hit(void)
{
	start();
	CHECK(bench_install(LOGS("hit")) == 0);
	arm(LOGS("a"), SAMPLE(0, 1 * MS));
	firmware.board.ticks = ticks_with_a_call;
	firmware.board.tick_hz = HZ;
	ran_in_callback = 0;
	firmware_run(AT, 1);
	firmware.board.ticks = NULL;
	if (ran_in_callback == 0) /* hits read the counter alone */
		return;
	CHECK(hits(0, 0) == 1 && hits(1, 0) == 0 && missed(1, 0) == 2 * ran_in_callback);
	calls(1);
	CHECK(hits(1, 0) == 1);
}

/* Handlers that keep dp_poll from running: the user is heard. */
static void storm_of_samples(void)
{
	if (!DP_WITH_STORM)
		return;
	start();
	arm("name = \"a\"\noffset = 0x08000100\nabort\n", SAMPLE(0, 1 * MS));
	bench_type_request(DP_COM1, 90, DP_CMD_REMOVE, "\0", 1);
	calls(DP_STORM_HITS);
	CHECK(agent->programs == 1);
	calls(1);
	CHECK(agent->programs == 0 && agent->timers.count == 0 && agent->timers.wait == 0);
	bench_poll();
	CHECK(bench.line[0].answer.seq == 90);
	calls(10);
}

/* --- the end of a timer --- */

static unsigned state(int program, unsigned point)
{
	return bench_probe(program, point)->state;
}

static unsigned timers_free(void)
{
	struct bench_answer answer = bench_ask(DP_CMD_HARDWARE, NULL, 0);

	CHECK(answer.came && answer.error == DP_ERR_OK && answer.bytes == 13 + 6 + 11);
	CHECK(bench_number(&answer, 13, 4) == firmware.board.sample_hz);
	CHECK(bench_number(&answer, 17, 1) == DP_TIMERS);
	return bench_number(&answer, 18, 1);
}

/* Both kinds count as hits: ignore, maxhits, remove, the budget. A probe that has ended frees its
 * timer. */
/* proves: R5.114 */
static void ends(bool sampled)
{
	struct period period = sampled ? SAMPLE(0, 1 * MS) : TICK(0, 1 * MS);
	void (*go)(unsigned) = sampled ? calls : pass;

	start();
	CHECK(timers_free() == DP_TIMERS);
	arm("name = \"a\"\noffset = 0x08000100\nignore = 5\nmaxhits = 3\npush 1\nlog 1\nexit\n",
	    period);
	CHECK(timers_free() == DP_TIMERS - 1);
	go(5);
	CHECK(bench_ignored(0, 0) >= 4 && hits(0, 0) <= 1);
	go(10);
	CHECK(bench_ignored(0, 0) == 5 && hits(0, 0) == 3 && state(0, 0) == DP_PROBE_DISABLED);
	CHECK(timers_free() == DP_TIMERS);
	arm("name = \"b\"\noffset = 0x08000100\npush 1\nlog 1\nremove\n", period);
	go(10);
	CHECK(hits(1, 0) == 1 && state(1, 0) == DP_PROBE_REMOVED && timers_free() == DP_TIMERS);
	bench_poll();
	CHECK(bench.records == 4 && bench.bad_records == 0);
	arm("name = \"c\"\njmpmax = 65535\noffset = 0x08000100\nl:\njmp l\nexit\n", period);
	go(100);
	CHECK(state(2, 0) == DP_PROBE_OVERRUN && timers_free() == DP_TIMERS);
	CHECK(!dp_poll(agent));
	bench_remove_all();
	go(3);
}

static void ends_of_ticks(void)
{
	ends(false);
}

static void ends_of_samples(void)
{
	ends(true);
}

/* `stop` in a tick or a sample ends the program's timers; STOP does so, and counts stay. */
/* proves: R5.115 */
static void stops(void)
{
#if DP_WITH_D
	static const struct period both[] = {{0, 10 * MS}, {DP_TIMER_SAMPLED, 10 * MS}};
	static const char source[] = "name = \"a\"\n"
				     "offset = 0x08000100\nminor = 1\npush 1\nlog 1\nstop\nexit\n"
				     "offset = 0x08000104\nminor = 2\npush 2\nlog 1\nexit\n";

	start();
	compile(source, both, 2);
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_OK);
	calls(30);
	CHECK(hits(0, 1) == 3);
	pass(9);
	CHECK(hits(0, 0) == 0);
	dp_sim.ticks++;
	dp_poll(agent);
	CHECK(hits(0, 0) == 1 && state(0, 0) == DP_PROBE_STOPPED &&
	      state(0, 1) == DP_PROBE_STOPPED);
	calls(30);
	pass(30);
	CHECK(hits(0, 0) == 1 && hits(0, 1) == 3 && agent->timers.count == 0);
#endif
	start();
	arm(LOGS("a"), TICK(0, 10 * MS));
	arm(LOGS("b"), SAMPLE(0, 10 * MS));
	pass(10);
	calls(10);
	CHECK(hits(0, 0) == 1 && hits(1, 0) == 1);
	CHECK(bench_error(DP_CMD_STOP, "\0", 1) == 0 && bench_error(DP_CMD_STOP, "\1", 1) == 0);
	CHECK(state(0, 0) == DP_PROBE_STOPPED && state(1, 0) == DP_PROBE_STOPPED);
	pass(100);
	calls(100);
	CHECK(hits(0, 0) == 1 && hits(1, 0) == 1 && timers_free() == DP_TIMERS);
}

/* PROBE and SITE of a timer. */
/* proves: R5.109 */
static void told(void)
{
	struct bench_answer answer;

	start();
	arm(LOGS("a"), SAMPLE(7, 10 * MS));
	answer = bench_ask(DP_CMD_SITE, "\0\0\0", 3);
	if (answer.error == DP_ERR_OK)
		CHECK(bench_number(&answer, 0, 1) == 0xff);
	answer = bench_ask(DP_CMD_PROBE, "\0\0\0", 3);
	CHECK(answer.error == DP_ERR_OK);
	CHECK(bench_number(&answer, 1, 1) == DP_PROBE_ARMED);
	CHECK(bench_number(&answer, 5, 8) == (DP_TIMER_SAMPLED | 7u));
	CHECK(bench_number(&answer, 13, 4) == 10 * MS);
}

/* --- refusals --- */

static unsigned found(struct bench_answer answer)
{
	if (answer.error != DP_ERR_NO_TIMER)
		return NEVER;
	CHECK(agent->timers.count <= DP_TIMERS && bench_number(&answer, 1, 2) == 0);
	return bench_number(&answer, 7, 4);
}

/* proves: R5.116 */
static void refusals(void)
{
	char source[] = LOGS("a");

	start();
	CHECK(found(commit(LOGS("x"), TICK(0x7fffffff, 999999999))) == NEVER);
	bench_remove_all();
	dp_sim.tick_hz = 0;
	CHECK(found(commit(LOGS("a"), TICK(1, 0))) == DP_NO_TIMER_CLOCK);
	CHECK(found(commit(LOGS("b"), SAMPLE(1, 0))) == NEVER); /* needs no clock */
	bench_remove_all();
	firmware.board.sample_hz = 0;
	dp_sim.tick_hz = HZ;
	CHECK(found(commit(LOGS("a"), SAMPLE(1, 0))) == DP_NO_TIMER_SAMPLES);
	CHECK(found(commit(LOGS("b"), TICK(1, 0))) == NEVER);
	bench_remove_all();
	dp_sim.tick_hz = 0xffffffff;
	CHECK(found(commit(LOGS("a"), TICK(0x3fffffff, 999999999))) == NEVER);
	CHECK(found(commit(LOGS("b"), TICK(0x7fffffff, 0))) == DP_NO_TIMER_LONG);
	bench_remove_all();
	start();
	for (unsigned i = 0; i < DP_TIMERS; i++) {
		source[8] = (char)('a' + i);
		CHECK(found(commit(source, i % 2 ? TICK(1, 0) : SAMPLE(1, 0))) == NEVER);
	}
	CHECK(found(commit(LOGS("x"), TICK(1, 0))) == DP_NO_TIMER_FREE && timers_free() == 0);
	CHECK(found(commit(LOGS("x"), SAMPLE(1, 0))) == DP_NO_TIMER_FREE);
	CHECK(agent->programs == DP_TIMERS && agent->probes == DP_TIMERS);
	CHECK(bench_error(DP_CMD_REMOVE, "\1", 1) == 0 && timers_free() == 1);
	CHECK(found(commit(LOGS("x"), SAMPLE(1, 0))) == NEVER);
}

/* The last timer is taken by the program's own first points: all of it is taken back. */
static void too_many_in_one(void)
{
	char source[2000] = "name = \"a\"\n";
	struct period period[DP_TIMERS + 1];
	struct bench_answer answer;

	for (unsigned i = 0; i <= DP_TIMERS; i++) {
		char point[80];

		snprintf(point, sizeof(point), "offset = 0x%x\nminor = %u\nexit\n", AT + 4 * i, i);
		strcat(source, point);
		period[i] = TICK(1, i);
	}
	start();
	compile(source, period, DP_TIMERS + 1);
	answer = bench_install_object(DP_COMMIT_NO_IDENTITY, 0);
	CHECK(answer.error == DP_ERR_NO_TIMER);
	CHECK(bench_number(&answer, 1, 2) == DP_TIMERS);
	CHECK(bench_number(&answer, 7, 4) == DP_NO_TIMER_FREE);
	CHECK(agent->programs == 0 && agent->probes == 0 && agent->timers.count == 0);
	CHECK(!dp_poll(agent));
}

int main(void)
{
	ticks_are_exact();
	late_ticks();
	the_frame_of_a_tick();
	order();
	polls_rest();
	samples_are_exact();
	short_samples();
	samples_are_staggered();
	the_frame_of_a_sample();
	plans_of_samples();
	no_sample_in_a_hit();
	storm_of_samples();
	ends_of_ticks();
	ends_of_samples();
	stops();
	told();
	refusals();
	too_many_in_one();
	return check_status();
}
