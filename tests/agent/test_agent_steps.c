/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of a stopped target, and the place where HALT stops it.  PROTOCOL.md 5.13 */
#include "stopped_host.h"

#include "dp_bytes.h"

enum {
	NOT_PROBEABLE = 53,
	IN_AGENT = 50,
	IN_ATOMIC = 55
};
#define STOPS "name = \"s\"\noffset = 0x08000100\nexit 1\n"

static void put(dp_addr at, enum sim_insn insn)
{
	firmware_put_word(at, (uint32_t)insn << 24 | 1);
}

/* Step, and look where the target is stopped then. */
static void step(uint16_t count, dp_addr first, uint32_t bytes)
{
	uint8_t arguments[14];

	dp_put_u16(arguments, count);
	dp_put_u64(arguments + 2, first);
	dp_put_u32(arguments + 10, bytes);
	send(DP_CMD_STEP, arguments, sizeof(arguments));
}

static void ask_pc(void)
{
	ask_regs(15, 1);
}

static dp_addr told_pc(void)
{
	CHECK(last.error == 0);
	return get_word(last.payload + 2);
}

static uint32_t told_why(void)
{
	return notice(DP_NOTICE_STOPPED, sizeof(dp_word) + 1, 1);
}

static bool is_at(dp_addr pc)
{
	return dp_port_pc(&firmware.frame) == pc;
}

/* --- one instruction after the other --- */

enum {
	LENGTH = 7
};
static const enum sim_insn way[LENGTH] = {SIM_NOP,    SIM_STEPPED, SIM_AWAY, SIM_MEMORY,
					  SIM_UNLOCK, SIM_IF,      SIM_NOP};

static void steps_through(void)
{
	unsigned done = (turns - 1) / 2;

	if (turns % 2 == 0) {
		CHECK(last.error == 0 && last.bytes == 11);
		CHECK(get_word(last.payload + 9 - sizeof(dp_word)) == AT + 4 * done);
		ask_pc();
		return;
	}
	if (turns > 1)
		CHECK(told_pc() == AT + 4 * done && told_why() == 3);
	if (done < LENGTH)
		step(1, 0, 0);
	else
		resume();
}

/* proves: R5.143 R5.144 */
static void one_by_one(void)
{
	start(steps_through);
	for (unsigned i = 0; i < LENGTH; i++)
		put(AT + 4 * i, way[i]);
	CHECK(bench_install(STOPS) == 0);
	firmware_run(AT, LENGTH + 1);
	CHECK(turns == 2 * LENGTH + 1 && firmware.executed == 3 + 1); /* others are emulated */
	CHECK(notice(DP_NOTICE_RESUMED, 0, 1) == 1 && !firmware.agent.cpu[0].in_hit);
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 1 && firmware.agent.strays == 0);
	bench_remove_all();
	CHECK(firmware_text_is_original());
	bench_poll();
	for (unsigned i = 0; i < SIM_SLOTS; i++)
		CHECK(firmware.agent.port.slots.state[i] == DP_SLOT_FREE);
}

/* --- many at a time --- */

static void steps_many(void)
{
	if (turns == 1)
		step(3, 0, 0);
	else if (turns == 2 || turns == 4 || turns == 6)
		ask_pc();
	else if (turns == 3) {
		CHECK(told_pc() == AT + 12);
		step(100, AT + 8, 16); /* while it is in there */
	} else if (turns == 5) {
		CHECK(told_pc() == AT + 24);
		step(2, AT, 0x100); /* the count ends it */
	} else {
		CHECK(turns != 7 || told_pc() == AT + 32);
		resume();
	}
}

/* proves: R5.145 */
static void many(void)
{
	start(steps_many);
	put(AT + 4, SIM_STEPPED);
	put(AT + 16, SIM_MEMORY);
	CHECK(bench_install(STOPS) == 0);
	firmware_run(AT, 9);
	CHECK(turns == 7 && is_at(AT + 36));
	/* One notice for each request, and one for the first stop. */
	CHECK(bench.line[0].notices == 1 + 1 + 3 + 1);
}

static unsigned more;

