/* SPDX-License-Identifier: BSD-2-Clause */
/* Hits: chains, counters, faults, steps.  agent/README.md */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_lock.h"
#include "sim_insn.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	OTHER = FIRMWARE_TEXT + 0x200
};

/* proves: R5.27 R7.4 */
static void chain(void)
{
	int first, second, third;

	bench_start();
	first = bench_install(
		"name = \"a\"\noffset = 0x08000100\npush 7\npop r, r0\npush 1\nlog 1\nexit\n");
	second = bench_install("name = \"b\"\noffset = 0x08000100\npush r, r0\nlog 1\nexit\n");
	third = bench_install("name = \"c\"\noffset = 0x08000100\npush 3\nlog 1\nexit\n");
	CHECK(first == 0 && second == 1 && third == 2);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(firmware.executed == 1 && bench.records == 3);
	CHECK(bench_logged(0) == 1 && bench_logged(1) == 7 && bench_logged(2) == 3);
	CHECK(bench.record[0].head.probe < bench.record[1].head.probe);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
	CHECK(firmware_word(AT) == DP_SIM_TRAP_WORD);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 5 && bench_logged(3) == 1 && bench_logged(4) == 3);
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	CHECK(firmware_word(AT) == DP_SIM_TRAP_WORD);
	CHECK(bench_ask(DP_CMD_REMOVE, "\2", 1).error == 0);
	CHECK(firmware_text_is_original());
}

static void ignore_and_maxhits(void)
{
	int program;

	bench_start();
	program =
		bench_install("name = \"t\"\noffset = 0x08000100\nignore = 2\nmaxhits = 3\nexit\n");
	for (unsigned i = 0; i < 7; i++)
		firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 3 && firmware.executed == 7);
	CHECK(dp_probe_hits(bench_probe(program, 0)) == 3 && bench_ignored(program, 0) == 2);
	CHECK(bench_probe(program, 0)->state == DP_PROBE_DISABLED && firmware_text_is_original());
}

/* The text is the original again where no probe of the chain is active, and only there. */
static void remove_instruction(void)
{
	int program, other;

	bench_start();
	program = bench_install("name = \"t\"\noffset = 0x08000100\npush 1\nlog 1\nremove\n");
	other = bench_install("name = \"u\"\noffset = 0x08000100\nmaxhits = 2\nexit\n");
	firmware_run(AT, 1);
	CHECK(bench_probe(program, 0)->state == DP_PROBE_REMOVED &&
	      firmware_word(AT) == DP_SIM_TRAP_WORD);
	firmware_run(AT, 1);
	CHECK(bench_probe(other, 0)->state == DP_PROBE_DISABLED && firmware_text_is_original());
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 3 && firmware.executed == 3);
}

/* proves: R2.25 A3.18 */
static void overrun(void)
{
	int program;

	bench_start();
	program = bench_install("name = \"t\"\njmpmax = 65535\noffset = 0x08000100\nl:\njmp l\n");
	bench_poll();
	bench.line[0].notices = 0;
	for (unsigned i = 0; i < DP_OVERRUNS_MAX + 3; i++)
		firmware_run(AT, 1);
	bench_poll();
	CHECK(firmware.executed == DP_OVERRUNS_MAX + 3 && bench.records == DP_OVERRUNS_MAX);
	CHECK(bench.record[0].head.flags == DP_RECORD_BUDGET);
	CHECK(bench_probe(program, 0)->state == DP_PROBE_OVERRUN && firmware_text_is_original());
	CHECK(bench_probe(program, 0)->overruns_total == DP_OVERRUNS_MAX);
	CHECK(bench.line[0].notices == 1 &&
	      bench.line[0].notice.payload[DP_STREAM_HEAD + 1] == DP_NOTICE_PROBE_DISABLED);
}

/* A procedure that calls itself twice ends by CALL_MAX in each hit; one that catches CALL_MAX and
 * one that gets another exception go on. */
