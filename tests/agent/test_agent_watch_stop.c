/* SPDX-License-Identifier: BSD-2-Clause */
/* `exit 1` in a watchpoint's handler stops the target: behind a write, before a read or an
 * execution.  PROTOCOL.md 5.13 */
#include "stopped_host.h"

#include "dp_halt.h"
#include "dp_sites.h"

#include <stdio.h>

#if DP_WITH_HALT && DP_PORT_COMPARATORS > 0
enum {
	DATA = FIRMWARE_RAM + 0x40,
	R1 = 1, /* that an access loads and stores */
	PC = 15
};
#define WATCH(letter, kind)                                                                        \
	"name = \"" letter "\"\naddress = 0x20000040 : 0x20000043\nwatchpoint = " kind "\n"
#define STOPS "push 7\nlog 1\nexit 1\n"

enum {
	STOPS_MAX = 3
};
static unsigned steps; /* that the host asks for */
static bool removes;   /* the watchpoint in the stop */
static int turn;       /* in this stop */
static unsigned stops; /* so far */
static struct {
	dp_addr pc;
	dp_word r1, data; /* the register, and what is watched */
	uint32_t why;
} seen[STOPS_MAX];

static void note(void)
{
	CHECK(last.error == 0 && stops < STOPS_MAX);
	seen[stops].pc = get_word(last.payload + 2);
	seen[stops].r1 = (dp_word)*reg(R1);
	seen[stops].data = firmware_word(DATA);
	seen[stops].why = notice(DP_NOTICE_STOPPED, sizeof(dp_word) + 1, 1);
	stops++;
}

/* In each stop: ask for the pc, look and perhaps remove the watchpoint, step or go on. */
static void looks(void)
{
	static const uint8_t step[14] = {0, 1};

	if (turn == 0) {
		ask_regs(PC, 1);
	} else if (turn == 1 && removes) {
		note();
		send(DP_CMD_REMOVE, "\xff", 1);
	} else {
		if (turn == 1)
			note();
		if (stops <= steps)
			send(DP_CMD_STEP, step, sizeof(step));
		else
			resume();
		turn = -1;
	}
	turn++;
}

static void begin(const char *program)
{
	start(looks);
	steps = stops = 0;
	turn = 0;
	removes = false;
	CHECK(bench_install(program) == 0);
}

static void access(enum sim_insn insn, dp_word value, unsigned instructions)
{
	if (!dp_site_find(&firmware.agent, AT)) /* not over a trap */
		firmware_put_word(AT, (uint32_t)insn << 24);
	firmware_set_access(DATA, value, 4);
	firmware_run(AT, instructions);
	bench_poll();
}

/* Nothing of the access and of the stop is left. */
static void check_over(unsigned wanted)
{
	const struct dp_per_cpu *cpu = DP_THIS_CPU(&firmware.agent);

	CHECK(stops == wanted && !cpu->in_hit && !cpu->pending && !cpu->unsettled);
	CHECK(cpu->hold.held == 0 && cpu->hold.off == 0 && cpu->watching.late == 0);
	CHECK(!firmware.agent.halt.asked && firmware.agent.steps.count == 0);
	CHECK(firmware.agent.steps.under_way == 0 && !dp_sim.masked);
}

/* The target is stopped behind the write, and goes on there: one hit. */
/* proves: R5.153 */
static void behind_a_write(unsigned reported_behind)
{
	begin(WATCH("w", "w") STOPS);
	dp_sim.watch_after = (uint8_t)reported_behind;
	access(SIM_STORE, 0x55, 1);
	check_over(1);
	CHECK(seen[0].pc == AT + 4 && seen[0].data == 0x55 && seen[0].why == DP_HALT_EXIT &&
	      records == 1);
	CHECK(dp_port_pc(&firmware.frame) == AT + 4 && firmware.executed == 1);
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 1 && bench.records == 1);
	access(SIM_STORE, 0x56, 1); /* and again */
	CHECK(stops == 2 && seen[1].data == 0x56);
}

static void behind_both(void)
{
	begin(WATCH("w", "rw") STOPS);
	firmware_put_word(DATA, 0x77);
	access(SIM_LOAD, 0x55, 1);
	check_over(1);
	CHECK(seen[0].pc == AT + 4 && seen[0].r1 == 0x77);
}

/* A read has not happened, and happens once. */
/* proves: R5.153 */
static void before_a_read(void)
{
	begin(WATCH("w", "r") STOPS);
	firmware_put_word(DATA, 0x77);
	access(SIM_LOAD, 0x55, 1);
	check_over(1);
	CHECK(seen[0].pc == AT && seen[0].r1 == 0x55 && firmware_loaded() == 0x77);
	CHECK(dp_port_pc(&firmware.frame) == AT + 4 && firmware.executed == 1);
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 1);
}

static void before_an_execution(void)
{
	begin("name = \"x\"\naddress = 0x08000100\nwatchpoint = x\n" STOPS);
	access(SIM_STEPPED, 0x55, 1);
	check_over(1);
	CHECK(seen[0].pc == AT && dp_port_pc(&firmware.frame) == AT + 4 && firmware.executed == 1);
}

