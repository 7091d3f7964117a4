/* SPDX-License-Identifier: BSD-2-Clause */
/* Watchpoints by the comparators of the simulated CPU: an access of the firmware is one hit of
 * each watchpoint that it is for, and the access happens once. Between accesses:
 * test_agent_watch_kept.c. port/dp_watch.h */
#include "watches.h"

#include "dp_bytes.h"

#include <stdio.h>
#include <string.h>

static const struct dp_module module = {"m", FIRMWARE_MODULE, FIRMWARE_MODULE_BYTES, NULL, 0, 0};

/* proves: P9.2 P9.4 P9.6 P9.8 P9.9 P9.10 P9.13 P9.14 P9.15 */
static void one_hit_per_access(void)
{
	const struct dp_watched *seen;

	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	check_quiet(1);
	store(DATA, 0x11223344, 4);
	CHECK(firmware_word(DATA) == 0x11223344 && firmware.executed == 1);
	CHECK(bench.records == 1 && bench_logged(0) == AT && hits(0, 0) == 1);
	seen = &DP_THIS_CPU(agent)->watching.access;
	CHECK(seen->pc == AT && seen->told && seen->address == DATA && seen->bytes == 4);
	CHECK(seen->kinds == DP_WATCHED_WRITE && seen->comparators == 1);
	check_quiet(1);
	store(DATA + 3, 7, 1); /* each byte of the range, and accesses across its ends */
	store(DATA - 2, 7, 4);
	store(DATA + 2, 7, 4);
	CHECK(bench.records == 4 && hits(0, 0) == 4);
	store(DATA - 4, 7, 4);
	store(DATA + 4, 7, 4);
	access(SIM_LOAD, DATA, 0, 4); /* `w` is for writes */
	CHECK(firmware_loaded() == firmware_word(DATA));
	CHECK(bench.records == 4 && firmware.executed == 7 && firmware.faults == 0);
	bench_remove_all();
	check_quiet(0);
	store(DATA, 7, 4);
	CHECK(bench.records == 4);
	CHECK(firmware_text_is_original());
}

static void reads_and_writes(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("rw") LOG_PC) == 0);
	store(DATA, 0x11223344, 4);
	access(SIM_LOAD, DATA, 0, 4);
	CHECK(firmware_loaded() == 0x11223344);
	CHECK(bench.records == 2 && hits(0, 0) == 2 && firmware.executed == 2);
	check_quiet(1);
}

/* The handler of `x` runs before the instruction, whatever the instruction is. */
static void execution(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") "address = 0x08000100\nwatchpoint = x\npush r, r1\nlog 1\n"
				      "exit\n") == 0);
	access(SIM_NOP, DATA, 5, 4);
	CHECK(bench.records == 1 && bench_logged(0) == 5 && firmware.executed == 1);
	access(SIM_STEPPED, DATA, 6, 4);
	CHECK(bench.records == 2 && bench_logged(1) == 6 && firmware.executed == 2);
	*firmware.frame.word[sim_row(1)] = 0;
	access(SIM_LOAD, DATA, 7, 4); /* the load changes r1 */
	CHECK(bench.records == 3 && bench_logged(2) == 7 && firmware_loaded() != 7);
	check_quiet(1);
	CHECK(firmware_text_is_original());
}

/* The handlers of `w` see the registers behind the access. */
static void before_and_behind(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("rw") "push r, r1\nlog 1\nexit\n") == 0);
	firmware_put_word(DATA, 0x55);
	access(SIM_LOAD, DATA, 0, 4);
	CHECK(bench.records == 1 && bench_logged(0) == 0x55);
	CHECK(dp_port_pc(&firmware.frame) == AT + 4);
}

/* The CPU reports the access when it is done. */
static void reported_behind(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	dp_sim.watch_after = DP_WATCHED_WRITE;
	store(DATA, 0x99, 4);
	CHECK(bench.records == 1 && bench_logged(0) == AT + 4);
	CHECK(firmware_word(DATA) == 0x99 && firmware.executed == 1);
	check_quiet(1);
	CHECK(bench_install(NAME("b") AT_TEXT "exit\n") == 1); /* with a probe on the instruction */
	store(DATA, 0x98, 4);
	CHECK(bench.records == 3 && firmware_word(DATA) == 0x98 && firmware.executed == 2);
	check_quiet(1);
}

