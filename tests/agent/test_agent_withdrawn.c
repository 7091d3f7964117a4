/* SPDX-License-Identifier: BSD-2-Clause */
/* Hits that are over when their instruction faults in a one-trap slot: counts, records, withdraws.
 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_plan.h"
#include "dp_sites.h"

#include <stdio.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	OTHER = FIRMWARE_TEXT + 0x200,
	SP = 13
};
#define LOG_R1  "push r, r1\nlog 1\nexit\n"
#define AT_TEXT "offset = 0x08000100\n"
#define BOTH    "name = \"t\"\n" AT_TEXT LOG_R1 "offset = 0x08000200\nminor = 1\n" LOG_R1

static void start(const char *source)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_MEMORY << 24);
	firmware_put_word(OTHER, (uint32_t)SIM_MEMORY << 24);
	CHECK(bench_install(source) == 0);
}

/* The context with this stack logs `value` at the address, and is preempted in the slot. */
static struct dp_frame enter_by(unsigned stack, dp_addr address, dp_word value)
{
	firmware.frame.word[1][0] = value;
	firmware.frame.word[SP][0] = FIRMWARE_RAM + 0x10 * stack;
	firmware.aborts = false;
	dp_sim.ticks += 5;
	firmware_run(address, 0);
	firmware_step();
	CHECK(dp_port_slot_origin(dp_port_pc(&firmware.frame)) == address &&
	      dp_port_pc(&firmware.frame) != address);
	CHECK(DP_THIS_CPU(&firmware.agent)->in_hit == 0);
	return firmware.frame;
}

static struct dp_frame enter(dp_addr address, dp_word value)
{
	return enter_by(1, address, value);
}

/* The context goes on in the slot: its instruction completes, or faults. The simulated CPU has one
 * copy for both ways of stepping, and notes at each step which one it is. */
static void resume(const struct dp_frame *context, bool faults)
{
	firmware.frame = *context;
	dp_sim.one_trap[(dp_port_pc(context) - DP_SIM_SLOT_BASE) / SIM_SLOT_BYTES] = 1;
	firmware.aborts = faults;
	firmware_step();
}

static const struct dp_probe *probe(unsigned point)
{
	return bench_probe(0, point);
}

/* proves: P4.12 P8.6 */
static void at_once(void)
{
	struct dp_frame context;

	start(BOTH);
	context = enter(AT, 11);
	resume(&context, false);
	context = enter(AT, 12);
	resume(&context, true);
	CHECK(firmware.faults == 1 && firmware.fault_pc == AT);
	context = enter(AT, 13); /* the firmware has mended it, and executes it again */
	resume(&context, false);
	bench_poll();
	CHECK(bench.records == 2 && bench_logged(0) == 11 && bench_logged(1) == 13);
	CHECK(dp_probe_hits(probe(0)) == 3 && probe(0)->faulted == 1);
	CHECK(DP_THIS_CPU(&firmware.agent)->ring.withdrawn == 0);
}

#define LISTED                                                                                     \
	"name = \"t\"\n" AT_TEXT "abort\n" AT_TEXT "minor = 1\n" LOG_R1 AT_TEXT                    \
	"minor = 2\npush 7\nlog 1\nexit\n"

/* proves: R5.28 */
/* A list of probes: the fault withdraws what each of them did in this hit. */
static void of_a_list(void)
{
	struct dp_frame first, second;

	start(LISTED);
	first = enter(AT, 11);
	CHECK(firmware.agent.site[probe(0)->site].plan.kind == DP_PLAN_LIST);
	resume(&first, false);
	first = enter(AT, 12);
	resume(&first, true);
	CHECK(firmware.faults == 1 && firmware.fault_pc == AT);
	bench_poll();
	CHECK(bench.records == 2 && bench_logged(0) == 11 && bench_logged(1) == 7);
	for (unsigned i = 0; i < 3; i++)
		CHECK(dp_probe_hits(probe(i)) == 2 && probe(i)->faulted == 1);
	/* the older of two contexts: its records stay */
	first = enter_by(1, AT, 13);
	second = enter_by(2, AT, 14);
	resume(&first, true);
	resume(&second, false);
	bench_poll();
	CHECK(bench.records == 6 && probe(0)->faulted == 2 && probe(2)->faulted == 2);
	/* sent before the fault: each is withdrawn by name */
	first = enter(AT, 15);
	bench_poll();
	resume(&first, true);
	CHECK(DP_THIS_CPU(&firmware.agent)->ring.withdrawn == 2 && probe(2)->faulted == 3);
}

