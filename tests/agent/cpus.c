/* SPDX-License-Identifier: BSD-2-Clause */
/* An agent of two CPUs: dp_poll of one sends the records of both.  PROTOCOL.md section 4 */
#include <string.h>

#include "bench.h"
#include "check.h"

enum {
	AT = FIRMWARE_TEXT + 0x100
};
#define LOGS "name = \"t\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n"

static void hits(unsigned below, unsigned count)
{
	dp_sim.below = below;
	for (unsigned i = 0; i < count; i++)
		firmware_run(AT, 1);
	dp_sim.below = 0;
}

/* The records of the stream that came, which has the next number. */
static unsigned came(unsigned stream)
{
	unsigned n = 0;

	for (unsigned i = 0; i < bench.records; i++)
		n += bench.record[i].stream == stream;
	CHECK(bench.stream[stream].next == n);
	return n;
}

/* Each CPU has a stream of its own: its records count from 0, and its sync counts them. */
static void rings_of_both(void)
{
	bench_start();
	CHECK(bench_install(LOGS) == 0);
	hits(1, 3);
	hits(0, 2);
	bench_poll();
	CHECK(came(0) == 3 && came(1) == 2);
	CHECK(bench.bad_records == 0 && bench.line[0].gaps == 0 && bench.line[0].bad_frames == 0);
	CHECK(firmware.agent.cpu[0].ring.kept == firmware.agent.cpu[0].ring.head);
}

/* A CPU that logs without an end leaves the other its turn. */
static void turns(void)
{
	bench_start();
	CHECK(bench_install(LOGS) == 0);
	bench_poll();
	hits(0, 200);
	hits(1, 1);
	bench.line[0].room = 3 * DP_LINE_MAX;
	bench_poll();
	CHECK(came(0) == 1 && came(1) > 0 && came(1) < 200);
}

/* A record in pieces, between lines of the other CPU. */
static void pieces(void)
{
	char program[4000] = "name = \"t\"\nlogmax = 400\noffset = 0x08000100\n";

	for (unsigned i = 0; i < 100; i++)
		strcat(program, "push 0x12345678\n");
	strcat(program, "log 100\nexit\n");
	bench_start();
	CHECK(bench_install(program) == 0);
	hits(0, 2);
	hits(1, 2);
	bench_poll();
	CHECK(came(0) == 2 && came(1) == 2);
	CHECK(bench.bad_records == 0 && bench.line[0].gaps == 0);
}

/* No request acknowledges the records of the other CPU: they make room when they are sent. */
static void acknowledged(void)
{
	const uint8_t log[] = {DP_COM1, DP_MODE_ACKNOWLEDGED};

	bench_start();
	CHECK(bench_install(LOGS) == 0);
	CHECK(bench_ask(DP_CMD_LOG, log, sizeof(log)).error == DP_ERR_OK);
	for (unsigned i = 0; i < 3; i++) {
		hits(1, 250);
		bench_poll();
	}
	CHECK(came(0) == 750 && firmware.agent.cpu[0].ring.dropped == 0);
}

/* The notice of the start goes once, and a change of the line begins both streams with all of the
 * time. */
static void started(void)
{
	const uint8_t log[] = {DP_COM1, DP_MODE_BUFFERED};

	bench_cold();
	dp_sim.below = 1;
	bench_poll();
	dp_sim.below = 0;
	bench_poll();
	CHECK(bench.line[0].notices == 1);
	bench_hello(0x12345678, 1);
	CHECK(bench_install(LOGS) == 0);
	hits(1, 1);
	hits(0, 1);
	bench_poll();
	CHECK(bench.line[0].timed_lines == 2 && bench.line[0].syncs >= 2);
	CHECK(bench_ask(DP_CMD_LOG, log, sizeof(log)).error == DP_ERR_OK);
	hits(1, 1);
	hits(0, 1);
	bench_poll();
	CHECK(bench.line[0].timed_lines == 4);
	CHECK(bench.line[0].gaps == 0);
}

int main(void)
{
	_Static_assert(DP_PORT_CPUS == 2, "of an agent for two CPUs");
	rings_of_both();
	turns();
	pieces();
	acknowledged();
	started();
	return check_status();
}