static void call_max_is_an_overrun(void)
{
	static const struct {
		const char *code;
		bool overruns;
	} rows[] = {
		{"call f\nexit\nproc f\ncall f\ncall f\nret\nendproc\n", true},
		{"excpt_mask = 0xffff\nsx out\ncall f\nout:\nexit\nproc f\ncall f\ncall "
		 "f\nret\nendproc\n",
		 false},
		{"ret\n", false}, /* CALL_MAX of no call */
		{"push 1\npush 0\ndiv\nexit\n", false},
	};
	char text[200];
	int program;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bench_start();
		snprintf(text, sizeof(text), "name = \"t\"\noffset = 0x08000100\n%s", rows[i].code);
		program = bench_install(text);
		CHECK(program == 0);
		for (unsigned n = 0; n < DP_OVERRUNS_MAX + 3; n++)
			firmware_run(AT, 1);
		CHECK((bench_probe(program, 0)->state == DP_PROBE_OVERRUN) == rows[i].overruns);
		CHECK(bench_probe(program, 0)->overruns_total ==
		      (rows[i].overruns ? DP_OVERRUNS_MAX : 0));
		CHECK(firmware_text_is_original() == rows[i].overruns);
	}
}

/* A probe that has ended costs the others at its site nothing: nothing is left to settle. */
static unsigned unsettled_calls;

static void look_for_unsettled(struct dp_hook_call *call)
{
	(void)call;
	unsettled_calls += 1 + 100 * DP_THIS_CPU(&firmware.agent)->unsettled;
}

static void ended_beside_active(void)
{
	int ended, active;

	bench_start();
	firmware.board.exit_hook[0] = look_for_unsettled;
	unsettled_calls = 0;
	ended = bench_install("name = \"e\"\noffset = 0x08000100\nmaxhits = 1\nexit\n");
	active = bench_install("name = \"a\"\noffset = 0x08000100\nexit 1\n");
	firmware_run(AT, 1);
	CHECK(bench_probe(ended, 0)->state == DP_PROBE_DISABLED && unsettled_calls == 101);
	firmware_run(AT, 1);
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(bench_probe(active, 0)) == 3 && unsettled_calls == 103);
}

/* A callback that never comes back leaves nothing half done: dp_poll ends the hit. */
static jmp_buf lost;

static void never_back(struct dp_hook_call *call)
{
	(void)call;
	longjmp(lost, 1);
}

/* proves: A2.7 */
static void lost_hit(void)
{
	int done, hangs;
	unsigned recovered;

	bench_start();
	firmware.board.exit_hook[0] = never_back;
	done = bench_install(
		"name = \"d\"\noffset = 0x08000100\nmaxhits = 1\npush 5\nlog 1\nexit\n");
	hangs = bench_install("name = \"h\"\noffset = 0x08000100\nexit 1\n");
	if (setjmp(lost) == 0)
		firmware_run(AT, 1);
	dp_sim.masked = 0;
	CHECK(DP_THIS_CPU(&firmware.agent)->in_hit == 1);
	recovered = dp_sim.recovered;
	bench_poll();
	CHECK(DP_THIS_CPU(&firmware.agent)->in_hit == 0 && bench.records == 2 &&
	      bench_logged(0) == 5);
	CHECK(dp_sim.recovered > recovered);
	CHECK(bench_probe(done, 0)->state == DP_PROBE_DISABLED &&
	      firmware_word(AT) == DP_SIM_TRAP_WORD);
	firmware.board.exit_hook[0] = NULL;
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(bench_probe(done, 0)) == 1 &&
	      dp_probe_hits(bench_probe(hangs, 0)) == 2);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* --- nested hits --- */

static dp_addr nested_at;

static void nesting_task(struct dp_task *now)
{
	firmware_nested(nested_at, 1);
	now->pid = 4711;
}