/* A request between two steps ends them, or sees the target stopped. */
static void breaks_steps(void)
{
	static const uint8_t halt[2] = {0, 0};

	if (turns == 1)
		step(0xffff, 0, 0);
	else if (turns == 2)
		send(more == 1 ? DP_CMD_RESUME : DP_CMD_HALT, halt, more == 1 ? 0 : 2);
	else if (turns == 3 && more == 0) {
		CHECK(last.error == 0 && last.payload[0] == 3);
		ask_pc();
	} else if (turns == 4 && more == 0) {
		CHECK(told_pc() > AT + 4 && told_pc() < AT + 0x400);
		resume();
	}
}

/* proves: R5.145 */
static void requests_between_steps(void)
{
	for (more = 0; more < 2; more++) {
		start(breaks_steps);
		tick = 0;
		CHECK(bench_install(STOPS) == 0);
		firmware_run(AT, 0x200);
		CHECK(turns >= 2 + (more == 0) && notice(DP_NOTICE_RESUMED, 0, 1) == 1);
		CHECK(is_at(AT + 0x800));
	}
}

/* --- probes on the way --- */

static void steps_over_probes(void)
{
	if (turns < 4)
		step(1, 0, 0);
	else
		resume();
}

/* The handlers of a stepped instruction run once, before it and behind it; `exit 1` stops nothing.
 */
/* proves: R5.146 */
static void over_probes(void)
{
	start(steps_over_probes);
	put(AT + 4, SIM_STEPPED);
	put(AT + 8, SIM_AWAY);
	CHECK(bench_install(STOPS) == 0);
	CHECK(bench_install("name = \"a\"\noffset = 0x08000100\nphase = after\npush 5\nlog 1\n"
			    "exit\n") == 1);
	CHECK(bench_install("name = \"b\"\noffset = 0x08000104\npush 6\nlog 1\nexit 1\n") == 2);
	CHECK(bench_install("name = \"c\"\noffset = 0x08000108\nphase = after\npush 7\nlog 1\n"
			    "exit\n") == 3);
	firmware_run(AT, 4);
	CHECK(turns == 4 && is_at(AT + 16));
	bench_poll();
	CHECK(bench.records == 4 && bench_logged(1) == 5 && bench_logged(2) == 6 &&
	      bench_logged(3) == 7);
	for (int program = 0; program < 4; program++)
		CHECK(dp_probe_hits(bench_probe(program, 0)) == 1);
}

#if DP_RETURNS
enum {
	CALLER = AT + 0x200,
	LR = 14
};
#define RETURNS(offset)                                                                            \
	"name = \"r\"\noffset = " offset "\nfunction = 16\npush 7\nreturn 1\nabort\n"
#define RETURNED(offset)                                                                           \
	"name = \"x\"\noffset = " offset "\nphase = returned\npush r, r0\nlog 1\nexit\n"

/* Run until the stop, and the steps from it, are over. */
static void run_stop(void)
{
	*reg(LR) = CALLER;
	*reg(0) = 9;
	*reg(15) = AT;
	while (turns == 0 || is_at(AT + 4))
		firmware_step();
}

/* A probe by which the next hit has to be one of its own. */
static void run_other(void)
{
	uint32_t executed = firmware.executed;

	CHECK(bench_install("name = \"o\"\noffset = 0x08000400\nexit\n") >= 0);
	*reg(0) = 9;
	firmware_run(FIRMWARE_TEXT + 0x400, 1);
	CHECK(is_at(FIRMWARE_TEXT + 0x404) && *reg(0) == 9 && firmware.executed == executed + 1);
}

static void steps_one(void)
{
	if (turns == 1)
		step(1, 0, 0);
	else if (turns == 2)
		ask_pc();
	else {
		CHECK(turns != 3 || told_pc() == CALLER);
		resume();
	}
}

/* A step from a hit whose handler lets the function return ends in the caller. */
/* proves: R5.150 */
static void out_of_a_hit(void)
{
	start(steps_one);
	CHECK(bench_install(RETURNS("0x08000100")) == 0 && bench_install(STOPS) == 1);
	CHECK(bench_install(RETURNED("0x08000100")) == 2);
	run_stop();
	bench_poll();
	CHECK(turns == 3 && is_at(CALLER) && *reg(0) == 7 && firmware.executed == 0);
	CHECK(bench.records == 2 && bench_logged(1) == 7);
	run_other();
}

static void steps_two(void)
{
	if (turns == 1)
		step(2, 0, 0);
	else if (turns == 2)
		ask_pc();
	else {
		CHECK(turns != 3 || told_pc() == CALLER);
		resume();
	}
}

