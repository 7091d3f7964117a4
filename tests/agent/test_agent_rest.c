/* SPDX-License-Identifier: BSD-2-Clause */
/* A poll without work rests: the patrol comes at one of DP_REST_POLLS polls, and once in 1/64 s.
 * Whatever makes work, in a hit, an interrupt or another task, wakes the next poll. */
#include "bench.h"
#include "check.h"

#include "dp_storm.h"

enum {
	AT = FIRMWARE_TEXT + 0x100,
	HZ = 6400
};

#define LOGS   "name = \"l\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n"
#define COUNTS "name = \"c\"\noffset = 0x08000100\nabort\n"

/* Does the next poll look for all work? The patrol goes on then. */
static bool looks(void)
{
	uint8_t before = firmware.agent.patrol_site;

	firmware.agent.patrol_site = 0;
	dp_poll(&firmware.agent);
	if (firmware.agent.patrol_site != 0)
		return true;
	firmware.agent.patrol_site = before;
	return false;
}

/* The next DP_REST_POLLS - 1 polls rest. */
static void settle(void)
{
	bench_poll();
	for (unsigned i = 0; i < 2 * DP_REST_POLLS && !looks(); i++)
		;
}

static void start(uint32_t hz, const char *program)
{
	bench_start();
	dp_sim.tick_hz = hz;
	if (program)
		CHECK(bench_install(program) == 0);
	settle();
}

static void one_of_so_many_polls(uint32_t hz)
{
	start(hz, LOGS);
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 1; i < DP_REST_POLLS; i++)
			CHECK(!looks());
		CHECK(looks());
	}
}

/* A clock that goes round is one that moves. */
static void by_the_clock(void)
{
	start(HZ, LOGS);
	dp_sim.ticks = 0x1ffffffc0;
	settle();
	for (unsigned round = 0; round < 5; round++) {
		dp_sim.ticks += HZ / DP_REST_HZ;
		CHECK(!looks());
		dp_sim.ticks += 1;
		CHECK(looks());
	}
}

static void records(void)
{
	start(HZ, LOGS);
	firmware_run(AT, 1);
	dp_poll(&firmware.agent);
	CHECK(bench.records == 1);
	settle();
	/* no host: they wait, and no poll looks for them */
	CHECK(bench_ask(DP_CMD_LOG, "\xff\1", 2).error == 0);
	settle();
	firmware_run(AT, 1);
	CHECK(!looks() && bench.records == 1);
	CHECK(bench_ask(DP_CMD_LOG, "\0\1", 2).error == 0);
	bench_poll();
	CHECK(bench.records == 2);
}

static void storms(void)
{
	start(HZ, COUNTS);
	firmware_run(AT, 1);
	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		firmware.agent.cpu[i].hits_since_poll = DP_STORM_HITS;
	CHECK(!looks());
	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		CHECK(firmware.agent.cpu[i].hits_since_poll == 0);
	/* another poll is at work, on another CPU or preempted: this one ends no storm */
	for (unsigned polling = 1; polling <= 2; polling++) {
		DP_THIS_CPU(&firmware.agent)->hits_since_poll = 7;
		firmware.agent.polling = (uint8_t)polling;
		CHECK(!looks() && DP_THIS_CPU(&firmware.agent)->hits_since_poll == 7);
		firmware.agent.polling = 0;
	}
}

/* A request, also one that a poll inside another has not seen; a NAK. */
static void requests(void)
{
	char line[DP_LINE_MAX];
	size_t count;

	start(HZ, LOGS);
	bench_type_request(DP_COM1, 90, DP_CMD_STATUS, NULL, 0);
	firmware.agent.polling = 1;
	CHECK(!dp_poll(&firmware.agent) && bench.line[0].answer.seq != 90);
	firmware.agent.polling = 0;
	dp_poll(&firmware.agent);
	CHECK(bench.line[0].answer.seq == 90);
	settle();
	count = bench_request(line, 91, DP_CMD_STATUS, NULL, 0);
	line[count - 2] ^= 1;
	bench_type(DP_COM1, line, count);
	dp_poll(&firmware.agent);
	CHECK(bench.line[0].naks == 1);
}

/* Characters that may begin a request are held for 50 ms, and no longer. */
static void held(void)
{
	start(HZ, LOGS);
	bench_type_text(DP_COM1, "~");
	CHECK(looks() && bench_console_got(DP_COM1, ""));
	dp_sim.ticks += HZ / 20;
	CHECK(looks() && bench_console_got(DP_COM1, ""));
	dp_sim.ticks += 1;
	CHECK(looks() && bench_console_got(DP_COM1, "~"));
	settle();
	bench_type_text(DP_COM1, "text");
	CHECK(!looks() && bench_console_got(DP_COM1, "~text"));
}

/* The transmitter takes the text of the firmware later. */
static void text(void)
{
	start(HZ, LOGS);
	bench.line[0].room = 2;
	CHECK(dp_console_write(&firmware.agent, DP_COM1, "firm", 4) == 4);
	CHECK(looks() && bench_sent_text(DP_COM1, "fi"));
	bench.line[0].room = -1;
	dp_poll(&firmware.agent);
	CHECK(bench_sent_text(DP_COM1, "firm"));
	settle();
	CHECK(!looks());
}

/* The notice that a new module may not be probed comes from a thread beside dp_poll. */
static void notices(void)
{
	static const struct dp_module module = {
		"driver", FIRMWARE_MODULE, FIRMWARE_MODULE_BYTES, NULL, 0, 0};
	uint32_t before;

	start(HZ, "name = \"driver\"\nmodtype = kmod\noffset = 0x40\nexit\n");
	before = bench.line[0].notices;
	dp_lock(&firmware.agent);
	CHECK(dp_module_loaded(&firmware.agent, &module) == DP_ERR_OK);
	dp_poll(&firmware.agent);
	CHECK(bench.line[0].notices == before + 1);
}

int main(void)
{
	one_of_so_many_polls(HZ);
	one_of_so_many_polls(0);
	by_the_clock();
	records();
	storms();
	requests();
	held();
	text();
	notices();
	return check_status();
}