/* A hit while a handler runs is stepped over, whatever the instruction needs, and counted. */
static void missed(uint32_t word, uint32_t faults)
{
	int outer, inner;

	bench_start();
	firmware.board.task = nesting_task;
	nested_at = OTHER;
	firmware_put_word(OTHER, word);
	outer = bench_install("name = \"o\"\noffset = 0x08000100\npush pid\nlog 1\nexit\n");
	inner = bench_install("name = \"i\"\noffset = 0x08000200\nexit\n");
	firmware_run(AT, 1);
	bench_poll();
	CHECK(firmware.executed == 2 && firmware.faults == faults);
	CHECK(faults == 0 || firmware.fault_pc == OTHER);
	CHECK(bench.records == 1 && bench_logged(0) == 4711);
	CHECK(bench_probe(inner, 0)->missed == 1 && dp_probe_hits(bench_probe(inner, 0)) == 0);
	CHECK(bench_probe(outer, 0)->missed == 0 && DP_THIS_CPU(&firmware.agent)->ring.missed == 1);
	CHECK(bench_probe(inner, 0)->faulted == 0); /* of what it did not see */
	firmware.board.task = NULL;
	firmware_run(OTHER, 1);
	CHECK(dp_probe_hits(bench_probe(inner, 0)) == 1);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* An instruction whose condition is false is no hit, so none is missed. */
static void not_missed(void)
{
	bench_start();
	firmware.board.task = nesting_task;
	nested_at = OTHER;
	firmware_put_word(OTHER, (uint32_t)SIM_NEVER << 24);
	CHECK(bench_install("name = \"o\"\noffset = 0x08000100\npush pid\nexit\n") == 0);
	CHECK(bench_install("name = \"i\"\noffset = 0x08000200\nexit\n") == 1);
	firmware_run(AT, 1);
	CHECK(firmware.executed == 2 && DP_THIS_CPU(&firmware.agent)->ring.missed == 0);
	firmware.board.task = NULL;
}

/* --- how the displaced instruction ends --- */

/* proves: P4.2 P4.3 P4.4 P4.9 P7.2 P7.3 P8.4 P8.5 */
static void stepping(uint32_t word, uint32_t faults, bool logonfault, unsigned records)
{
	char source[200];
	int program;

	bench_start();
	firmware_put_word(AT, word);
	firmware_run(AT, 1); /* unprobed: what must come out */
	CHECK(firmware.executed == 1 && firmware.faults == faults);
	snprintf(source, sizeof(source),
		 "name = \"t\"\noffset = 0x08000100\nlogonfault = %s\npush 5\nlog 1\nexit\n",
		 logonfault ? "yes" : "no");
	program = bench_install(source);
	firmware_run(AT - 8, 5);
	CHECK(firmware.executed == 6 && firmware.faults == 2 * faults);
	CHECK(faults == 0 || firmware.fault_pc == AT);
	bench_poll();
	CHECK(bench.records == records &&
	      DP_THIS_CPU(&firmware.agent)->ring.next.number == records);
	CHECK(bench_probe(program, 0)->faulted == faults &&
	      DP_THIS_CPU(&firmware.agent)->in_hit == 0);
	CHECK(bench.record[0].head.flags == (faults && records ? DP_RECORD_FAULTED : 0));
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(bench_probe(program, 0)) == (sim_insn(word) == SIM_NEVER ? 0 : 2));
	bench_remove_all();
	CHECK(firmware_text_is_original());
	firmware_run(AT, 1);
	CHECK(firmware.executed == 8 && firmware.faults == 4 * faults);
}

/* One record of several at a site may go although the instruction faulted. */
/* proves: P4.4 */
static void mixed_fault(uint32_t word)
{
	bench_start();
	firmware_put_word(AT, word);
	CHECK(bench_install("name = \"a\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n") == 0);
	CHECK(bench_install("name = \"b\"\noffset = 0x08000100\nlogonfault = yes\npush 2\nlog "
			    "1\nexit\n") == 1);
	CHECK(bench_install("name = \"c\"\noffset = 0x08000100\npush 3\nlog 1\nexit\n") == 2);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 2);
	CHECK(bench.record[0].head.flags == DP_RECORD_FAULTED);
	for (int i = 0; i < 3; i++)
		CHECK(bench_probe(i, 0)->faulted == 1 && dp_probe_hits(bench_probe(i, 0)) == 1);
}