/* The same where the step comes to the probe. */
/* proves: R5.150 */
static void out_of_a_function(void)
{
	start(steps_two);
	CHECK(bench_install(STOPS) == 0 && bench_install(RETURNS("0x08000104")) == 1);
	CHECK(bench_install(RETURNED("0x08000104")) == 2);
	run_stop();
	bench_poll();
	CHECK(turns == 3 && is_at(CALLER) && *reg(0) == 7);
	CHECK(bench.records == 2 && bench_logged(1) == 7);
	run_other();
}

static bool other_comes;

static void removes_the_return(void)
{
	if (turns == 1)
		send(DP_CMD_REMOVE, "\0", 1);
	else
		resume();
}

/* The probe goes in the stop: its function does not return, whether a trap stays or not. */
/* proves: R5.128 */
static void removed_return(void)
{
	for (other_comes = false;; other_comes = true) {
		start(removes_the_return);
		CHECK(bench_install(RETURNS(
			      "0x08000100") "offset = 0x08000100\nminor = 1\nexit 1\n") == 0);
		if (other_comes)
			CHECK(bench_install("name = \"b\"\noffset = 0x08000100\nexit\n") == 1);
		*reg(LR) = CALLER;
		*reg(0) = 9;
		firmware_run(AT, 1);
		CHECK(turns == 2 && is_at(AT + 4) && *reg(0) == 9 && firmware.executed == 1);
		if (other_comes)
			return;
		bench_poll();
		run_other();
	}
}
#endif

static void steps_to_a_probe(void)
{
	if (turns == 1)
		step(1, 0, 0);
	else
		resume();
}

/* A probe before which a step has stopped is hit when the target goes on. */
/* proves: R5.146 */
static void hit_behind_a_step(void)
{
	start(steps_to_a_probe);
	CHECK(bench_install(STOPS) == 0);
	CHECK(bench_install("name = \"b\"\noffset = 0x08000104\npush 6\nlog 1\nexit 1\n") == 1);
	firmware_run(AT, 2);
	bench_poll();
	CHECK(turns == 3 && bench.records == 2 && told_why() == 1);
}

static void removes_and_steps(void)
{
	if (turns == 1)
		send(DP_CMD_REMOVE, "\xff", 1);
	else if (turns < 4)
		step(1, 0, 0);
	else
		resume();
}

static void without_its_probe(void)
{
	start(removes_and_steps);
	put(AT, SIM_STEPPED);
	CHECK(bench_install(STOPS) == 0);
	firmware.original[0x103] = firmware.text[0x103]; /* of the test */
	firmware_run(AT, 3);
	CHECK(turns == 4 && is_at(AT + 12) && firmware.foreign_traps == 0);
	CHECK(firmware.agent.programs == 0);
}

/* --- refusals and faults --- */

static enum sim_insn second;

static void steps_to_a_refusal(void)
{
	if (turns == 1) {
		step(5, 0, 0);
	} else if (turns == 2) {
		step(0, 0, 0); /* only asks */
	} else {
		if (turns == 3) {
			CHECK(told_why() == 4 && notice(DP_NOTICE_STOPPED, 0, 4) != AT);
			CHECK(last.bytes == 11 && bench_number(&last, 9, 2) == 3 &&
			      get_word(last.payload + 9 - sizeof(dp_word)) == AT + 8);
			CHECK(second == SIM_REFUSED
				      ? last.error == NOT_PROBEABLE && last.payload[0] == 1
				      : last.error == IN_ATOMIC && last.payload[0] == 0);
		}
		resume();
	}
}

/* proves: R5.147 */
static void refused_instructions(void)
{
	static const enum sim_insn insns[] = {SIM_REFUSED, SIM_NOP};

	for (unsigned i = 0; i < 2; i++) {
		second = insns[i];
		start(steps_to_a_refusal);
		if (second == SIM_NOP) {
			put(AT + 4, SIM_LOCK);
			put(AT + 16, SIM_UNLOCK);
		}
		put(AT + 8, second);
		CHECK(bench_install(STOPS) == 0);
		firmware_run(AT, 4);
		CHECK(turns == 3 && is_at(AT + 16));
	}
}

