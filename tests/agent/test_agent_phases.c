/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes after an instruction and on its fault: when they run, what they see, what is counted. */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_probes.h"
#include "dp_sites.h"

enum {
	AT = 0x08000100
};
#define AT_TEXT "offset = 0x08000100\n"
#define LOG_PC  "push r, pc\nlog 1\nexit\n"

static void start(enum sim_insn insn)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)insn << 24);
}

static int install(const char *name, const char *phase, const char *more)
{
	char source[200];

	snprintf(source, sizeof(source), "name = \"%s\"\n" AT_TEXT "phase = %s\n%s" LOG_PC, name,
		 phase, more);
	return bench_install(source);
}

static struct dp_probe *probe_of(int program)
{
	return dp_probe_next(&firmware.agent, (unsigned)program, NULL);
}

/* Both run, each once, whichever way the instruction is stepped; the late one sees where it leads.
 */
static void completes(enum sim_insn insn)
{
	start(insn);
	CHECK(install("a", "after", "") == 0);
	CHECK(install("b", "before", "") == 1);
	CHECK(install("f", "fault", "") == 2);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 2 && bench_logged(0) == AT && bench_logged(1) == AT + 4);
	CHECK(dp_probe_hits(probe_of(0)) == 1 && dp_probe_hits(probe_of(1)) == 1 &&
	      dp_probe_hits(probe_of(2)) == 0);
	CHECK(firmware.executed == 1 && firmware.faults == 0 && firmware.agent.cpu[0].in_hit == 0);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* The one on the fault runs instead of the one behind; what was logged before is dropped, what is
 * logged on the fault is not. The firmware sees the fault at the instruction. */
static void faults(enum sim_insn insn)
{
	start(insn);
	CHECK(install("b", "before", "") == 0);
	CHECK(install("a", "after", "") == 1);
	CHECK(install("f", "fault", "") == 2);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == AT);
	CHECK(bench.record[0].head.probe == (uint8_t)(probe_of(2) - firmware.agent.probe));
	CHECK(bench.record[0].head.flags == 0);
	CHECK(dp_probe_hits(probe_of(0)) == 1 && probe_of(0)->faulted == 1);
	CHECK(dp_probe_hits(probe_of(1)) == 0 && probe_of(1)->faulted == 1);
	CHECK(dp_probe_hits(probe_of(2)) == 1 && probe_of(2)->faulted == 0);
	CHECK(firmware.faults == 1 && firmware.fault_pc == AT);
}

/* An instruction whose condition is false neither completes nor faults. */
/* proves: P4.1 */
static void condition_false(void)
{
	start(SIM_NEVER);
	CHECK(install("a", "after", "") == 0);
	CHECK(install("f", "fault", "") == 1);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 0 && firmware.executed == 1);
	CHECK(dp_probe_hits(probe_of(0)) == 0 && dp_probe_hits(probe_of(1)) == 0);
}

/* The branch executes in both cases. A probe with `taken` runs where the branch is taken, the other
 * one always, in any order of the chain; alone, it follows no plan. */
/* proves: P4.13 */
static void branches(void)
{
	static const char *const taken = "taken = yes\n";

	start(SIM_IF);
	CHECK(install("t", "before", taken) == 0);
	firmware_run(AT, 1);
	dp_sim.condition = true;
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(probe_of(0)) == 1 && firmware.executed == 2);
	CHECK(install("b", "before", "") == 1 && install("u", "before", taken) == 2);
	CHECK(install("a", "after", "") == 3);
	firmware_run(AT, 1);
	dp_sim.condition = false;
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(probe_of(0)) == 2 && dp_probe_hits(probe_of(1)) == 2);
	CHECK(dp_probe_hits(probe_of(2)) == 1 && dp_probe_hits(probe_of(3)) == 2);
	bench_poll();
	CHECK(bench.records == 7 && firmware.executed == 4);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* Every other instruction is taken when it executes. */
static void taken_anyway(enum sim_insn insn, unsigned hits)
{
	start(insn);
	CHECK(install("t", "before", "taken = yes\n") == 0);
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(probe_of(0)) == hits && firmware.executed == 1);
}

/* ignore and maxhits count branches that are taken. */
static void counts_taken(void)
{
	start(SIM_IF);
	CHECK(install("t", "before", "taken = yes\nignore = 1\nmaxhits = 1\n") == 0);
	firmware_run(AT, 1);
	CHECK(bench_ignored(0, 0) == 0);
	dp_sim.condition = true;
	firmware_run(AT, 1);
	CHECK(bench_ignored(0, 0) == 1 && dp_probe_hits(probe_of(0)) == 0);
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(probe_of(0)) == 1 && firmware_text_is_original());
}

/* maxhits of a late probe takes the trap out. */
static void ends(enum sim_insn insn, const char *phase)
{
	start(insn);
	CHECK(install("t", phase, "maxhits = 1\n") == 0);
	firmware_run(AT, 1);
	CHECK(firmware_text_is_original() && dp_probe_hits(probe_of(0)) == 1);
	CHECK(probe_of(0)->state == DP_PROBE_DISABLED);
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(probe_of(0)) == 1);
}

/* ignore counts the probe's own events: here faults, not traps. */
static void ignores(void)
{
	start(SIM_STEPPED);
	CHECK(install("f", "fault", "ignore = 1\n") == 0);
	firmware_run(AT, 1);
	CHECK(bench_ignored(0, 0) == 0);
	CHECK(install("a", "after", "ignore = 1\n") == 1);
	firmware_run(AT, 1);
	firmware_run(AT, 1);
	CHECK(bench_ignored(1, 0) == 1 && dp_probe_hits(probe_of(1)) == 1);
}