/* Let the slot of the site hold this instruction. */
static void put_slot(const struct dp_site *site, uint32_t word)
{
	sim_put_number((uint8_t *)dp_slots_words(dp_slots_pool(), site->port.slot), word);
}

/* What the instruction needs is there now: it does not fault any more. */
static void become_nop(struct dp_site *site)
{
	site->original = 0;
#if DP_PORT_INSN_BYTES_MAX > 4
	memset(site->original_bytes, 0, sizeof(site->original_bytes));
#endif
	if (site->port.slot != DP_SLOT_NONE)
		put_slot(site, (uint32_t)SIM_STEPPED << 24);
}

/* The simulated CPU executes the slot, whatever stands in the text. */
static void slot_is_executed(uint32_t word)
{
	int program;

	bench_start();
	firmware_put_word(AT, word);
	program = bench_install("name = \"t\"\noffset = 0x08000100\nexit\n");
	put_slot(&firmware.agent.site[bench_probe(program, 0)->site],
		 (uint32_t)SIM_SLOT_FAULT << 24);
	firmware_run(AT, 1);
	CHECK(firmware.faults == 1 && firmware.fault_pc == AT);
}

/* A hit whose record a fault has withdrawn is not one of maxhits: the firmware's handler may have
 * mended what was missing, and the instruction is on its way again. */
static void fault_and_again(uint32_t word)
{
	int program;

	bench_start();
	firmware_put_word(AT, word);
	program = bench_install(
		"name = \"t\"\noffset = 0x08000100\nmaxhits = 1\npush 1\nlog 1\nexit\n");
	firmware_run(AT, 1);
	firmware_run(AT, 1);
	CHECK(dp_probe_hits(bench_probe(program, 0)) == 2 && bench_probe(program, 0)->faulted == 2);
	CHECK(bench_probe(program, 0)->state == DP_PROBE_ARMED &&
	      firmware_word(AT) == DP_SIM_TRAP_WORD);
	become_nop(&firmware.agent.site[bench_probe(program, 0)->site]);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_probe(program, 0)->state == DP_PROBE_DISABLED);
	CHECK(firmware_word(AT) != DP_SIM_TRAP_WORD);
}

/* With logonfault it has logged, and that was it. */
static void fault_and_enough(uint32_t word)
{
	int program;

	bench_start();
	firmware_put_word(AT, word);
	program = bench_install("name = \"t\"\noffset = 0x08000100\nmaxhits = 1\nlogonfault = "
				"yes\npush 1\nlog 1\nexit\n");
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_probe(program, 0)->faulted == 1);
	CHECK(bench_probe(program, 0)->state == DP_PROBE_DISABLED && firmware_text_is_original());
}

/* Who did not run has nothing to do with the fault. */
static void fault_of_others(uint32_t word)
{
	int idle, over, runs;

	bench_start();
	firmware_put_word(AT, word);
	idle = bench_install("name = \"a\"\noffset = 0x08000100\nignore = 5\nexit\n");
	over = bench_install("name = \"b\"\noffset = 0x08000100\nremove\n");
	runs = bench_install("name = \"c\"\noffset = 0x08000100\nexit\n");
	firmware_run(AT, 1);
	firmware_run(AT, 1);
	CHECK(bench_ignored(idle, 0) == 2 && bench_probe(idle, 0)->faulted == 0);
	CHECK(dp_probe_hits(bench_probe(over, 0)) == 1 && bench_probe(over, 0)->faulted == 1);
	CHECK(dp_probe_hits(bench_probe(runs, 0)) == 2 && bench_probe(runs, 0)->faulted == 2);
}