static void steps_into_the_agent(void)
{
	if (turns == 1)
		step(2, 0, 0);
	else if (turns == 2)
		step(1, 0, 0);
	else {
		CHECK(turns != 3 || last.error == IN_AGENT);
		resume();
	}
}

static void agents_text(void)
{
	start(steps_into_the_agent);
	CHECK(bench_install("name = \"s\"\noffset = 0x08000ef8\nexit 1\n") == 0);
	firmware_run(FIRMWARE_TEXT + 0xef8, 3);
	CHECK(turns == 3);
}

static void steps_once(void)
{
	if (turns == 1)
		step(9, 0, 0);
	else
		CHECK(!"the target is stopped");
}

/* The firmware gets the fault at the instruction, and the host is told that the step has no end. */
/* proves: R5.148 */
static void faulting_steps(void)
{
	static const enum sim_insn insns[] = {SIM_SLOT_FAULT, SIM_FAULT, SIM_MEMORY};

	for (unsigned i = 0; i < 6; i++) {
		dp_addr at = i < 3 ? AT : AT + 4; /* with a probe, and without */

		start(steps_once);
		put(at, insns[i % 3]);
		firmware.aborts = insns[i % 3] == SIM_MEMORY;
		CHECK(bench_install(STOPS) == 0);
		firmware_run(AT, 2);
		CHECK(firmware.faults == 1 && firmware.fault_pc == at && is_at(AT + 8));
		CHECK(notice(DP_NOTICE_RESUMED, 0, 1) == 4 && !firmware.agent.cpu[0].in_hit);
		CHECK(turns == 1 && !dp_sim.masked);
		bench_poll();
		CHECK(bench.line[0].bad_frames == 0);
	}
}

static uint8_t step_error(void)
{
	static const uint8_t arguments[14] = {0, 1};

	return bench_error(DP_CMD_STEP, arguments, sizeof(arguments));
}

/* proves: R5.133 */
static void not_stopped(void)
{
	start(steps_once);
	CHECK(step_error() == 46);
	firmware.board.stopped = NULL;
	CHECK(step_error() == 45);
	bench_hello(3, 0);
	CHECK(step_error() == 72);
}

/* --- the place of HALT --- */

static void looks_at_place(void)
{
	if (turns == 1) {
		CHECK(told_why() == 2);
		ask_pc();
	} else if (turns == 2) {
		CHECK(told_pc() == AT && firmware_text_is_original());
		step(1, 0, 0);
	} else {
		CHECK(turns != 3 || last.error == 0);
		resume();
	}
}

/* proves: R5.131 */
static void stops_where_a_sample_was(void)
{
	start(looks_at_place);
	memcpy(firmware.original, firmware.text, sizeof(firmware.original));
	dp_sample(&firmware.agent, AT + 0x80, 1, 2);
	CHECK(bench_error(DP_CMD_HALT, "\0\0", 2) == 0 && turns == 0);
	dp_sample(&firmware.agent, FIRMWARE_NO_PROBE, 1, 2); /* no place */
	CHECK(firmware_text_is_original());
	dp_sample(&firmware.agent, AT + 0x40, 1, 2);
	CHECK(!firmware_text_is_original() && bench_error(DP_CMD_REMOVE, "\xff", 1) == 0);
	dp_sample(&firmware.agent, AT, 1, 2); /* the context of the other did not go on */
	firmware_run(AT, 2);
	CHECK(turns == 3 && is_at(AT + 8) && firmware_text_is_original());
	CHECK(firmware.agent.strays == 0 && bench_error(DP_CMD_REMOVE, "\xff", 1) == 0);
	firmware_run(AT, 2);
	CHECK(turns == 3);
}

static void resumes(void)
{
	resume();
}

/* Let a trap of HALT stand at AT. */
static void take_place(void)
{
	start(resumes);
	memcpy(firmware.original, firmware.text, sizeof(firmware.original));
	dp_sample(&firmware.agent, AT + 0x80, 1, 2);
	CHECK(bench_error(DP_CMD_HALT, "\0\0", 2) == 0);
	dp_sample(&firmware.agent, AT, 1, 2);
	CHECK(!firmware_text_is_original());
}

static void stops_nothing(void)
{
	bench_poll();
	CHECK(firmware_text_is_original());
	firmware_run(AT, 2);
	CHECK(turns == 0 && is_at(AT + 8) && firmware.agent.strays == 0);
	CHECK(bench_error(DP_CMD_RESUME, "", 0) == 46);
}

