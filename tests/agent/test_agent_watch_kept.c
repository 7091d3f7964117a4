/* SPDX-License-Identifier: BSD-2-Clause */
/* What the agent keeps of watchpoints by comparators between accesses: the sites and the
 * comparators, also when others change them, and its own accesses, which are no hits. */
#include "watches.h"

#include "dp_bytes.h"
#include "dp_lock.h"

/* The watchpoint goes while the CPU is on its way to the agent: the firmware sees nothing. */
/* proves: P9.18 */
static void just_gone(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	put_insn(SIM_STORE);
	firmware_set_access(DATA, 0x21, 4);
	*firmware.frame.word[sim_row(PC)] = AT;
	CHECK(sim_watched(DATA, 4, DP_WATCHED_WRITE));
	bench_remove_all();
	CHECK(dp_port_exception(SIM_WATCHED, &firmware.frame) == DP_RESUME);
	CHECK(dp_port_pc(&firmware.frame) == AT);
	firmware_run(AT, 1);
	CHECK(firmware_word(DATA) == 0x21 && firmware.foreign_traps == 0 && bench.records == 0);
	check_quiet(0);
}

/* A reset does not switch comparators off: the next agent does, and leaves a debugger's alone. */
/* proves: P9.12 */
static void warm_restart(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		CHECK(firmware.keep.entry[i].address == 0); /* no note */
	dp_sim.comparator[1] =
		(struct sim_comparator){.first = DATA, .bytes = 4, .on = 1, .foreign = 1};
	bench_warm();
	CHECK(!dp_sim.comparator[0].on && dp_sim.comparator[1].on && agent->comparators == 0);
	CHECK(agent->restored == 0);
}

static void poll_often(void)
{
	bench_polls(2 * DP_SITES);
}

/* The notice: probe, address. */
static void check_lost_notice(void)
{
	const struct dp_frame_in *notice = &bench.line[0].notice_of[DP_NOTICE_WATCH_LOST];
	dp_addr address = 0;

	for (unsigned i = 0; i < 2 * sizeof(address); i++)
		address = address << 4 | notice->payload[DP_STREAM_HEAD + 4 + i];
	CHECK(notice->payload[DP_STREAM_HEAD + 1] == DP_NOTICE_WATCH_LOST && address == DATA);
}

/* The patrol reads the comparators back, and seals their sites. */
/* proves: P9.5 P9.7 R5.73 */
static void patrol(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	poll_often();
	CHECK(bench_probe(0, 0)->state == DP_PROBE_ARMED);
	dp_sim.comparator[0].first += 8;
	poll_often();
	CHECK(bench_probe(0, 0)->state == DP_PROBE_WATCH_LOST && agent->comparators == 0);
	check_lost_notice();
	bench_remove_all();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	watch_of(0, 0)->bytes ^= 0x10;
	poll_often();
	CHECK(bench_probe(0, 0)->state == DP_PROBE_DAMAGED);
	check_quiet(0);
	bench_remove_all();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	store(DATA, 1, 4);
	CHECK(hits(0, 0) == 1);
}

/* Sites of comparators are in no bucket, whatever their addresses. */
static void not_in_the_hash(void)
{
	bench_start();
	CHECK(bench_install(NAME(
		      "a") "address = 0x08000100\nwatchpoint = x\npush 1\nlog 1\nexit\n") == 0);
	CHECK(dp_site_find(agent, AT) == NULL);
	CHECK(bench_probe(0, 0)->site == DP_WATCH_BASE);
	CHECK(agent->site[DP_WATCH_BASE].means == DP_MEANS_COMPARE);
	CHECK(bench_install(NAME("b") AT_TEXT "push 2\nlog 1\nexit\n") == 1);
	CHECK(dp_site_find(agent, AT) == &agent->site[bench_probe(1, 0)->site]);
	CHECK(bench_probe(1, 0)->site < DP_MAX_PROBES);
}

/* A handler may read what it watches, and so may every request: no hit of the agent's own. */
static void own_accesses(void)
{
	bench_start();
	put_insn(SIM_STORE);
	CHECK(bench_install(
		      NAME("a") WATCH("rw") "push 0x20000040\npush mem, u32\nlog 1\nexit\n") == 0);
	CHECK(bench_install(NAME("b") AT_TEXT "push 0x20000040\npush mem, u32\nlog 1\nexit\n") ==
	      1);
	store(DATA, 5, 4);
	CHECK(bench.records == 2 && bench_logged(0) != 5 && bench_logged(1) == 5);
	CHECK(hits(0, 0) == 1 && hits(1, 0) == 1);
	bench_remove_all();
	CHECK(bench_install(
		      NAME("a") "address = 0x08000200 : 0x08000203\nwatchpoint = rw\nexit\n") == 0);
	CHECK(bench_install(NAME("b") "offset = 0x08000200\nexit\n") == 1);
	poll_often();
	CHECK(dp_sim.own_accesses == 0 && hits(0, 0) == 0);
}

