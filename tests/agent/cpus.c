/* SPDX-License-Identifier: BSD-2-Clause */
/* An agent of two CPUs.  agent/base/dp_lock.h
 * One CPU is stopped anywhere, and the other does its work meanwhile. dp_poll of one sends the
 * records of both: PROTOCOL.md section 4. */
#include <setjmp.h>
#include <string.h>

#include "bench.h"
#include "check.h"

#include "dp_lock.h"
#include "dp_probes.h"
#include "dp_sent.h"

enum {
	AT = FIRMWARE_TEXT + 0x100,
	OTHER = AT + 0x20
};
#define LOGS     "name = \"t\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n"
#define AT_OTHER "name = \"o\"\noffset = 0x08000120\npush 1\nlog 1\nexit\n"

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
	CHECK(bench.line[0].notices == 0);
	bench_hello(0x12345678, 1);
	CHECK(bench.line[0].notices == 1);
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

/* --- a step that is not over --- */

/* CPU 0 begins the step of the instruction in a two-trap slot. */
static struct dp_frame begin_step(uint32_t word)
{
	bench_start();
	firmware_put_word(AT, word);
	CHECK(bench_install(LOGS) == 0);
	dp_sim.below = 1;
	*dp_sim_pc(&firmware.frame) = AT;
	firmware_step();
	dp_sim.below = 0;
	CHECK(dp_port_slot_origin(dp_port_pc(&firmware.frame)) == AT);
	return firmware.frame;
}

static void end_step(const struct dp_frame *frame)
{
	dp_sim.below = 1;
	firmware.frame = *frame;
	firmware_step();
	dp_sim.below = 0;
}

/* The probe goes, and another one comes: the slot stays what it is. */
static void slot_of_a_step_stays(void)
{
	struct dp_frame frame = begin_step((uint32_t)SIM_STEPPED << 24);

	bench_remove_all();
	CHECK(firmware_text_is_original());
	firmware_put_word(OTHER, (uint32_t)SIM_SLOT_FAULT << 24);
	CHECK(bench_install(AT_OTHER) >= 0);
	end_step(&frame);
	CHECK(dp_port_pc(&firmware.frame) == AT + 4 && firmware.faults == 0);
	hits(1, 1);
	CHECK(firmware.executed == 2);
}

/* A slot less while the other CPU is in it, and none afterwards. */
static void slots_come_back(void)
{
	struct dp_frame frame = begin_step((uint32_t)SIM_STEPPED << 24);
	unsigned all, during, behind;

	bench_remove_all();
	CHECK(bench_install(AT_OTHER) >= 0);
	bench_remove_all();
	dp_port_slots(&all, &during);
	end_step(&frame);
	CHECK(bench_install(AT_OTHER) >= 0);
	bench_remove_all();
	dp_port_slots(&all, &behind);
	CHECK(during == all - 1 && behind == all);
}

/* A new probe at the instruction that the other CPU steps is refused until the step is over. */
static void probe_again(void)
{
	struct dp_frame frame = begin_step((uint32_t)SIM_STEPPED << 24);

	bench_remove_all();
	CHECK(bench_compile(LOGS));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == DP_ERR_BUSY);
	end_step(&frame);
	CHECK(dp_port_pc(&firmware.frame) == AT + 4);
	CHECK(bench_install(LOGS) >= 0);
	hits(1, 1);
	bench_poll();
	CHECK(came(0) == 2);
}

/* The other CPU has removed the trap, and the site is there still: the instruction is retried, and
 * needs no slot. */
static void late_trap(void)
{
	struct dp_site *site;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_STEPPED << 24);
	CHECK(bench_install(LOGS) == 0);
	site = &firmware.agent.site[bench_probe(0, 0)->site];
	site->armed = 0;
	CHECK(dp_port_disarm(site) == DP_ERR_OK);
	*dp_sim_pc(&firmware.frame) = AT;
	CHECK(dp_agent_trap(&firmware.frame, AT) == DP_RESUME);
	CHECK(dp_port_pc(&firmware.frame) == AT && firmware.agent.strays == 0);
}

/* --- the lock --- */

static bool lock_is_free(void)
{
	return firmware.agent.lock.owner == 0 && firmware.agent.lock.depth == 0 &&
	       firmware.agent.lock.turn == firmware.agent.lock.tickets;
}

/* dp_init comes in the middle of a hit. */
static void start_in_a_hit(void)
{
	bench_start();
	dp_the_agent = NULL;
	dp_lock_enter();
	dp_the_agent = &firmware.agent;
	dp_lock_leave();
	CHECK(lock_is_free());
	dp_sim.below = 1;
	dp_lock_enter();
	dp_sim.below = 0;
	dp_lock_leave(); /* of another hit that began before */
	dp_watches_release(&firmware.agent);
	CHECK(DP_THIS_CPU(&firmware.agent)->hold.held == 0);
	CHECK(firmware.agent.lock.owner == 1 && firmware.agent.lock.depth == 1);
}