/* Nothing of a record is sent before its instruction completed. */
/* proves: A2.18 A3.23 P4.3 P4.10 */
static void pending(void)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_STEPPED << 24);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n") == 0);
	CHECK(bench_install("name = \"u\"\noffset = 0x08000100\npush 2\nlog 1\nexit\n") == 1);
	firmware_run(AT, 0);
	firmware_step();
	CHECK(dp_port_pc(&firmware.frame) == DP_SIM_SLOT_BASE &&
	      DP_THIS_CPU(&firmware.agent)->in_hit == 1);
	CHECK(dp_original_pc(DP_SIM_SLOT_BASE) == AT && dp_original_pc(OTHER) == OTHER);
	bench_poll();
	CHECK(bench.records == 0);
	firmware_step();
	bench_poll();
	CHECK(bench.records == 2 && dp_port_pc(&firmware.frame) == AT + 4 &&
	      DP_THIS_CPU(&firmware.agent)->in_hit == 0);
}

/* A one-trap slot is free again when the firmware says that nobody is in it. */
/* proves: A2.14 P3.17 P3.20 P3.21 */
static void old_slots(void)
{
	unsigned total, available;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	for (int i = 0; i < 3; i++) {
		CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
		firmware_run(AT, 1);
		bench_remove_all();
	}
	dp_port_slots(&total, &available);
	CHECK(total == SIM_SLOTS && available == SIM_SLOTS - 1); /* bound to its address */
	dp_quiescent(&firmware.agent);
	dp_port_slots(&total, &available);
	CHECK(available == SIM_SLOTS);
}

/* A CHECK, or a COMMIT that fails, takes no slot away: nobody can be in one that was never armed.
 * One that may hold a context stays bound, also when somebody checks its address. */
/* proves: P3.16 P3.18 */
static void checked_slots(void)
{
	static const char *const source = "name = \"t\"\noffset = 0x08000100\nexit\n";
	static const char *const half = "name = \"t\"\noffset = 0x08000100\nexit\n"
					"offset = 0x08000104\nexit\n";
	uint8_t check[4] = {0, 0, DP_COMMIT_NO_IDENTITY, 0};
	unsigned total, available;
	struct bench_answer sent;
	uint16_t transaction = 0;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	firmware_put_word(AT + 4, (uint32_t)SIM_REFUSED << 24);
	for (int i = 0; i < 3; i++) {
		CHECK(bench_compile(source));
		sent = bench_upload(&transaction);
		CHECK(sent.error == DP_ERR_OK);
		dp_put_u16(check, transaction);
		CHECK(bench_ask(DP_CMD_CHECK, check, sizeof(check)).error == DP_ERR_OK);
		CHECK(bench_compile(half));
		CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_NOT_PROBEABLE);
	}
	dp_port_slots(&total, &available);
	CHECK(available == total);
	CHECK(bench_install(source) == 0);
	bench_remove_all();
	CHECK(bench_compile(source) && bench_upload(&transaction).error == 0);
	dp_put_u16(check, transaction);
	CHECK(bench_ask(DP_CMD_CHECK, check, sizeof(check)).error == DP_ERR_OK);
	dp_port_slots(&total, &available);
	CHECK(available == total - 1);
	dp_quiescent(&firmware.agent);
	dp_port_slots(&total, &available);
	CHECK(available == total);
}

/* proves: P3.23 P8.3 */
static void stray(void)
{
	uint32_t notices;

	bench_start();
	bench_poll();
	notices = bench.line[0].notices;
	firmware_put_word(AT, DP_SIM_TRAP_WORD);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(firmware.foreign_traps == 1 && firmware.agent.strays == 1);
	CHECK(bench.line[0].notices == notices + 1);
	CHECK(bench.line[0].notice.payload[DP_STREAM_HEAD + 1] == DP_NOTICE_STRAY_TRAP);
	/* the probe has just gone: the instruction is retried */
	firmware_put_word(AT, 5);
	firmware_run(AT, 0);
	CHECK(dp_port_exception(SIM_TRAP, &firmware.frame) == DP_RESUME &&
	      firmware.agent.strays == 1);
}

