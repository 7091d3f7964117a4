/* SPDX-License-Identifier: BSD-2-Clause */
/* Warm restarts, and modules that come and go.  PROTOCOL.md section 7 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_lock.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100
};
#define THREE                                                                                      \
	"name = \"t\"\noffset = 0x08000100\nexit\noffset = 0x08000104\nminor = 1\nexit\n"          \
	"offset = 0x08000200\nminor = 2\nexit\n"

static uint32_t notice_number(unsigned at, unsigned digits)
{
	uint32_t value = 0;

	while (digits-- > 0)
		value = value << 4 | bench.line[0].notice_of[DP_NOTICE_BOOT].payload[at++];
	return value;
}

/* Text of the last run is put back; the host learns of it by boot number and notice. */
/* proves: A1.17 A2.1 A3.19 A3.21 P3.28 R5.38 */
static void warm_restart(void)
{
	struct bench_answer answer;

	bench_start();
	CHECK(bench_install(THREE) == 0 && !firmware_text_is_original());
	bench_warm();
	CHECK(firmware_text_is_original());
	bench_poll();
	CHECK(notice_number(6, 4) == 2 && notice_number(10, 2) == 3);
	answer = bench_hello(1, 1);
	CHECK(bench_number(&answer, 1, 2) == 2 && answer.payload[24] == 0);
	CHECK(bench_install(THREE) == 0);
	bench_remove_all();
	bench_warm();
	bench_poll();
	CHECK(firmware_text_is_original() && notice_number(6, 4) == 3 && notice_number(10, 2) == 0);
}

/* The notice of the start goes out at once where a host was at work when the agent ended: it had a
 * session, or has left programs. Else it waits for a host. */
/* proves: R4.33 R4.34 */
static void who_waits(void)
{
	for (unsigned was = 0; was < 8; was++) {
		bool closes = was & 1, installs = was & 2, reloads = was & 4;

		bench_start();
		CHECK(!installs || bench_install(THREE) == 0);
		CHECK(!closes || bench_ask(DP_CMD_CLOSE, NULL, 0).error == 0);
		if (reloads)
			memcpy(firmware.text, firmware.original, FIRMWARE_TEXT_BYTES);
		bench_warm();
		bench_poll();
		CHECK(bench.line[0].notices == (closes && !installs ? 0 : 1));
		bench_warm(); /* nobody came meanwhile */
		bench_poll();
		CHECK(bench.line[0].notices == 0 && bench.line[0].out_bytes == 0);
		CHECK(bench_hello(1, 1).came && bench.line[0].notices == 1 &&
		      notice_number(6, 4) == 3);
	}
}

/* The firmware was loaded again: there is nothing to put back, and it is not touched. */
/* proves: P3.29 */
static void text_reloaded(void)
{
	bench_start();
	CHECK(bench_install(THREE) == 0);
	memcpy(firmware.text, firmware.original, FIRMWARE_TEXT_BYTES);
	firmware_put_word(AT, 0x77777777); /* another version of it */
	bench_warm();
	CHECK(firmware_text_is_original());
}

/* Whatever stands in the keep area after power-on: not one byte of text changes. */
/* proves: A3.20 */
static void cold_keep(void)
{
	uint32_t seed = 1;

	for (unsigned round = 0; round < 200; round++) {
		uint8_t *keep = (uint8_t *)&firmware.keep;

		bench_start();
		for (unsigned i = 0; i < sizeof(firmware.keep); i++)
			keep[i] = (uint8_t)((seed = seed * 1103515245 + 12345) >> 16);
		if (round % 2) { /* a good head, bad entries */
			firmware.keep.magic = 0x44504b32;
			firmware.keep.boot_check = ~firmware.keep.boot;
		}
		firmware_put_word(AT, DP_SIM_TRAP_WORD);
		bench_warm();
		CHECK(firmware_text_is_original());
	}
}

/* A reset while an entry is written, after any number of its bytes. */
static void reset_in_the_middle(void)
{
	struct dp_keep before, after;
	static uint8_t text_before[FIRMWARE_TEXT_BYTES], text_after[FIRMWARE_TEXT_BYTES];
	unsigned adding;

	for (adding = 0; adding < 2; adding++) {
		bench_start();
		CHECK(bench_install("name = \"a\"\noffset = 0x08000100\nexit\n") == 0);
		if (!adding)
			CHECK(bench_install("name = \"b\"\noffset = 0x08000200\nexit\n") == 1);
		before = firmware.keep;
		memcpy(text_before, firmware.text, sizeof(text_before));
		if (adding)
			CHECK(bench_install("name = \"b\"\noffset = 0x08000200\nexit\n") == 1);
		else
			CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
		after = firmware.keep;
		memcpy(text_after, firmware.text, sizeof(text_after));
		CHECK(memcmp(&before, &after, sizeof(before)) != 0);
		for (size_t cut = 0; cut <= sizeof(before); cut++) {
			/* noted before the text is patched, forgotten after it is put back */
			memcpy(firmware.text, adding ? text_before : text_after,
			       sizeof(text_before));
			memcpy(&firmware.keep, &before, sizeof(before));
			memcpy(&firmware.keep, &after, cut);
			bench_warm();
			CHECK(firmware_text_is_original());
		}
	}
}