/* A step from a stop before the access does it, and stops behind. */
static void step_over_a_read(void)
{
	begin(WATCH("w", "r") STOPS);
	firmware_put_word(DATA, 0x77);
	steps = 2;
	access(SIM_LOAD, 0x55, 2);
	check_over(3);
	CHECK(seen[0].pc == AT && seen[1].pc == AT + 4 && seen[2].pc == AT + 8 &&
	      seen[1].r1 == 0x77);
	CHECK(seen[0].why == DP_HALT_EXIT && seen[1].why == DP_HALT_STEP);
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 1);
}

/* A stepped instruction writes: the stop tells of the watchpoint. */
/* proves: R5.154 */
static void step_to_a_write(void)
{
	begin(WATCH("w", "w") STOPS);
	CHECK(bench_install("name = \"s\"\noffset = 0x080000fc\nexit 1\n") == 1);
	steps = 2;
	firmware_put_word(AT, (uint32_t)SIM_STORE << 24);
	firmware_set_access(DATA, 0x55, 4);
	firmware_run(AT - 4, 3);
	bench_poll();
	check_over(3);
	CHECK(seen[0].pc == AT - 4 && seen[1].pc == AT && seen[2].pc == AT + 4 &&
	      seen[2].data == 0x55);
	CHECK(seen[1].why == DP_HALT_STEP);
}

/* Both the probe on the instruction and the watchpoint have their hit. */
static void with_a_probe(const char *probe, const char *kind)
{
	char text[128];

	snprintf(text, sizeof text,
		 "name = \"w\"\naddress = 0x20000040 : 0x20000043\nwatchpoint = %s\n" STOPS, kind);
	begin(text);
	firmware_put_word(AT, (uint32_t)SIM_STORE << 24);
	CHECK(bench_install(probe) == 1);
	access(SIM_STORE, 0x55, 1);
	check_over(1);
	CHECK(seen[0].pc == AT + 4 && seen[0].data == 0x55 && firmware.executed == 1);
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 1 && dp_probe_hits(bench_probe(1, 0)) == 1);
}

/* In the middle of a request nothing stops, and the one hit of maxhits is left for a stop. */
static void in_a_request(const char *kind, enum sim_insn insn)
{
	char text[128];

	snprintf(text, sizeof text,
		 "name = \"w\"\naddress = 0x20000040 : 0x20000043\nwatchpoint = %s\n"
		 "maxhits = 1\n" STOPS,
		 kind);
	begin(text);
	firmware.agent.executing = DP_CMD_COMMIT;
	access(insn, 0x55, 1);
	firmware.agent.executing = 0;
	check_over(0);
	access(insn, 0x56, 1);
	check_over(1);
	access(insn, 0x57, 1);
	check_over(1);
}

/* Two comparators before one instruction, of which the probe wants the stop as well: one stop. */
static void one_stop(void)
{
	begin("name = \"x\"\naddress = 0x08000100\nwatchpoint = x\n" STOPS);
	CHECK(bench_install("name = \"b\"\noffset = 0x08000100\npush 8\nlog 1\nexit 1\n") == 1);
	access(SIM_STEPPED, 0x55, 1);
	check_over(1);
	CHECK(seen[0].pc == AT && records == 2 && firmware.executed == 1);
}

/* The watchpoint is removed while the target is stopped at it: the access happens, once. */
static void removed(const char *kind, enum sim_insn insn)
{
	char text[128];

	snprintf(text, sizeof text,
		 "name = \"w\"\naddress = 0x20000040 : 0x20000043\nwatchpoint = %s\n" STOPS, kind);
	begin(text);
	removes = true;
	firmware_put_word(DATA, 0x77);
	access(insn, 0x55, 1);
	check_over(1);
	CHECK(turns == 3 && firmware.agent.comparators == 0 && firmware.executed == 1);
	CHECK(insn == SIM_LOAD ? firmware_loaded() == 0x77 : firmware_word(DATA) == 0x55);
	CHECK(dp_port_pc(&firmware.frame) == AT + 4);
}

int main(void)
{
	behind_a_write(0);
	behind_a_write(DP_WATCHED_WRITE);
	behind_both();
	before_a_read();
	before_an_execution();
	step_over_a_read();
	step_to_a_write();
	with_a_probe("name = \"b\"\noffset = 0x08000100\nexit\n", "w");
	with_a_probe("name = \"b\"\noffset = 0x08000100\nphase = after\nexit\n", "w");
	with_a_probe("name = \"b\"\noffset = 0x08000100\nphase = after\nexit\n", "rw");
	one_stop();
	in_a_request("w", SIM_STORE);
	in_a_request("rw", SIM_STORE);
	in_a_request("r", SIM_LOAD);
	removed("w", SIM_STORE);
	removed("r", SIM_LOAD);
	return check_status();
}
#else
int main(void)
{
	return 0;
}
#endif