/* Another probe has logged in between: its record stays. */
static void between(void)
{
	struct dp_frame first, second;

	start(BOTH);
	first = enter(AT, 21);
	second = enter(OTHER, 22);
	resume(&second, false);
	resume(&first, true);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 22);
	CHECK(probe(0)->faulted == 1 && probe(1)->faulted == 0);
	first = enter(AT, 23);
	second = enter(OTHER, 24);
	resume(&first, false);
	resume(&second, true);
	bench_poll();
	CHECK(bench.records == 2 && bench_logged(1) == 23);
	CHECK(probe(0)->faulted == 1 && probe(1)->faulted == 1);
}

static uint32_t counted_in_status(void)
{
	struct bench_answer answer = bench_ask(DP_CMD_STATUS, NULL, 0);

	CHECK(answer.error == DP_ERR_OK);
	return DP_THIS_CPU(&firmware.agent)->ring.withdrawn;
}

/* The record has been sent when the instruction faults: it is withdrawn by name. */
/* proves: R4.8 R4.31 */
static void sent(void)
{
	struct dp_frame context;

	start(BOTH);
	context = enter(AT, 31);
	bench_poll();
	CHECK(bench.records == 1);
	resume(&context, true);
	bench_poll();
	CHECK(bench.records == 2 && bench.record[1].head.kind == DP_RECORD_WITHDRAW);
	CHECK(bench.record[1].head.probe == bench.record[0].head.probe);
	CHECK(bench.record[1].time == bench.record[0].time && bench.record[1].head.bytes == 0);
	CHECK(counted_in_status() == 1 && DP_THIS_CPU(&firmware.agent)->ring.dropped == 0);
	context = enter(AT, 32);
	resume(&context, false);
	bench_poll();
	CHECK(bench.records == 3 && bench_logged(2) == 32);
}

/* A hit that logs nothing takes nothing back. */
static void without_record(void)
{
	struct dp_frame context;

	start("name = \"t\"\n" AT_TEXT "push r, r1\npush 40\nsub\njz none\n" LOG_R1
	      "none:\nabort\n");
	context = enter(AT, 41);
	resume(&context, false);
	context = enter(AT, 40);
	resume(&context, true);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 41 && probe(0)->faulted == 1);
}

/* However often it faults, the ring has room. */
static void often(void)
{
	struct dp_frame context;

	start(BOTH);
	for (unsigned i = 0; i < 2 * DP_RING_BYTES / DP_RING_HEAD; i++) {
		context = enter(AT, i);
		resume(&context, true);
	}
	context = enter(AT, 51);
	resume(&context, false);
	CHECK(DP_THIS_CPU(&firmware.agent)->ring.dropped == 0);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 51);
}

static enum dp_plan_kind plan_at(void)
{
	return dp_plan_kind(&dp_site_find(&firmware.agent, AT)->plan);
}

static void by_patrol(void)
{
	bench_polls(DP_MAX_PROBES);
}

static void by_log_request(void)
{
	CHECK(bench_ask(DP_CMD_LOG, "\376\1", 2).error == 0);
}

static void by_second_probe(void)
{
	CHECK(bench_install("name = \"u\"\n" AT_TEXT "minor = 7\nabort\n") == 1);
}

/* Who drops the plan between hit and fault, or makes it anew, changes nothing: the record is
 * withdrawn by name. */
/* proves: R4.31 */
static void without_plan(void)
{
	static const struct {
		void (*change)(void);
		enum dp_plan_kind left;
	} changes[] = {{by_patrol, DP_PLAN_WORDS},
		       {by_log_request, DP_PLAN_NONE},
		       {by_second_probe, DP_PLAN_NONE}};
	struct dp_frame context;

	for (unsigned i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		start(BOTH);
		context = enter(AT, 81);
		bench_poll();
		CHECK(bench.records == 1 && plan_at() == DP_PLAN_WORDS);
		changes[i].change();
		CHECK(plan_at() == changes[i].left);
		resume(&context, true);
		CHECK(firmware.faults == 1 && probe(0)->faulted == 1);
		bench_poll();
		CHECK(bench.records == 2 && bench.record[1].head.kind == DP_RECORD_WITHDRAW);
		CHECK(bench.record[1].time == bench.record[0].time);
		CHECK(DP_THIS_CPU(&firmware.agent)->ring.withdrawn == 1);
	}
}

/* The same for a record that has not been sent, and for a hit without any. */
static void unsent_without_plan(void)
{
	struct dp_frame context;

	start(BOTH);
	context = enter(AT, 82);
	dp_plan_drop(dp_site_find(&firmware.agent, AT));
	resume(&context, true);
	bench_poll();
	CHECK(bench.records == 0 && probe(0)->faulted == 1);
	start("name = \"t\"\n" AT_TEXT "abort\n");
	context = enter(AT, 83);
	by_patrol();
	resume(&context, true);
	CHECK(dp_probe_hits(probe(0)) == 1 && probe(0)->faulted == 1);
}