/* The same in a two-trap slot: behind the copy the pc is no longer the probe's. The hit of the
 * probe ends with the second trap, and so does the probe. */
/* proves: P9.21 */
static void reported_behind_in_a_slot(const char *probe)
{
	bench_start();
	put_insn(SIM_STORE);
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	CHECK(bench_install(probe) == 1);
	dp_sim.watch_after = DP_WATCHED_WRITE;
	for (unsigned i = 0; i < 3; i++) {
		store(DATA, 0x60 + i, 4);
		CHECK(DP_THIS_CPU(agent)->watching.access.pc == AT + 4);
	}
	CHECK(hits(0, 0) == 3 && hits(1, 0) == 1 && bench.records == 4 && firmware.executed == 3);
	CHECK(bench_probe(1, 0)->state == DP_PROBE_DISABLED && bench_probe(1, 0)->maxhits == 0);
	CHECK(firmware_text_is_original());
	check_quiet(1);
}

/* One access, two watchpoints of two programs. */
static void two_match(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	CHECK(bench_install(NAME("b") "address = 0x20000042\nwatchpoint = rw\n" LOG_PC) == 1);
	check_quiet(2);
	store(DATA, 1, 4);
	CHECK(hits(0, 0) == 1 && hits(1, 0) == 1 && bench.records == 2);
	store(DATA, 1, 2); /* the first alone */
	CHECK(hits(0, 0) == 2 && hits(1, 0) == 1);
	access(SIM_LOAD, DATA, 1, 4); /* the second alone */
	CHECK(hits(0, 0) == 2 && hits(1, 0) == 2 && firmware.executed == 3);
	check_quiet(2);
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	check_quiet(1);
	store(DATA, 1, 4);
	CHECK(hits(1, 0) == 3);
}

/* A CPU that names the comparator, or that says only that there was an access. */
static void told_little(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	CHECK(bench_install(NAME("b") "address = 0x20000080\nwatchpoint = w\n" LOG_PC) == 1);
	dp_sim.watch_silent = 1;
	store(DATA, 1, 4);
	CHECK(hits(0, 0) == 1 && hits(1, 0) == 0);
	dp_sim.watch_silent = 2;
	store(DATA, 1, 4);
	CHECK(hits(0, 0) == 2 && hits(1, 0) == 1);
}

/* Version 3 of the object: a range of any length. The last compiled object gets it. */
static void watch_long(uint32_t address, uint32_t bytes)
{
	uint8_t *point = bench.object + TRAITS + DP_TRAITS_BYTES;

	bench.object[DP_OBJ_VERSION] = DP_OBJECT_VERSION_LONG;
	bench.object[TRAITS + DP_TR_LENGTH] = 0;
	dp_put_u32(point + DP_PT_ADDRESS, address);
	dp_put_u32(point + DP_PT_EXTENT, bytes);
	bench_seal();
}

/* The comparator covers 64 bytes for the 33 asked for: the core filters by address. */
static void wider_than_asked(void)
{
	struct dp_watch *watch;

	bench_start();
	CHECK(bench_compile(NAME("a") WATCH("w") "ignore = 1\n" LOG_PC));
	watch_long(DATA + 4, 33);
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == 0);
	watch = watch_of(0, 0);
	CHECK(watch->address == DATA + 4 && watch->bytes == 33);
	CHECK(watch->first == DATA && watch->covers == 64);
	store(DATA, 1, 4);
	store(DATA + 63, 1, 1);
	store(DATA + 37, 1, 1);
	CHECK(hits(0, 0) == 0 && watch->ignored == 3 && bench_ignored(0, 0) == 3);
	CHECK(firmware.executed == 3);
	store(DATA + 36, 1, 1); /* `ignore` of the program */
	CHECK(hits(0, 0) == 0 && bench_ignored(0, 0) == 4);
	store(DATA + 36, 1, 1);
	store(DATA + 3, 1, 2);
	CHECK(hits(0, 0) == 2 && bench_ignored(0, 0) == 4 && bench.records == 2);
	check_quiet(1);
}