/* A probe that comes later to an armed one-trap site makes it tell how the instruction ended. */
static void joins(void)
{
	start(SIM_AWAY);
	CHECK(install("b", "before", "") == 0);
	firmware_run(AT, 1);
	CHECK(install("a", "after", "") == 1);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 3 && bench_logged(2) == AT + 4);
	CHECK(dp_probe_hits(probe_of(0)) == 2 && dp_probe_hits(probe_of(1)) == 1);
}

/* The other way round, in programs of their own and in one: the late one still runs. */
static void joined(void)
{
	static const char *const one =
		"name = \"o\"\n" AT_TEXT "phase = after\n" LOG_PC AT_TEXT "minor = 1\n" LOG_PC;

	start(SIM_AWAY);
	CHECK(install("a", "after", "") == 0);
	CHECK(install("b", "before", "") == 1);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 2 && bench_logged(0) == AT && bench_logged(1) == AT + 4);
	start(SIM_AWAY);
	CHECK(bench_install(one) == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 2 && bench_logged(0) == AT && bench_logged(1) == AT + 4);
}

/* One trap or two at the hit that comes? */
static bool one_trap(void)
{
	const struct dp_site *site = dp_site_find(&firmware.agent, AT);

	firmware_run(AT, 1);
	return dp_sim.one_trap[site->port.slot];
}

/* A site takes two traps only while an active probe needs the second. */
/* proves: P3.1 P3.15 P4.7 */
static void goes_back(void)
{
	uint8_t check[4] = {0, 0, DP_COMMIT_NO_IDENTITY, 0};
	uint16_t transaction = 0;

	start(SIM_AWAY);
	CHECK(install("b", "before", "") == 0 && one_trap());
	CHECK(bench_compile("name = \"c\"\n" AT_TEXT "phase = after\n" LOG_PC));
	CHECK(bench_upload(&transaction).error == 0);
	dp_put_u16(check, transaction);
	CHECK(bench_ask(DP_CMD_CHECK, check, sizeof(check)).error == 0 && one_trap());
	CHECK(install("a", "after", "") == 1 && !one_trap());
	CHECK(bench_ask(DP_CMD_CHECK, check, sizeof(check)).error == DP_ERR_BAD_TXN);
	CHECK(!one_trap() && dp_probe_hits(probe_of(1)) == 2);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0 && one_trap());
	CHECK(install("m", "after", "maxhits = 1\n") == 1);
	CHECK(!one_trap() && dp_probe_hits(probe_of(1)) == 1 && one_trap());
	CHECK(dp_probe_hits(probe_of(0)) == 7);
}

static void nested(struct dp_hook_call *call)
{
	(void)call;
	firmware_nested(AT, 1);
}

/* A hit inside a hit: each probe misses what it would have run at, and only that. */
static void missed(enum sim_insn insn, unsigned before, unsigned after, unsigned fault)
{
	start(insn);
	firmware.board.exit_hook[0] = nested;
	CHECK(bench_install("name = \"outer\"\noffset = 0x08000200\nexit 1\n") == 0);
	CHECK(install("b", "before", "") == 1);
	CHECK(install("a", "after", "") == 2);
	CHECK(install("f", "fault", "") == 3);
	firmware_run(0x08000200, 1);
	CHECK(probe_of(1)->missed == before && probe_of(2)->missed == after &&
	      probe_of(3)->missed == fault);
	CHECK(dp_probe_hits(probe_of(1)) + dp_probe_hits(probe_of(2)) +
		      dp_probe_hits(probe_of(3)) ==
	      0);
	CHECK(firmware.agent.cpu[0].in_hit == 0 && !firmware.agent.cpu[0].pending);
}

/* A branch that is not taken is not missed. */
static void missed_taken(bool condition)
{
	start(SIM_IF);
	dp_sim.condition = condition;
	firmware.board.exit_hook[0] = nested;
	CHECK(bench_install("name = \"outer\"\noffset = 0x08000200\nexit 1\n") == 0);
	CHECK(install("t", "before", "taken = yes\n") == 1);
	firmware_run(0x08000200, 1);
	CHECK(probe_of(1)->missed == condition && dp_probe_hits(probe_of(1)) == 0);
}

int main(void)
{
	goes_back();
	completes(SIM_NOP);
	completes(SIM_STEPPED);
	completes(SIM_AWAY);
	faults(SIM_FAULT);
	faults(SIM_SLOT_FAULT);
	condition_false();
	branches();
	taken_anyway(SIM_NOP, 1);
	taken_anyway(SIM_AWAY, 1);
	taken_anyway(SIM_STEPPED, 1);
	taken_anyway(SIM_NEVER, 0);
	counts_taken();
	ends(SIM_NOP, "after");
	ends(SIM_STEPPED, "after");
	ends(SIM_FAULT, "fault");
	ends(SIM_SLOT_FAULT, "fault");
	ignores();
	joins();
	joined();
	missed(SIM_NOP, 1, 1, 0);
	missed(SIM_STEPPED, 1, 1, 0);
	missed(SIM_FAULT, 1, 0, 1);
	missed(SIM_SLOT_FAULT, 1, 0, 1);
	missed_taken(false);
	missed_taken(true);
	return check_status();
}