static jmp_buf lost;

static void never_back(struct dp_hook_call *call)
{
	(void)call;
	longjmp(lost, 1);
}

/* A callback on CPU 0 never returns, while CPU 1 is in dp_poll: dp_poll of CPU 0 gives the lock
 * back. */
/* proves: A2.24 */
static void lost_hit(void)
{
	bench_start();
	firmware.board.exit_hook[0] = never_back;
	CHECK(bench_install("name = \"h\"\noffset = 0x08000100\npush 7\nlog 1\nexit 1\n") == 0);
	firmware.agent.polling = 2;
	dp_sim.below = 1;
	if (setjmp(lost) == 0)
		firmware_run(AT, 1);
	dp_sim.masked = 0;
	CHECK(firmware.agent.lock.owner == 1);
	CHECK(!dp_poll(&firmware.agent));
	CHECK(lock_is_free() && firmware.agent.cpu[0].in_hit == 0);
	CHECK(firmware.agent.polling == 2);
	dp_sim.below = 0;
	firmware.agent.polling = 0;
	bench_poll();
	CHECK(came(0) == 1);
}

/* --- numbers of probes --- */

/* The number of a removed probe waits for its records in the ring of any CPU. */
static void number_waits(unsigned below)
{
	const uint8_t log[] = {DP_COM2, DP_MODE_BUFFERED};
	unsigned number;

	bench_start();
	CHECK(bench_ask(DP_CMD_LOG, log, sizeof(log)).error == DP_ERR_OK);
	CHECK(bench_install(LOGS) == 0);
	bench_poll();
	number = (unsigned)(bench_probe(0, 0) - firmware.agent.probe);
	bench.line[1].room = 0;
	hits(below, 60); /* more than a line */
	bench_remove_all();
	CHECK(dp_probe_numbers_free(&firmware.agent) == DP_MAX_PROBES - 1);
	firmware.agent.probe_last = (uint8_t)((number + DP_MAX_PROBES - 1) % DP_MAX_PROBES);
	CHECK(bench_install(LOGS) == 0);
	CHECK(bench_probe(0, 0) != &firmware.agent.probe[number]);
	bench.line[1].room = -1;
	bench_poll();
	bench_remove_all();
	bench_poll();
	CHECK(dp_probe_numbers_free(&firmware.agent) == DP_MAX_PROBES);
}

/* A record whose probe has given its number to another one is not sent again, of any CPU. */
static void number_of_another(unsigned below)
{
	const struct dp_per_cpu *cpu = &firmware.agent.cpu[1 - below];
	unsigned number;
	uint32_t at;

	bench_start();
	CHECK(bench_install(LOGS) == 0);
	number = (unsigned)(bench_probe(0, 0) - firmware.agent.probe);
	at = cpu->ring.head;
	hits(below, 1);
	bench_poll();
	bench_remove_all();
	CHECK(dp_sent_intact(cpu, at));
	firmware.agent.probe_last = (uint8_t)((number + DP_MAX_PROBES - 1) % DP_MAX_PROBES);
	CHECK(bench_install(LOGS) == 0);
	CHECK(bench_probe(0, 0) == &firmware.agent.probe[number] && !dp_sent_intact(cpu, at));
}

/* --- slots of removed probes --- */

/* While a request is at work on another CPU, the slots stay bound: it may be taking one. */
/* proves: A2.25 */
static void quiescent_at_work(void)
{
	unsigned all, before, during, behind;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install(LOGS) == 0);
	bench_remove_all();
	dp_port_slots(&all, &before);
	firmware.agent.executing = 1;
	dp_quiescent(&firmware.agent);
	dp_port_slots(&all, &during);
	firmware.agent.executing = 0;
	dp_quiescent(&firmware.agent);
	dp_port_slots(&all, &behind);
	CHECK(before == all - 1 && during == all - 1 && behind == all);
}

int main(void)
{
	_Static_assert(DP_PORT_CPUS == 2, "of an agent for two CPUs");
	rings_of_both();
	turns();
	pieces();
	acknowledged();
	started();
	slot_of_a_step_stays();
	slots_come_back();
	probe_again();
	late_trap();
	start_in_a_hit();
	lost_hit();
	for (unsigned below = 0; below < 2; below++) {
		number_waits(below);
		number_of_another(below);
	}
	quiescent_at_work();
	return check_status();
}