static enum dp_err refused(const char *source)
{
	struct bench_answer answer;

	CHECK(bench_compile(source));
	answer = bench_install_object(DP_COMMIT_NO_IDENTITY, 0);
	return (enum dp_err)answer.error;
}

/* What a comparator covers must keep off the agent: the trap entry, its memory, its stack. */
/* proves: R2.40 R2.41 */
static void near_the_agent(void)
{
	static struct dp_range rows[8];
	const dp_addr own = (dp_addr)(uintptr_t)&firmware.agent;

	bench_start();
	CHECK(refused(NAME("a") "address = 0x08000f10\nwatchpoint = x\nexit\n") == DP_ERR_IN_AGENT);
	CHECK(refused(NAME("a") "address = 0x08000f10\nwatchpoint = rw\nexit\n") ==
	      DP_ERR_IN_AGENT);
	/* 0x08000efe .. 0x08000f01 is beside the row, but not the 512 bytes that are covered */
	CHECK(refused(NAME("a") "address = 0x08000efe : 0x08000f01\nwatchpoint = w\nexit\n") ==
	      DP_ERR_IN_AGENT);
	CHECK(refused(NAME("a") "address = 0x40000000\nwatchpoint = w\nexit\n") ==
	      DP_ERR_NO_WATCHPOINT);
	CHECK(bench_compile(NAME("a") WATCH("w") "exit\n"));
	watch_long(FIRMWARE_CONST + FIRMWARE_CONST_BYTES - 8, 9); /* the last byte is not there */
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_NO_WATCHPOINT);
	CHECK(agent->comparators == 0);
	for (unsigned i = 0; i < firmware.board.range_count; i++)
		rows[i + 1] = firmware.board.ranges[i];
	rows[0] = (struct dp_range){own & ~0xfffu, sizeof(firmware) + 0x1000,
				    DP_MEM_READ | DP_MEM_WRITE};
	firmware.board.ranges = rows;
	firmware.board.range_count++;
	CHECK(bench_compile(NAME("a") WATCH("w") "exit\n"));
	watch_long(own + 0x100, 1);
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_IN_AGENT);
	watch_long((uint32_t)(uintptr_t)&firmware.keep, 4);
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_IN_AGENT);
	check_quiet(0);
}

static void counts(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") "ignore = 2\nmaxhits = 3\n" LOG_PC) == 0);
	for (unsigned i = 0; i < 8; i++)
		store(DATA, i, 4);
	CHECK(hits(0, 0) == 3 && bench_ignored(0, 0) == 2 && bench.records == 3);
	CHECK(bench_probe(0, 0)->state == DP_PROBE_DISABLED && firmware.executed == 8);
	check_quiet(0); /* the comparator is off; its entry stays with the ended probe */
	bench_remove_all();
	CHECK(bench_install(NAME("b") WATCH("w") "push 1\nlog 1\nremove\n") == 0);
	store(DATA, 1, 4);
	store(DATA, 1, 4);
	CHECK(bench_probe(0, 0)->state == DP_PROBE_REMOVED && hits(0, 0) == 1);
	check_quiet(0);
}

/* Probes of several programs at one range share its comparator. */
static void chain(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") "push 1\nlog 1\nexit\n") == 0);
	CHECK(bench_install(NAME("b") WATCH("w") "push 2\nlog 1\nexit\n") == 1);
	CHECK(watch_of(0, 0) == watch_of(1, 0));
	check_quiet(1);
	store(DATA, 1, 4);
	CHECK(bench.records == 2 && bench_logged(0) == 1 && bench_logged(1) == 2);
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	check_quiet(1);
	store(DATA, 1, 4);
	CHECK(bench.records == 3 && bench_logged(2) == 2);
	bench_remove_all();
	check_quiet(0);
}