/* A fault withdraws the record of its own context. What the agent cannot distinguish stays. */
/* proves: R4.32 */
static void two_contexts(void)
{
	struct dp_frame first, second;

	start(BOTH);
	first = enter_by(1, AT, 71);
	second = enter_by(2, AT, 72);
	resume(&first, false);
	resume(&second, true);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 71 && probe(0)->faulted == 1);
	first = enter_by(1, AT, 73);
	second = enter_by(2, AT, 74);
	resume(&second, false);
	resume(&first, true);
	bench_poll();
	CHECK(bench.records == 3 && bench_logged(1) == 73 && bench_logged(2) == 74);
	CHECK(probe(0)->faulted == 2 && DP_THIS_CPU(&firmware.agent)->ring.withdrawn == 0);
}

/* The probe has gone: the firmware gets its fault, and the record is withdrawn. */
static void removed(void)
{
	struct dp_frame context;

	start(BOTH);
	context = enter(AT, 61);
	bench_remove_all();
	CHECK(bench.records == 1 && firmware_text_is_original());
	resume(&context, true);
	CHECK(firmware.faults == 1 && firmware.fault_pc == AT);
	bench_poll();
	CHECK(bench.records == 2 && bench.record[1].head.kind == DP_RECORD_WITHDRAW);
	CHECK(bench.record[1].head.probe == bench.record[0].head.probe);
}

/* Another probe has come to the address: a hit of it that logs nothing is not taken for one of the
 * removed probe. */
static void replaced(void)
{
	struct dp_frame context;

	start(BOTH);
	context = enter(AT, 63);
	resume(&context, false);
	bench_remove_all();
	CHECK(bench_install("name = \"u\"\n" AT_TEXT "abort\n") >= 0);
	context = enter(AT, 64);
	resume(&context, true);
	CHECK(firmware.faults == 1 && firmware.fault_pc == AT);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 63);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* A new probe takes the place of the program's: COMMIT with REPLACE. */
static void replace_by(const char *handler)
{
	char source[200];

	snprintf(source, sizeof(source), "name = \"t\"\n" AT_TEXT "%s", handler);
	CHECK(bench_compile(source));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY | DP_COMMIT_REPLACE, 0).error == 0);
}

/* A hit of the new probe logs nothing, and takes back no record of the old one. */
/* proves: R4.32 */
static void taken_over(const char *handler)
{
	struct dp_frame context;

	start("name = \"t\"\n" AT_TEXT LOG_R1);
	context = enter(AT, 65);
	resume(&context, false);
	replace_by(handler);
	context = enter(AT, 66);
	resume(&context, true);
	CHECK(firmware.faults == 1 && firmware.fault_pc == AT);
	CHECK(dp_probe_hits(bench_probe(1, 0)) == 1 && bench_probe(1, 0)->faulted == 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 65);
	CHECK(DP_THIS_CPU(&firmware.agent)->ring.withdrawn == 0);
}

/* The new probe has not been hit: the record is one of the old probe's context. */
static void taken_over_in_slot(void)
{
	struct dp_frame context;

	start("name = \"t\"\n" AT_TEXT LOG_R1);
	context = enter(AT, 67);
	replace_by("abort\n");
	resume(&context, true);
	CHECK(firmware.faults == 1 && bench_probe(1, 0)->faulted == 0);
	bench_poll();
	CHECK(bench.records == 2 && bench.record[1].head.kind == DP_RECORD_WITHDRAW);
	/* its hits cannot leave by the slot: the fault is not one of them */
	start("name = \"t\"\n" AT_TEXT LOG_R1);
	context = enter(AT, 68);
	replace_by("phase = after\nabort\n");
	firmware_run(AT, 1);
	resume(&context, true);
	CHECK(dp_probe_hits(bench_probe(1, 0)) == 1 && bench_probe(1, 0)->faulted == 0);
	bench_poll();
	CHECK(bench.records == 2 && bench.record[1].head.kind == DP_RECORD_WITHDRAW);
}

/* A probe of the chain goes whose last hit was taken back: the place of its hit lies ahead of the
 * ring's end. A hit of the probe that stays is not taken for one of it. */
static void after_chain(void)
{
	struct dp_frame context;

	start("name = \"t\"\n" AT_TEXT LOG_R1);
	CHECK(bench_install("name = \"u\"\n" AT_TEXT LOG_R1) == 1);
	firmware.frame.word[SP][0] = FIRMWARE_RAM + 0x10; /* as of enter() */
	firmware.aborts = true;
	firmware_run(AT, 1);
	CHECK(probe(0)->faulted == 1 && bench_probe(1, 0)->faulted == 1);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
	context = enter(AT, 91);
	resume(&context, true);
	bench_poll();
	CHECK(bench.records == 0 && probe(0)->faulted == 2);
}