/* The driver of the line reads a watched variable for each character, in hits and in locked
 * stretches of dp_poll; so does a handler that runs without a hit. */
static bool (*put_behind)(void *context, uint8_t byte);
static unsigned driver_reads;

static bool driver_put(void *context, uint8_t byte)
{
	driver_reads++;
	sim_own_access(DATA, 4, DP_WATCHED_READ);
	return put_behind(context, byte);
}

/* proves: P9.9 */
static void own_driver(uint8_t mode)
{
	const uint8_t log[] = {DP_COM1, mode};

	bench_start();
	put_behind = firmware.board.com[0].put;
	firmware.board.com[0].put = driver_put;
	CHECK(bench_ask(DP_CMD_LOG, log, sizeof(log)).error == 0);
	CHECK(bench_install(NAME("a") WATCH("rw") LOG_PC) == 0);
	driver_reads = 0;
	for (unsigned i = 0; i < 5; i++)
		store(DATA, i, 4);
	CHECK(bench.records == 5 && bench.bad_records == 0 && driver_reads > 100);
	CHECK(hits(0, 0) == 5);
	check_quiet(1);
}

/* BEGIN of another program reads what is watched. */
static void own_event(void)
{
	const unsigned point = TRAITS + DP_TRAITS_BYTES;

	bench_start();
	CHECK(bench_install(NAME("a") WATCH("rw") LOG_PC) == 0);
	CHECK(bench_compile(NAME("b") AT_TEXT "push 0x20000040\npush mem, u32\nlog 1\nexit\n"));
	bench.object[TRAITS + DP_TR_KIND] = DP_PROBE_EVENT;
	dp_put_u32(bench.object + point + DP_PT_ADDRESS, 0);
	bench_seal();
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == 0);
	bench_poll();
	CHECK(bench.records == 1 && hits(1, 0) == 1 && hits(0, 0) == 0);
	check_quiet(1);
}

/* An access that is reported all the same, while the agent is at work, runs no handler. */
static void own_reported(void)
{
	dp_irq irq;

	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	CHECK(sim_watched(DATA, 4, DP_WATCHED_WRITE));
	*firmware.frame.word[sim_row(PC)] = AT;
	irq = dp_mask_take();
	CHECK(dp_port_exception(SIM_WATCHED, &firmware.frame) == DP_RESUME);
	CHECK(dp_port_pc(&firmware.frame) == AT && !DP_THIS_CPU(agent)->in_hit);
	dp_mask_give(irq);
	CHECK(hits(0, 0) == 0 && bench_probe(0, 0)->missed == 1 && watch_of(0, 0)->rests);
	bench_poll();
	check_quiet(1);
}

/* Removed by another CPU while the access is on its way, and another watchpoint gets the
 * comparator: neither the old handler nor the new one runs for it. */
static void removed_meanwhile(bool again)
{
	bench_start();
	put_insn(SIM_STORE);
	CHECK(bench_install(NAME("a") WATCH("w") LOG_PC) == 0);
	firmware_set_access(DATA, 0x21, 4);
	*firmware.frame.word[sim_row(PC)] = AT;
	firmware_step(); /* to the scratch slot */
	CHECK(dp_port_slot_origin(dp_port_pc(&firmware.frame)) == AT);
	CHECK(dp_sim.watch_paused == 1 && DP_THIS_CPU(agent)->pending);
	bench_remove_all();
	if (again)
		CHECK(bench_install(NAME("b") WATCH("rw") LOG_PC) == 0);
	firmware_step();
	CHECK(firmware_word(DATA) == 0x21 && dp_port_pc(&firmware.frame) == AT + 4);
	bench_poll();
	check_quiet(again);
	CHECK(bench.records == 0 && firmware.foreign_traps == 0);
	store(DATA, 0x22, 4);
	CHECK(bench.records == (again ? 1u : 0u) && (!again || hits(0, 0) == 1));
}

int main(void)
{
	just_gone();
	warm_restart();
	patrol();
	not_in_the_hash();
	own_accesses();
	own_driver(DP_MODE_SYNCHRONOUS);
	own_driver(DP_MODE_BUFFERED);
	own_event();
	own_reported();
	removed_meanwhile(false);
	removed_meanwhile(true);
	return check_status();
}
