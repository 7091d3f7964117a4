/* SPDX-License-Identifier: BSD-2-Clause */
/* One address, many lives: instructions that overlap, text that changes under an ended probe, text
 * that can no longer be written. */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"

#include <stdio.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
};
#define AT_TEXT "offset = 0x08000100\n"

static unsigned slots_free(void)
{
	unsigned total, available;

	dp_port_slots(&total, &available);
	return available;
}

/* Two instructions that share bytes: the second trap would cut the first. */
static void overlap(void)
{
	struct bench_answer answer;

	bench_start();
	dp_sim.any_address = true;
	CHECK(bench_compile("name = \"t\"\n" AT_TEXT
			    "exit\noffset = 0x08000102\nminor = 1\nexit\n"));
	answer = bench_install_object(DP_COMMIT_NO_IDENTITY, 0);
	CHECK(answer.error == DP_ERR_NOT_BOUNDARY && bench_number(&answer, 1, 2) == 1);
	CHECK(firmware_text_is_original());
	CHECK(bench_install("name = \"a\"\n" AT_TEXT "exit\n") == 0);
	for (unsigned address = AT - 3; address <= AT + 3; address++) {
		char source[64];

		snprintf(source, sizeof(source), "name = \"b\"\noffset = 0x%08x\nexit\n", address);
		CHECK(bench_compile(source));
		answer = bench_install_object(DP_COMMIT_NO_IDENTITY, 0);
		CHECK(answer.error == (address == AT ? DP_ERR_OK : DP_ERR_NOT_BOUNDARY));
		if (address == AT)
			CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
	}
	bench_remove_all();
	CHECK(firmware_text_is_original());
	CHECK(bench_install("name = \"a\"\noffset = 0x080000fc\nexit\n" AT_TEXT
			    "minor = 1\nexit\noffset = 0x08000104\nminor = 2\nexit\n") == 0);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* The firmware loads other code where a probe has ended: the next one steps what is there now. */
static void text_changed(void)
{
	struct bench_answer answer;

	bench_start();
	CHECK(bench_install("name = \"a\"\n" AT_TEXT "maxhits = 1\nexit\n") == 0);
	firmware_run(AT, 1);
	CHECK(firmware_text_is_original());
	firmware_put_word(AT, (uint32_t)SIM_FAULT << 24);
	CHECK(bench_install("name = \"b\"\n" AT_TEXT "exit\n") == 1);
	firmware_run(AT, 1);
	CHECK(firmware.faults == 1);
	answer = bench_ask(DP_CMD_PROBE, "\1\0", 2);
	CHECK(bench_number(&answer, 13, 4) == (uint32_t)SIM_FAULT << 24);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* The slot of an ended probe serves the next one, and comes back. */
static void ended_slot(void)
{
	unsigned before;

	bench_start();
	before = slots_free();
	firmware_put_word(AT, (uint32_t)SIM_STEPPED << 24);
	CHECK(bench_install("name = \"a\"\n" AT_TEXT "maxhits = 1\nexit\n") == 0);
	firmware_run(AT, 1);
	for (unsigned i = 0; i < 2 * SIM_SLOTS; i++) {
		CHECK(bench_install("name = \"b\"\n" AT_TEXT "exit\n") == 1);
		CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
		CHECK(slots_free() == before - 1);
	}
	bench_remove_all();
	CHECK(slots_free() == before);
}

/* Text that the firmware protects once it runs: a trap that cannot be taken out is stepped for
 * ever, and REMOVE says so. */
/* proves: P3.26 P3.30 R5.32 */
static void protected_text(void)
{
	bench_start();
	CHECK(bench_install("name = \"a\"\n" AT_TEXT "push 1\nlog 1\nexit\n") == 0);
	dp_sim.range[0].writable = false;
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == DP_ERR_NOT_PATCHABLE);
	CHECK(bench_ask(DP_CMD_PROGRAM, "\0", 1).error == DP_ERR_NO_PROGRAM);
	firmware_run(AT, 1);
	CHECK(firmware.executed == 1 && firmware.foreign_traps == 0);
	CHECK(bench_install("name = \"b\"\n" AT_TEXT "push 1\nlog 1\nexit\n") == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && firmware.executed == 2);
	CHECK(bench_ask(DP_CMD_REMOVE, "\377", 1).error == DP_ERR_NOT_PATCHABLE);
	dp_sim.range[0].writable = true;
	firmware_run(AT, 1);
	CHECK(firmware_text_is_original() && firmware.executed == 3);
	CHECK(bench_install("name = \"b\"\n" AT_TEXT "exit\n") == 0);
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	/* and after a restart it is known */
	CHECK(bench_install("name = \"a\"\n" AT_TEXT "exit\n") == 0);
	dp_sim.range[0].writable = false;
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == DP_ERR_NOT_PATCHABLE);
	dp_sim.range[0].writable = true;
	bench_warm();
	CHECK(firmware_text_is_original());
}

static bool write_text(dp_addr address, const void *bytes, size_t count)
{
	return sim_write(address, bytes, count) == count;
}

/* The site, and its note in the keep area, have the means that stops the CPU there. */
static void means(void)
{
	for (unsigned board = 0; board < 2; board++) {
		enum dp_means wanted = board ? DP_MEANS_BOARD : DP_MEANS_WORD;
		const struct dp_site *site;

		bench_start();
		firmware.board.text_write = board ? write_text : NULL;
		CHECK(bench_install("name = \"a\"\n" AT_TEXT "exit\n") == 0);
		site = &firmware.agent.site[bench_probe(0, 0)->site];
		CHECK(site->means == wanted);
		CHECK(firmware.keep.entry[site - firmware.agent.site].means == wanted);
		bench_remove_all();
		CHECK(firmware_text_is_original());
	}
}

int main(void)
{
	overlap();
	text_changed();
	ended_slot();
	protected_text();
	means();
	return check_status();
}