/* Is the hit that comes stepped with one trap? */
static bool one_trap(void)
{
	const struct dp_site *site = dp_site_find(&firmware.agent, AT);

	firmware.aborts = false;
	firmware_run(AT, 1);
	return dp_sim.one_trap[site->port.slot];
}

/* What cannot be withdrawn waits for the second trap. */
static void two_traps(void)
{
	start("name = \"t\"\nmaxhits = 3\n" AT_TEXT LOG_R1);
	CHECK(one_trap() && one_trap() && !one_trap());
	start("name = \"t\"\nlogonfault = yes\n" AT_TEXT LOG_R1);
	CHECK(!one_trap() && !one_trap());
	start("name = \"t\"\n" AT_TEXT LOG_R1 AT_TEXT "minor = 1\nmaxhits = 3\n" LOG_R1);
	CHECK(one_trap() && one_trap() && !one_trap());
	start("name = \"t\"\n" AT_TEXT LOG_R1 AT_TEXT "minor = 1\nlogonfault = yes\n" LOG_R1);
	CHECK(!one_trap());
	start("name = \"t\"\n" AT_TEXT LOG_R1);
	CHECK(bench_ask(DP_CMD_LOG, "\376\0", 2).error == 0 && !one_trap());
	CHECK(bench_ask(DP_CMD_LOG, "\376\1", 2).error == 0 && one_trap());
}

static struct dp_frame caught;

/* REMOVE of the second program has looked at the first one's hits. A hit serves REMOVE of the first
 * one in a storm; a context is preempted in the slot by a hit of the second one. */
static void first_goes_meanwhile(void *context)
{
	struct dp_frame saved = firmware.frame;
	const struct dp_probe *third = &firmware.agent.probe[2];

	(void)context;
	if (firmware.agent.executing != DP_CMD_REMOVE || third->left.address != 0)
		return;
	dp_sim.unmasked = NULL;
	for (unsigned i = 0; i < 2500; i++)
		firmware_nested(OTHER, 1);
	bench_type_request(DP_COM1, 200, DP_CMD_REMOVE, "\0", 1);
	firmware_nested(OTHER, 1);
	CHECK(bench.line[0].answer.seq == 200 && bench.line[0].answer.payload[1] == 0);
	caught = enter(AT, 99);
	firmware.frame = saved;
}

/* The record of the faulted hit is withdrawn, not the earlier one of a probe that went in between.
 */
/* proves: R4.31 */
static void removed_in_a_removal(void)
{
	unsigned logged = 0, withdrawn = 0, faulted = DP_NONE;
	struct dp_frame c;

	start("name = \"first\"\n" AT_TEXT LOG_R1);
	c = enter(AT, 11);
	resume(&c, false);
	CHECK(bench_install("name = \"second\"\n" AT_TEXT "minor = 1\n" LOG_R1) == 1);
	CHECK(bench_install("name = \"third\"\n" AT_TEXT "minor = 2\nabort\n") == 2);
	CHECK(bench_install("name = \"storm\"\noffset = 0x08000200\nminor = 3\nabort\n") == 3);
	firmware.frame.word[SP][0] = FIRMWARE_RAM + 0x10;
	firmware_run(AT, 1);
	CHECK(bench_ask(DP_CMD_REMOVE, "\2", 1).error == 0);
	bench_poll();
	dp_sim.unmasked = first_goes_meanwhile;
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
	CHECK(dp_sim.unmasked == NULL);
	dp_sim.unmasked = NULL;
	resume(&caught, true);
	bench_poll();
	for (unsigned i = 0; i < bench.records; i++) {
		const struct dp_record *head = &bench.record[i].head;

		if (head->kind == DP_RECORD_WITHDRAW)
			withdrawn += head->probe == faulted ? 1 : 100;
		else if (bench_logged(i) == 99)
			logged++, faulted = head->probe;
	}
	CHECK(logged == withdrawn);
}

int main(void)
{
	at_once();
	of_a_list();
	between();
	sent();
	without_record();
	often();
	without_plan();
	unsent_without_plan();
	two_contexts();
	removed();
	replaced();
	taken_over("abort\n");
	taken_over("push r, r0\npush mem, u8\npush 200\nsub\njz same\nabort\nsame:\n" LOG_R1);
	taken_over_in_slot();
	after_chain();
	two_traps();
	removed_in_a_removal();
	return check_status();
}