/* A trap of the last run may come before the agent stands. */
static void trap_before_init(void)
{
	bench_start();
	dp_the_agent = NULL;
	firmware_put_word(AT, DP_SIM_TRAP_WORD);
	firmware_run(AT, 1);
	CHECK(firmware.foreign_traps == 1);
}

/* Global variables are as many as any program asked for, and keep their values. decisions.txt C65
 */
static void global_variables(void)
{
	struct bench_answer answer;

	bench_start();
	CHECK(bench_install("name = \"a\"\ngvars = 1\noffset = 0x08000100\ninc gv, 0\nexit\n") ==
	      0);
	firmware_run(AT, 1);
	CHECK(firmware.agent.gv_count == 1);
	CHECK(bench_install("name = \"b\"\ngvars = 9\noffset = 0x08000200\ninc gv, 8\ninc gv, "
			    "0\nexit\n") == 1);
	firmware_run(OTHER, 1);
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	answer = bench_ask(DP_CMD_VARS, "\377\0\0\2\0", 5);
	CHECK(bench_number(&answer, 0, 2) == 9 && bench_word(answer.payload + 2) == 2);
	CHECK(firmware.agent.gv[8] == 1);
}

/* Hits that fault and log nothing leave the ring as it was, however many come before a record. */
static void many_faults(uint32_t word)
{
	bench_start();
	firmware_put_word(AT, word);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush 5\nlog 1\nexit\n") == 0);
	CHECK(bench_install("name = \"u\"\noffset = 0x08000108\npush 6\nlog 1\nexit\n") == 1);
	for (unsigned i = 0; i < DP_RING_BYTES / 16; i++) {
		firmware_run(AT, 1);
		dp_poll(&firmware.agent);
	}
	CHECK(DP_THIS_CPU(&firmware.agent)->ring.dropped == 0 && bench.records == 0);
	firmware_run(AT + 8, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 6);
}

int main(void)
{
	chain();
	ignore_and_maxhits();
	remove_instruction();
	overrun();
	call_max_is_an_overrun();
	ended_beside_active();
	lost_hit();
	missed(0, 0);
	missed((uint32_t)SIM_STEPPED << 24, 0);
	missed((uint32_t)SIM_AWAY << 24, 0);
	missed((uint32_t)SIM_SLOT_FAULT << 24, 1);
	missed((uint32_t)SIM_FAULT << 24, 1);
	not_missed();
	stepping(0, 0, false, 1);
	stepping((uint32_t)SIM_STEPPED << 24, 0, false, 1);
	stepping((uint32_t)SIM_AWAY << 24, 0, false, 1);
	stepping((uint32_t)SIM_NEVER << 24, 0, false, 0);
	stepping((uint32_t)SIM_FAULT << 24, 1, false, 0);
	stepping((uint32_t)SIM_SLOT_FAULT << 24, 1, false, 0);
	stepping((uint32_t)SIM_FAULT << 24, 1, true, 1);
	stepping((uint32_t)SIM_SLOT_FAULT << 24, 1, true, 1);
	slot_is_executed((uint32_t)SIM_STEPPED << 24);
	slot_is_executed((uint32_t)SIM_AWAY << 24);
	mixed_fault((uint32_t)SIM_FAULT << 24);
	mixed_fault((uint32_t)SIM_SLOT_FAULT << 24);
	fault_and_again((uint32_t)SIM_FAULT << 24);
	fault_and_again((uint32_t)SIM_SLOT_FAULT << 24);
	fault_and_enough((uint32_t)SIM_FAULT << 24);
	fault_and_enough((uint32_t)SIM_SLOT_FAULT << 24);
	fault_of_others((uint32_t)SIM_FAULT << 24);
	fault_of_others((uint32_t)SIM_SLOT_FAULT << 24);
	many_faults((uint32_t)SIM_FAULT << 24);
	many_faults((uint32_t)SIM_SLOT_FAULT << 24);
	pending();
	old_slots();
	checked_slots();
	stray();
	trap_before_init();
	global_variables();
	return check_status();
}