static jmp_buf reset;
static unsigned patches_left;

static void reset_at_patch(void *context)
{
	(void)context;
	if (patches_left-- == 0)
		longjmp(reset, 1);
}

/* A reset before and after every write of a text word, while programs come and go. */
/* proves: A2.1 */
static void reset_at_every_patch(void)
{
	volatile unsigned resets = 0;

	for (volatile unsigned n = 0;; n++) {
		volatile bool finished = false;

		bench_start();
		dp_sim.patching = reset_at_patch;
		patches_left = n;
		if (setjmp(reset) == 0) {
			bench_install(THREE);
			bench_install("name = \"b\"\noffset = 0x08000100\nmaxhits = 1\nexit\n"
				      "offset = 0x08000300\nmaxhits = 1\nexit\n");
			firmware_run(AT, 2);
			firmware_run(FIRMWARE_TEXT + 0x300, 1);
			bench_ask(DP_CMD_REMOVE, "\0", 1);
			bench_install(THREE);
			bench_remove_all();
			finished = true;
		}
		dp_sim.patching = NULL;
		bench_warm();
		CHECK(firmware_text_is_original());
		bench_hello(5, 1);
		CHECK(bench_install(THREE) == 0);
		bench_remove_all();
		CHECK(firmware_text_is_original());
		if (finished)
			break;
		resets++;
	}
	CHECK(resets == 28);
}

/* dp_init says what it has not; the firmware runs, and its exceptions are its own. */
/* proves: A2.3 */
static void no_keep_area(void)
{
	for (unsigned missing = 0; missing < 2; missing++) {
		bench_cold();
		firmware.memory.keep_bytes = DP_KEEP_BYTES - 1;
		if (missing)
			firmware.memory.keep = NULL;
		CHECK(firmware_boot() == DP_ERR_NO_SPACE);
		firmware_put_word(AT, DP_SIM_TRAP_WORD);
		firmware_put_word(AT + 4, (uint32_t)SIM_FAULT << 24);
		firmware_run(AT, 2);
		CHECK(firmware.foreign_traps == 1 && firmware.faults == 1);
		CHECK(firmware_text_is_original() && bench.line[0].out_bytes == 0);
	}
}

/* --- modules --- */

static const uint8_t driver_id[20] = {9, 8, 7};
static struct dp_module driver = {"driver", FIRMWARE_MODULE, FIRMWARE_MODULE_BYTES, driver_id, 20,
				  0};
#define IN_DRIVER "name = \"driver\"\nmodtype = kmod\noffset = 0x40\npush 5\nlog 1\nexit\n"

static void identify(uint8_t first)
{
	uint8_t *module = bench.object + dp_get_u32(bench.object + DP_OBJECT_HEADER_BYTES + 8);

	module[DP_MOD_IDENTITY] = DP_IDENTITY_BUILD_ID;
	memcpy(module + DP_MOD_ID, driver_id, 20);
	module[DP_MOD_ID] = first;
	bench_seal();
}

static unsigned state_of(unsigned program)
{
	char index = (char)program;
	struct bench_answer answer = bench_ask(DP_CMD_PROGRAM, &index, 1);

	return answer.came && answer.error == 0 ? answer.payload[9] : 99;
}

/* proves: A2.12 A5.2 R5.24 */
static void modules(void)
{
	struct bench_answer answer;

	bench_start();
	CHECK(bench_compile(IN_DRIVER));
	identify(9);
	answer = bench_install_object(0, 0);
	CHECK(answer.error == 0 && bench_number(&answer, 11, 3) == 0x000001); /* one waits */
	CHECK(state_of(0) == 1);
	answer = bench_ask(DP_CMD_PROBE, "\0\0", 2);
	CHECK(answer.payload[1] == DP_PROBE_WAITING && bench_number(&answer, 9, 4) == 0x40);
	CHECK(dp_module_loaded(&firmware.agent, &driver) == DP_ERR_OK);
	CHECK(state_of(0) == 0 && firmware_word(FIRMWARE_MODULE + 0x40) == DP_SIM_TRAP_WORD);
	firmware_run(FIRMWARE_MODULE + 0x40, 1);
	bench_poll();
	CHECK(bench.records == 1);
	dp_module_unloaded(&firmware.agent, "driver");
	CHECK(firmware_word(FIRMWARE_MODULE + 0x40) == 0x20000040 && state_of(0) == 1);
	driver.base += 0x100; /* comes back elsewhere */
	CHECK(dp_module_loaded(&firmware.agent, &driver) == DP_ERR_OK);
	CHECK(firmware_word(FIRMWARE_MODULE + 0x140) == DP_SIM_TRAP_WORD);
	CHECK(dp_module_loaded(&firmware.agent, &driver) == DP_ERR_OK); /* said twice */
	CHECK(firmware_word(FIRMWARE_MODULE + 0x140) == DP_SIM_TRAP_WORD &&
	      firmware.agent.module_count == 2);
	driver.base -= 0x100;
	bench_remove_all();
	CHECK(firmware_word(FIRMWARE_MODULE + 0x140) == 0x20000140);
}