/* proves: R5.151 */
static void withdrawn_halt(void)
{
	take_place();
	CHECK(bench_error(DP_CMD_RESUME, "", 0) == 0);
	stops_nothing();
	take_place();
	bench_hello(0xff, 0x77);
	stops_nothing();
	take_place();
	dp_sim.ticks += 2 * HZ;
	stops_nothing();
	take_place();
	dp_sim.ticks += 2 * HZ;
	dp_sample(&firmware.agent, AT, 1, 2);
	stops_nothing();
	take_place();
	dp_sim.ticks += 2 * HZ;
	firmware_run(AT, 2);
	stops_nothing();
}

/* A place that a request at work is interrupted at does not stop the target. */
static void place_in_a_request(void)
{
	take_place();
	firmware.agent.executing = DP_CMD_LIMITS;
	firmware_run(AT, 2);
	CHECK(turns == 0 && is_at(AT + 8) && firmware_text_is_original());
	firmware.agent.executing = 0;
	bench_poll();
	dp_sample(&firmware.agent, AT, 1, 2);
	CHECK(!firmware_text_is_original());
	firmware_run(AT, 2);
	CHECK(turns > 0 && is_at(AT + 8));
}

/* Where samples find no place, HALT stops the target in dp_poll. */
/* proves: R5.131 R5.132 */
static void stops_without_a_place(void)
{
	start(resumes);
	dp_sample(&firmware.agent, AT, 1, 2);
	for (unsigned i = 0; i < 5 && turns == 0; i++) {
		bench_error(DP_CMD_HALT, "\0\0", 2);
		dp_sample(&firmware.agent, FIRMWARE_NO_PROBE, 1, 2);
		CHECK(i == 4 || turns == 0);
	}
	CHECK(turns > 0 && notice(DP_NOTICE_STOPPED, sizeof(dp_word), 2) == 0xff02);
}

/* Text that a function of the board writes, as flash: the writes. */
static unsigned writes;

static bool write_text(dp_addr address, const void *bytes, size_t count)
{
	writes++;
	return sim_write(address, bytes, count) == count;
}

static bool write_nothing(dp_addr address, const void *bytes, size_t count)
{
	(void)address, (void)bytes, (void)count;
	writes++;
	return false;
}

/* A stop wears the flash by one write for the trap, and one for the original, however many samples
 * come before the context goes on. */
/* proves: R5.131 */
static void writes_flash_once(void)
{
	start(looks_at_place);
	firmware.board.text_write = write_text;
	memcpy(firmware.original, firmware.text, sizeof(firmware.original));
	writes = 0;
	dp_sample(&firmware.agent, AT + 0x80, 1, 2);
	CHECK(bench_error(DP_CMD_HALT, "\0\0", 2) == 0 && turns == 0);
	dp_sample(&firmware.agent, FIRMWARE_NO_PROBE, 1, 2); /* no place */
	CHECK(writes == 0);
	for (unsigned i = 0; i < 10; i++)
		dp_sample(&firmware.agent, AT + (i & 4), 1, 2);
	CHECK(writes == 1);
	firmware_run(AT, 2);
	CHECK(turns == 3 && is_at(AT + 8) && firmware_text_is_original());
	CHECK(firmware.agent.text_writes == 2);
}

/* Behind a stop that found the context elsewhere, dp_poll moves the place, or takes the trap out.
 */
static void leaves_flash(void)
{
	start(resumes);
	firmware.board.text_write = write_text;
	memcpy(firmware.original, firmware.text, sizeof(firmware.original));
	writes = 0;
	dp_sample(&firmware.agent, AT, 1, 2);
	CHECK(bench_error(DP_CMD_HALT, "\0\0", 2) == 0);
	dp_sample(&firmware.agent, AT, 1, 2);
	dp_sim.ticks += 2 * HZ;
	dp_sample(&firmware.agent, AT + 4, 1, 2);
	CHECK(writes == 2 && turns == 0);
	stops_nothing();
	CHECK(writes == 2);
}

