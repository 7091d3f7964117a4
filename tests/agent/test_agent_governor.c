/* SPDX-License-Identifier: BSD-2-Clause */
/* The governor: a probe that is hit too often in a second ends, by whatever path its hits go.
 * agent/README.md, "Storms" */
#include "bench.h"
#include "check.h"

#include "dp_governor.h"

#include <stdio.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	HZ = 1000000,
	LIMIT = DP_HITS_PER_SECOND
};

static const struct {
	uint32_t word;    /* the instruction */
	const char *rest; /* of the program, behind its name */
	bool faults;
} cases[] = {
	{SIM_AWAY, "offset = 0x08000100\nabort\n", false},
	{SIM_AWAY, "offset = 0x08000100\npush r, r1\nlog 1\nexit\n", false},
	{SIM_AWAY, "offset = 0x08000100\npush 3\nlog 1\nexit\n", false},
	{SIM_AWAY, "offset = 0x08000100\nignore = 1000000\nabort\n", false},
	{SIM_AWAY, "offset = 0x08000100\nphase = after\nabort\n", false},
	{SIM_AWAY, "offset = 0x08000100\nminor = 1\nabort\noffset = 0x08000100\nminor = 2\nabort\n",
	 false},
	{SIM_FAULT, "offset = 0x08000100\nabort\n", true},
	{SIM_FAULT, "offset = 0x08000100\nphase = fault\nabort\n", true},
};

static void install(unsigned row)
{
	char text[200];

	bench_start();
	dp_sim.tick_hz = HZ;
	firmware_put_word(AT, cases[row].word << 24);
	snprintf(text, sizeof(text), "name = \"t\"\n%s", cases[row].rest);
	CHECK(bench_install(text) == 0);
}

/* Hit the probe until it ends, at most `most` times. ticks: between two hits. polls: how many hits
 * go before a dp_poll; 0: none comes. Returns the hits. */
static unsigned hits(unsigned most, unsigned ticks, unsigned polls)
{
	unsigned n = 0;

	while (n < most && !firmware_text_is_original()) {
		dp_sim.ticks += ticks;
		firmware_run(AT, 1);
		if (polls > 0 && n % polls == 0)
			dp_poll(&firmware.agent);
		n++;
	}
	return n;
}

static void ended(void)
{
	const struct bench_line *line = &bench.line[0];

	bench_poll();
	CHECK(firmware_text_is_original() && bench_probe(0, 0)->state == DP_PROBE_TOO_OFTEN);
	CHECK(line->notice_of[DP_NOTICE_TOO_OFTEN].payload[DP_STREAM_HEAD + 1] ==
	      DP_NOTICE_TOO_OFTEN);
}

/* A clock of HZ: LIMIT hits take less than a second, or as long. */
/* proves: R5.65 A3.42 */
static void by_the_clock(unsigned row)
{
	unsigned n;

	install(row);
	CHECK(hits(3 * LIMIT, HZ / LIMIT + 1, 0) == 3 * LIMIT);
	CHECK(bench_probe(0, 0)->state == DP_PROBE_ARMED);
	n = hits(3 * LIMIT, HZ / LIMIT / 2, 0);
	CHECK(n > LIMIT / 2 && n <= 2 * LIMIT);
	ended();
	CHECK(!cases[row].faults || firmware.faults > 3 * LIMIT);
}

/* A clock that stands still, or none: 1000 calls of dp_poll are a second. */
/* proves: R5.66 */
static void by_polls(uint32_t hz)
{
	unsigned n;

	install(0);
	dp_sim.tick_hz = hz;
	CHECK(hits(3 * LIMIT, 0, LIMIT / 1000) == 3 * LIMIT);
	n = hits(3 * LIMIT, 0, LIMIT / 500);
	CHECK(n >= LIMIT / 2 && n <= 2 * LIMIT);
	ended();
	install(0);
	dp_sim.tick_hz = hz;
	n = hits(3 * LIMIT, 0, 0);
	CHECK(n >= LIMIT && n <= 2 * LIMIT);
	ended();
}

/* maxhits counts to its end across portions, and ends the probe by itself. */
static void maxhits(void)
{
	char text[100];

	bench_start();
	dp_sim.tick_hz = HZ;
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	snprintf(text, sizeof(text), "name = \"t\"\noffset = 0x08000100\nmaxhits = %d\nabort\n",
		 2 * LIMIT + 7);
	CHECK(bench_install(text) == 0);
	CHECK(hits(4 * LIMIT, HZ / LIMIT + 1, 0) == 2 * LIMIT + 7);
	CHECK(bench_probe(0, 0)->state == DP_PROBE_DISABLED);
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 2 * LIMIT + 7);
}

/* Hits that do not count for maxhits count for the governor alone. */
static void faulting(void)
{
	bench_start();
	dp_sim.tick_hz = HZ;
	firmware_put_word(AT, (uint32_t)SIM_FAULT << 24);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nmaxhits = 2\nabort\n") == 0);
	CHECK(hits(LIMIT - 1, 0, 0) == LIMIT - 1);
	CHECK(bench_probe(0, 0)->state == DP_PROBE_ARMED);
	CHECK(hits(LIMIT, 0, 0) <= LIMIT);
	ended();
}

/* A probe elsewhere goes on, and the probe of the next program at the place starts anew. */
static void others_go_on(void)
{
	install(0);
	CHECK(bench_install("name = \"u\"\noffset = 0x08000200\nabort\n") == 1);
	for (unsigned i = 0; i < 2 * LIMIT; i++)
		firmware_run(AT, 1);
	CHECK(bench_probe(0, 0)->state == DP_PROBE_TOO_OFTEN);
	CHECK(bench_probe(1, 0)->state == DP_PROBE_ARMED);
	firmware_run(FIRMWARE_TEXT + 0x200, 1);
	CHECK(dp_probe_hits(bench_probe(1, 0)) == 1);
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	CHECK(bench_install("name = \"v\"\noffset = 0x08000100\nabort\n") == 0);
	dp_sim.ticks += HZ;
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 1 && bench_probe(0, 0)->state == DP_PROBE_ARMED);
}

int main(void)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		by_the_clock(i);
	by_polls(0);
	by_polls(HZ);
	maxhits();
	faulting();
	others_go_on();
	return check_status();
}