/* What has ended does not begin again when its module comes back. */
static void ended_in_module(void)
{
	bench_start();
	CHECK(dp_module_loaded(&firmware.agent, &driver) == DP_ERR_OK);
	CHECK(bench_compile("name = \"driver\"\nmodtype = kmod\noffset = 0x40\nmaxhits = 1\nexit\n"
			    "offset = 0x44\nminor = 1\nremove\n"));
	identify(9);
	CHECK(bench_install_object(0, 0).error == 0);
	firmware_run(FIRMWARE_MODULE + 0x40, 2);
	dp_module_unloaded(&firmware.agent, "driver");
	CHECK(dp_module_loaded(&firmware.agent, &driver) == DP_ERR_OK);
	CHECK(firmware_word(FIRMWARE_MODULE + 0x40) == 0x20000040);
	CHECK(firmware_word(FIRMWARE_MODULE + 0x44) == 0x20000044);
	CHECK(bench_ask(DP_CMD_PROBE, "\0\0", 2).payload[1] == DP_PROBE_DISABLED);
	CHECK(bench_ask(DP_CMD_PROBE, "\0\1", 2).payload[1] == DP_PROBE_REMOVED);
	bench_remove_all();
}

/* The module is another build: told, and not armed. With the options of its commit where it had
 * some. */
/* proves: R5.25 */
static void refused_module(void)
{
	static const char other[] = "name = \"driver\"\nmodtype = kmod\nid = 2\noffset = 0x44\n"
				    "opcode = 0x12345678\nexit\n";

	bench_start();
	CHECK(bench_compile(IN_DRIVER));
	identify(1);
	CHECK(bench_install_object(0, 0).error == 0);
	CHECK(bench_compile(other));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY | DP_COMMIT_ANY_OPCODE, 0).error == 0);
	CHECK(dp_module_loaded(&firmware.agent, &driver) == DP_ERR_OK);
	bench_poll();
	CHECK(bench.line[0].notice_of[DP_NOTICE_MODULE_REFUSED].payload[9] == DP_ERR_WRONG_IMAGE);
	CHECK(state_of(0) == 1 && state_of(1) == 0);
	CHECK(firmware_word(FIRMWARE_MODULE + 0x40) == 0x20000040);
	CHECK(firmware_word(FIRMWARE_MODULE + 0x44) == DP_SIM_TRAP_WORD);
	bench_remove_all();
	/* outside of it */
	CHECK(bench_compile("name = \"driver\"\nmodtype = kmod\noffset = 0x400\nexit\n"));
	identify(9);
	CHECK(bench_install_object(0, 0).error == DP_ERR_NOT_TEXT);
}

/* After dp_lock a module that comes arms nothing: it is listed, and the agent says why. */
/* proves: A2.16 R5.26 */
static void locked_module(void)
{
	bench_start();
	CHECK(bench_compile(IN_DRIVER));
	identify(1);
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == 0);
	dp_lock(&firmware.agent);
	CHECK(dp_module_loaded(&firmware.agent, &driver) == DP_ERR_OK);
	bench_poll();
	CHECK(bench.line[0].notice_of[DP_NOTICE_MODULE_REFUSED].payload[8] * 16 +
		      bench.line[0].notice_of[DP_NOTICE_MODULE_REFUSED].payload[9] ==
	      DP_ERR_LOCKED);
	CHECK(state_of(0) == 1 && firmware.agent.module_count == 2);
	CHECK(firmware_word(FIRMWARE_MODULE + 0x40) == 0x20000040);
	bench_remove_all();
}

int main(void)
{
	warm_restart();
	who_waits();
	text_reloaded();
	cold_keep();
	reset_in_the_middle();
	reset_at_every_patch();
	no_keep_area();
	modules();
	ended_in_module();
	refused_module();
	locked_module();
	return check_status();
}