/* A probe that has come to the place answers its hits: the next sample takes another place. */
static void a_probe_at_the_place(void)
{
	start(resumes);
	firmware.board.text_write = write_text;
	dp_sample(&firmware.agent, AT, 1, 2);
	CHECK(bench_error(DP_CMD_HALT, "\0\0", 2) == 0);
	dp_sample(&firmware.agent, AT, 1, 2);
	CHECK(bench_install("name = \"p\"\noffset = 0x08000100\nabort\n") == 0);
	dp_sample(&firmware.agent, AT + 4, 1, 2);
	firmware_run(AT + 4, 1);
	CHECK(turns > 0 && is_at(AT + 8));
}

/* A page that the board does not write has no place: the target stops in dp_poll. */
static void flash_that_is_not_written(void)
{
	start(resumes);
	firmware.board.text_write = write_nothing;
	writes = 0;
	for (unsigned i = 0; i < 5 && turns == 0; i++) {
		dp_sample(&firmware.agent, AT, 1, 2);
		bench_error(DP_CMD_HALT, "\0\0", 2);
	}
	CHECK(turns > 0 && writes > 0);
	CHECK(notice(DP_NOTICE_STOPPED, sizeof(dp_word), 2) == 0xff02);
}

static void unheard(void)
{
	resume();
}

/* No dp_poll runs: calls of dp_sample hear the request after a while. */
/* proves: R5.149 */
static void nobody_polls(void)
{
	static const uint8_t seconds[2] = {0, 0};
	unsigned samples = 0;

	start(unheard);
	bench_type_request(DP_COM1, ++bench.seq, DP_CMD_HALT, seconds, 2);
	while (firmware_word(AT) != DP_SIM_TRAP_WORD && samples++ < 1000) {
		dp_sim.ticks += HZ / 1000;
		dp_sample(&firmware.agent, AT, 1, 2);
	}
	CHECK(samples > 400 && samples < 600);
	firmware_run(AT, 1);
	CHECK(turns == 1 && told_why() == 2 && firmware_text_is_original());
}

/* Requests that hits do not serve wait for dp_poll, however often dp_sample is called. */
/* proves: R5.149 */
static void waits_for_poll(void)
{
	uint32_t before;

	start(unheard);
	bench_type_request(DP_COM1, ++bench.seq, DP_CMD_LIMITS, "", 0);
	before = bench.line[0].answers;
	for (unsigned i = 0; i < 1000; i++) {
		dp_sim.ticks += HZ / 100;
		dp_sample(&firmware.agent, AT, 1, 2);
	}
	CHECK(bench.line[0].answers == before);
	bench_poll();
	CHECK(bench.line[0].answers == before + 1 && bench.line[0].answer.payload[1] == 0);
}

/* The error of a request that dp_sample answers; 0: it did not. */
static uint8_t sampled_error(uint8_t command, const uint8_t *arguments, size_t bytes)
{
	uint32_t before = bench.line[0].answers;

	bench_type_request(DP_COM1, ++bench.seq, command, arguments, bytes);
	for (unsigned i = 0; i < 1000 && bench.line[0].answers == before; i++) {
		dp_sim.ticks += HZ / 1000;
		dp_sample(&firmware.agent, AT, 1, 2);
	}
	return bench.line[0].answers == before + 1 ? bench.line[0].answer.payload[1] : 0;
}

/* The answers tell that the firmware hangs. */
/* proves: R5.155 */
static void tells_a_hang(void)
{
	static const uint8_t none[14] = {0, 0, 1};

	start(unheard);
	CHECK(step_error() == 46);
	CHECK(sampled_error(DP_CMD_STEP, none, sizeof(none)) == 130);
	CHECK(sampled_error(DP_CMD_REGS, none, 3) == 130);
	CHECK(sampled_error(DP_CMD_RESUME, none, 0) == 130);
	CHECK(step_error() == 46);
}

int main(void)
{
	one_by_one();
	many();
	requests_between_steps();
	over_probes();
#if DP_RETURNS
	out_of_a_hit();
	out_of_a_function();
	removed_return();
#endif
	hit_behind_a_step();
	without_its_probe();
	refused_instructions();
	agents_text();
	faulting_steps();
	not_stopped();
	stops_where_a_sample_was();
	withdrawn_halt();
	place_in_a_request();
	stops_without_a_place();
	writes_flash_once();
	leaves_flash();
	a_probe_at_the_place();
	flash_that_is_not_written();
	nobody_polls();
	waits_for_poll();
	tells_a_hang();
	return check_status();
}