/* A program that needs more comparators than are free is refused whole, and they are free again. */
/* proves: P9.1 P9.17 */
static void no_comparator(void)
{
	bench_start();
	for (unsigned n = 2; n < SIM_COMPARATORS; n++)
		dp_sim.comparator[n].foreign = 1;
	CHECK(refused(NAME("a") WATCH("w") "exit\naddress = 0x20000080\nwatchpoint = w\nexit\n"
					   "address = 0x20000090\nwatchpoint = w\nexit\n") ==
	      DP_ERR_NO_COMPARATOR);
	check_quiet(0);
	CHECK(bench_install(NAME("a") WATCH("w") "exit\n") == 0);
	CHECK(bench_install(NAME("b") WATCH("rw") "exit\n") == 1); /* another kind: another one */
	check_quiet(2);
	CHECK(refused(NAME("c") "address = 0x20000080\nwatchpoint = w\nexit\n") ==
	      DP_ERR_NO_COMPARATOR);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
	CHECK(bench_install(NAME("c") "address = 0x20000080\nwatchpoint = w\nexit\n") == 1);
	bench_remove_all();
	dp_sim.comparator[0].foreign = 1; /* the free one is not the first */
	CHECK(bench_install(NAME("a") WATCH("w") "exit\n") == 0);
	CHECK(watch_of(0, 0)->comparator == 1 && dp_sim.comparator[1].on);
	bench_remove_all();
	dp_sim.comparator[1].foreign = 1;
	CHECK(refused(NAME("a") WATCH("w") "exit\n") == DP_ERR_NO_COMPARATOR);
}

/* The reason is told. */
/* proves: P9.27 */
static void used_by_the_firmware(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") "exit\n") == 0);
	dp_sim.watch_used = 1;
	CHECK(refused(NAME("b") "address = 0x20000080\nwatchpoint = w\nexit\n") ==
	      DP_ERR_WATCH_UNIT_USED);
	check_quiet(1);
	bench_remove_all();
	CHECK(refused(NAME("a") WATCH("w") "exit\n") == DP_ERR_WATCH_UNIT_USED);
	dp_sim.watch_used = 0;
	CHECK(bench_install(NAME("a") WATCH("w") "exit\n") == 0);
}

/* A watchpoint is one of the image; a module has none, and such a point does not wait. */
static enum dp_err in_module(void)
{
	CHECK(bench_compile("name = \"m\"\nmodtype = kmod\noffset = 0x40\nexit\n"));
	bench.object[TRAITS + DP_TR_KIND] = DP_PROBE_WATCH_W;
	bench.object[TRAITS + DP_TR_LENGTH] = 4;
	bench_seal();
	return (enum dp_err)bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error;
}

/* What the port cannot watch. */
/* proves: P9.3 R2.40 */
static void no_watchpoint(void)
{
	bench_start();
	CHECK(refused(NAME("a") WATCH("io") "exit\n") == DP_ERR_NO_WATCHPOINT);
	CHECK(refused(NAME("a") WATCH("w") "phase = after\nexit\n") == DP_ERR_BAD_PHASE);
	CHECK(in_module() == DP_ERR_NO_WATCHPOINT);
	CHECK(dp_module_loaded(agent, &module) == DP_ERR_OK);
	CHECK(in_module() == DP_ERR_NO_WATCHPOINT);
	CHECK(bench_compile(NAME("a") WATCH("w") "exit\n"));
	watch_long(DATA, SIM_WATCHED_MAX + 1);
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_NO_WATCHPOINT);
	watch_long(FIRMWARE_RAM + SIM_WATCHED_MAX - 1,
		   2); /* across a border of the largest piece */
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_NO_WATCHPOINT);
	check_quiet(0);
}

/* A probe on the instruction that accesses: the trap comes first, then the access. */
static void probe_on_the_instruction(bool late)
{
	bench_start();
	put_insn(SIM_STORE);
	CHECK(bench_install(late ? NAME("a") AT_TEXT "phase = after\npush 1\nlog 1\nexit\n"
				 : NAME("a") AT_TEXT "push 1\nlog 1\nexit\n") == 0);
	CHECK(bench_install(NAME("b") WATCH("w") "push 2\nlog 1\nexit\n") == 1);
	for (unsigned i = 0; i < 3; i++) {
		firmware_set_access(DATA, 0x30 + i, 4);
		firmware_run(AT, 1);
		bench_poll();
		CHECK(bench.records == 2 * i + 2 && firmware.executed == i + 1);
		CHECK(bench_logged(2 * i + late) == 1 && firmware_word(DATA) == 0x30 + i);
		check_quiet(1);
	}
	CHECK(hits(0, 0) == 3 && hits(1, 0) == 3);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* Both stop the CPU at one instruction: the comparator does first, and the trap is not executed. */
/* proves: P9.20 */
static void probe_under_execution(enum sim_insn insn, bool late)
{
	bench_start();
	put_insn(insn);
	CHECK(bench_install(NAME(
		      "a") "address = 0x08000100\nwatchpoint = x\npush 1\nlog 1\nexit\n") == 0);
	CHECK(bench_install(late ? NAME("b") AT_TEXT
				    "maxhits = 3\nphase = after\npush 2\nlog 1\nexit\n"
				 : NAME("b") AT_TEXT "maxhits = 3\npush 2\nlog 1\nexit\n") == 1);
	firmware_set_access(DATA, 5, 4);
	for (unsigned i = 0; i < 4; i++) {
		firmware_run(AT, 1);
		bench_poll();
		CHECK(firmware.executed == i + 1 && bench_logged(i < 3 ? 2 * i : 6) == 1);
	}
	CHECK(hits(0, 0) == 4 && hits(1, 0) == 3 && bench.records == 7);
	CHECK(bench_probe(1, 0)->state == DP_PROBE_DISABLED && bench_probe(1, 0)->missed == 0);
	check_quiet(1);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* A handler lets the function return: the instruction does not run, and the next hit is one of its
 * own. */
/* proves: R5.139 R5.140 */
static void returns_under_execution(enum sim_insn insn)
{
	enum {
		CALLER = FIRMWARE_TEXT + 0x200,
		OTHER = FIRMWARE_TEXT + 0x300,
		LR = 14
	};

	bench_start();
	put_insn(insn);
	CHECK(bench_install(NAME(
		      "a") "address = 0x08000100\nwatchpoint = x\npush 1\nlog 1\nexit\n") == 0);
	CHECK(bench_install(NAME("b") AT_TEXT "function = 16\npush 7\nreturn 1\nabort\n") == 1);
	CHECK(bench_install(NAME("c") AT_TEXT "phase = returned\npush r, r0\nlog 1\nexit\n") == 2);
	CHECK(bench_install(NAME("d") "offset = 0x08000300\npush 3\nlog 1\nexit\n") == 3);
	*firmware.frame.word[sim_row(LR)] = CALLER;
	*firmware.frame.word[sim_row(PC)] = AT;
	firmware_step();
	CHECK(dp_port_pc(&firmware.frame) == CALLER && firmware.executed == 0);
	*firmware.frame.word[sim_row(0)] = 9;
	firmware_run(OTHER, 1);
	bench_poll();
	CHECK(dp_port_pc(&firmware.frame) == OTHER + 4 && firmware.executed == 1);
	CHECK(*firmware.frame.word[sim_row(0)] == 9 && bench.records == 3);
	CHECK(bench_logged(0) == 1 && bench_logged(1) == 7 && bench_logged(2) == 3);
	check_quiet(1);
}

/* The instruction and what it accesses are both watched. */
/* proves: P9.19 */
static void two_stops(bool behind, bool probed)
{
	bench_start();
	put_insn(SIM_STORE);
	dp_sim.watch_after = behind ? DP_WATCHED_WRITE : 0;
	CHECK(bench_install(NAME(
		      "a") "address = 0x08000100\nwatchpoint = x\npush 1\nlog 1\nexit\n") == 0);
	CHECK(bench_install(NAME("b") WATCH("w") "maxhits = 2\npush 2\nlog 1\nexit\n") == 1);
	if (probed)
		CHECK(bench_install(NAME("c") AT_TEXT "phase = after\npush 3\nlog 1\nexit\n") == 2);
	for (unsigned i = 0; i < 3; i++)
		store(DATA, 0x70 + i, 4);
	CHECK(firmware_word(DATA) == 0x72 && firmware.executed == 3);
	CHECK(hits(0, 0) == 3 && hits(1, 0) == 2 && bench_probe(1, 0)->missed == 0);
	CHECK(bench_logged(0) == 1 && bench_logged(1) == 2);
	CHECK(bench.records == (probed ? 8u : 5u) && (!probed || hits(2, 0) == 3));
	CHECK(bench_probe(1, 0)->state == DP_PROBE_DISABLED);
	check_quiet(1);
}

/* The access faults: no record of it, and the firmware sees its own fault. */
static void faulting(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") "address = 0x30000000\nwatchpoint = w\n" LOG_PC) == 0);
	CHECK(bench_install(NAME("b") "address = 0x08000100\nwatchpoint = x\n" LOG_PC) == 1);
	store(FIRMWARE_CONST, 1, 4); /* `x` stops first, then the store in the slot faults */
	CHECK(firmware.faults == 1 && firmware.fault_pc == AT);
	CHECK(bench.records == 0 && hits(0, 0) == 0 && hits(1, 0) == 1);
	CHECK(bench_probe(1, 0)->faulted == 1);
	check_quiet(2);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
	store(FIRMWARE_CONST, 1, 4);
	CHECK(firmware.faults == 2 && bench.records == 0);
	check_quiet(1);
	CHECK(bench_install(NAME("c") AT_TEXT "push 1\nlog 1\nexit\n") == 1);
	store(FIRMWARE_CONST, 1, 4); /* from a one-trap slot */
	CHECK(firmware.faults == 3 && firmware.fault_pc == AT && bench.records == 0);
	CHECK(bench_probe(1, 0)->faulted == 1);
	check_quiet(1);
}

/* An instruction that no slot can step runs with the comparator off, which dp_poll switches on. */
/* proves: P9.11 */
static void not_steppable(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	put_insn(SIM_EXCLUSIVE);
	firmware_set_access(DATA, 0x77, 4);
	firmware_run(AT, 1);
	CHECK(firmware_word(DATA) == 0x77 && firmware.executed == 1);
	CHECK(watch_of(0, 0)->rests && bench_probe(0, 0)->missed == 1 && hits(0, 0) == 0);
	CHECK(!dp_sim.comparator[0].on && bench_probe(0, 0)->state == DP_PROBE_ARMED);
	bench_poll();
	check_quiet(1);
	store(DATA, 1, 4);
	CHECK(hits(0, 0) == 1 && bench.records == 1);
}

/* An access that no comparator of ours covers is the firmware's: its debugger has one too. */
/* proves: P9.16 */
static void foreign(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	dp_sim.comparator[1] = (struct sim_comparator){
		.first = DATA + 8, .bytes = 4, .kind = DP_PROBE_WATCH_W, .on = 1, .foreign = 1};
	store(DATA + 8, 1, 4);
	CHECK(firmware.foreign_traps == 1 && bench.records == 0);
}

/* The CPU tells an address that no comparator covers, and would stop at the instruction without
 * end. */
/* proves: P9.26 */
static void told_wrong(const char *watch, enum sim_insn insn, const char *probe)
{
	bench_start();
	put_insn(insn);
	CHECK(bench_install(watch) == 0);
	CHECK(!probe || bench_install(probe) == 1);
	dp_sim.watch_wrong = 0x800;
	for (unsigned i = 0; i < 3; i++) {
		access(insn, DATA, 0x40 + i, 4);
		CHECK(firmware.executed == i + 1 && hits(0, 0) == i + 1);
		CHECK(insn != SIM_STORE || firmware_word(DATA) == 0x40 + i);
		check_quiet(1);
	}
	CHECK(!probe || hits(1, 0) == 3);
	CHECK(bench.records == (probe ? 6u : 3u) && firmware.foreign_traps == 0);
}

/* No comparator is there for the kind that the CPU tells. */
static void told_wrong_kind(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	dp_sim.watch_wrong = 0x800;
	put_insn(SIM_STORE);
	firmware_set_access(DATA, 0x21, 4);
	*firmware.frame.word[sim_row(PC)] = AT;
	for (unsigned i = 0; i < 2; i++) {
		CHECK(hits(0, 0) == 0 && sim_watched(DATA, 4, DP_WATCHED_WRITE));
		dp_sim.access.kinds = DP_WATCHED_READ;
		CHECK(dp_port_exception(SIM_WATCHED, &firmware.frame) == DP_RESUME);
	}
	firmware_run(dp_port_pc(&firmware.frame), 1);
	CHECK(firmware_word(DATA) == 0x21 && hits(0, 0) == 1);
	bench_poll();
	check_quiet(1);
}

static void report_stray(dp_addr pc)
{
	*firmware.frame.word[sim_row(PC)] = pc;
	CHECK(sim_watched(DATA, 4, DP_WATCHED_WRITE));
	dp_sim.comparator[0].on = 0; /* gone meanwhile */
	dp_sim.access.address += 0x800;
	CHECK(dp_port_exception(SIM_WATCHED, &firmware.frame) == DP_RESUME);
	CHECK(dp_port_pc(&firmware.frame) == pc);
	dp_sim.comparator[0].on = 1;
}

/* Reports that are not two in a row at one pc are those of watchpoints that have just gone. */
static void strays_apart(void)
{
	bench_start();
	put_insn(SIM_STORE);
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	CHECK(bench_install(NAME("b") "address = 0x20000080\nwatchpoint = w\n" LOG_PC) == 1);
	report_stray(AT);
	report_stray(AT + 4); /* another pc */
	report_stray(AT);
	store(DATA, 1, 4); /* a hit between them */
	CHECK(hits(0, 0) == 1);
	report_stray(AT);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0); /* one more has gone */
	report_stray(AT);
	CHECK(hits(0, 0) == 1 && bench.records == 1);
	check_quiet(1);
}

/* The comparator is on again behind each access. */
static void again_and_again(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	for (unsigned i = 0; i < 100; i++) {
		store(DATA, i, 4);
		CHECK(firmware_word(DATA) == i);
	}
	CHECK(hits(0, 0) == 100 && bench.records == 100);
	check_quiet(1);
}

int main(void)
{
	one_hit_per_access();
	reads_and_writes();
	execution();
	before_and_behind();
	reported_behind();
	reported_behind_in_a_slot(NAME("b") AT_TEXT "maxhits = 1\nexit\n");
	reported_behind_in_a_slot(NAME("b") AT_TEXT "maxhits = 1\nphase = after\nexit\n");
	two_match();
	told_little();
	wider_than_asked();
	near_the_agent();
	counts();
	chain();
	no_comparator();
	used_by_the_firmware();
	no_watchpoint();
	probe_on_the_instruction(false);
	probe_on_the_instruction(true);
	probe_under_execution(SIM_NOP, false);
	probe_under_execution(SIM_STORE, false);
	probe_under_execution(SIM_STEPPED, false);
	probe_under_execution(SIM_AWAY, false);
	probe_under_execution(SIM_NOP, true);
	probe_under_execution(SIM_STORE, true);
	returns_under_execution(SIM_NOP);
	returns_under_execution(SIM_STORE);
	returns_under_execution(SIM_AWAY);
	two_stops(false, false);
	two_stops(false, true);
	two_stops(true, false);
	two_stops(true, true);
	faulting();
	not_steppable();
	foreign();
	told_wrong(NAME("a") WATCH("w") LOG_PC, SIM_STORE, NULL);
	told_wrong(NAME("a") WATCH("rw") LOG_PC, SIM_LOAD, NULL);
	told_wrong(NAME("a") WATCH("r") LOG_PC, SIM_LOAD, NULL);
	told_wrong(NAME("a") "address = 0x08000100\nwatchpoint = x\n" LOG_PC, SIM_NOP, NULL);
	told_wrong(NAME("a") WATCH("w") LOG_PC, SIM_STORE,
		   NAME("b") AT_TEXT "push 1\nlog 1\nexit\n");
	told_wrong(NAME("a") WATCH("w") LOG_PC, SIM_STORE,
		   NAME("b") AT_TEXT "phase = after\npush 1\nlog 1\nexit\n");
	told_wrong_kind();
	strays_apart();
	again_and_again();
	return check_status();
}
