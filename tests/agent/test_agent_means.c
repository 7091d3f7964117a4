/* SPDX-License-Identifier: BSD-2-Clause */
/* Means of a site: a probe in text that cannot be written is one of a comparator, and behaves as
 * each other probe. port/dp_watch.h */
#include "watches.h"

#include "dp_bytes.h"
#include "sim_insn.h"

#include <stdio.h>
#include <string.h>

enum {
	ALL = (1 << SIM_COMPARATORS) - 1
};

#define LOG_R1       "push r, r1\nlog 1\nexit\n"
#define POINT(place) "offset = " place "\n" LOG_R1
/* A point at each of the places. */
#define FIVE                                                                                       \
	POINT("0x08000100")                                                                        \
	POINT("0x08000110") POINT("0x08000120") POINT("0x08000130") POINT("0x08000140")
#define FOUR POINT("0x08000110") POINT("0x08000120") POINT("0x08000130") POINT("0x08000140")

/* The text of the firmware is ROM or not, from now on. */
static void let_text_be_rom(bool rom)
{
	for (unsigned i = 0; i < dp_sim.ranges; i++)
		if (dp_sim.range[i].address == FIRMWARE_TEXT)
			dp_sim.range[i].writable = !rom;
}

/* No byte of the text can be written. All comparators can stop the CPU at instructions. */
static void start_in_rom(enum sim_insn insn)
{
	bench_start();
	put_insn(insn);
	let_text_be_rom(true);
	dp_sim.watch_code = ALL;
}

static void run(dp_word r1)
{
	*firmware.frame.word[sim_row(1)] = r1;
	firmware_run(AT, 1);
	bench_poll();
}

static unsigned comparators_on(void)
{
	unsigned on = 0;

	for (unsigned n = 0; n < SIM_COMPARATORS; n++)
		on += dp_sim.comparator[n].on;
	return on;
}

static struct bench_answer site_answer(int program, unsigned point)
{
	const uint8_t asked[] = {(uint8_t)program, (uint8_t)point};
	struct bench_answer answer = bench_ask(DP_CMD_SITE, asked, sizeof(asked));

	CHECK(answer.came && answer.error == 0 && answer.bytes == 24);
	return answer;
}

static unsigned means_of(int program, unsigned point)
{
	struct bench_answer answer = site_answer(program, point);

	return bench_number(&answer, 0, 1);
}

/* Comparators for code, free ones, for data, free ones, sites of comparators: a digit each. */
static unsigned hardware(void)
{
	struct bench_answer answer = bench_ask(DP_CMD_HARDWARE, NULL, 0);
	unsigned digits = 0;

	CHECK(answer.came && answer.error == 0 && answer.bytes == 30);
	for (unsigned i = 3; i < 8; i++)
		digits = 16 * digits + bench_number(&answer, i, 1);
	return digits;
}

static unsigned lack(void)
{
	struct bench_answer answer = bench_ask(DP_CMD_HARDWARE, NULL, 0);

	return bench_number(&answer, 12, 1);
}

static unsigned text_writes(void)
{
	struct bench_answer answer = bench_ask(DP_CMD_HARDWARE, NULL, 0);

	return bench_number(&answer, 8, 4);
}

static unsigned text_by(void)
{
	struct bench_answer answer = bench_ask(DP_CMD_HARDWARE, NULL, 0);

	return bench_number(&answer, 29, 1);
}

/* Whose the vectors are, and the lower half of where the first one leads that was taken over. */
static unsigned vectors(unsigned *leads_to)
{
	struct bench_answer answer = bench_ask(DP_CMD_HARDWARE, NULL, 0);

	*leads_to = bench_number(&answer, 25, 4);
	return bench_number(&answer, 19, 1);
}

/* --- vectors --- */

/* proves: R5.156 */
static void vectors_told(void)
{
	unsigned leads_to;

	start_in_rom(SIM_AWAY);
	CHECK(vectors(&leads_to) == DP_VECTORS_AGENT && text_by() == 1);
	dp_sim.vector = FIRMWARE_TEXT;
	CHECK(vectors(&leads_to) == DP_VECTORS_TAKEN && leads_to == FIRMWARE_TEXT);
	firmware.board.own_vectors = true;
	CHECK(vectors(&leads_to) == DP_VECTORS_OWN && leads_to == 0);
	dp_sim.vector = 0;
}

/* --- a session without a store to text --- */

/* proves: P9.22 P9.23 P9.24 R5.105 */
static void whole_session(void)
{
	struct bench_answer answer;

	start_in_rom(SIM_AWAY);
	CHECK(hardware() == 0x44440);
	CHECK(bench_install(NAME("a") AT_TEXT LOG_R1) == 0);
	CHECK(comparators_on() == 1 && firmware_text_is_original());
	CHECK(hardware() == 0x43431);
	answer = site_answer(0, 0);
	CHECK(bench_number(&answer, 0, 1) == DP_MEANS_COMPARE && bench_number(&answer, 1, 1) == 0);
	CHECK(bench_number(&answer, 8, 4) == 0 && bench_number(&answer, 12, 4) == AT);
	CHECK(bench_number(&answer, 20, 4) == 1);
	for (unsigned i = 0; i < 20; i++)
		run(i);
	CHECK(bench.records == 20 && bench.bad_records == 0 && hits(0, 0) == 20);
	CHECK(bench_logged(19) == 19 && firmware.executed == 20 && firmware.faults == 0);
	bench_remove_all();
	CHECK(comparators_on() == 0 && hardware() == 0x44440);
	run(1);
	CHECK(bench.records == 20 && firmware.executed == 21 && firmware.foreign_traps == 0);
	CHECK(firmware_text_is_original() && agent->strays == 0);
}

/* --- means differ in nothing else --- */

struct outcome {
	uint32_t records, executed, faults, hits, missed, faulted, withdrawn;
	dp_word pc, logged;
};

static struct outcome outcome_of(enum sim_insn insn, const char *program, enum dp_means means,
				 bool aborts)
{
	struct outcome o;

	memset(&o, 0, sizeof(o));
	start_in_rom(insn);
	let_text_be_rom(means != DP_MEANS_WORD);
	dp_sim.watch_lays = means == DP_MEANS_REMAP;
	CHECK(bench_install(program) == 0);
	CHECK(means_of(0, 0) == means);
	for (unsigned i = 0; i < 6; i++) {
		firmware.aborts = aborts && i % 2;
		dp_sim.condition = i % 2;
		run(i);
	}
	o.records = bench.records;
	o.executed = firmware.executed;
	o.faults = firmware.faults;
	o.hits = hits(0, 0);
	o.missed = bench_probe(0, 0)->missed;
	o.faulted = bench_probe(0, 0)->faulted;
	o.withdrawn = DP_THIS_CPU(agent)->ring.withdrawn;
	o.pc = dp_port_pc(&firmware.frame);
	o.logged = bench.records > 0 ? bench_logged(bench.records - 1) : 0;
	bench_remove_all();
	CHECK(firmware_text_is_original() && comparators_on() == 0 && firmware.foreign_traps == 0);
	return o;
}

static void same_as_traps(void)
{
	static const enum sim_insn insns[] = {SIM_NOP,    SIM_STEPPED, SIM_SLOT_FAULT,
					      SIM_FAULT,  SIM_AWAY,    SIM_NEVER,
					      SIM_MEMORY, SIM_IF,      SIM_BRANCH};
	static const char *const programs[] = {
		NAME("t") AT_TEXT LOG_R1,
		NAME("t") AT_TEXT "abort\n",
		NAME("t") AT_TEXT "maxhits = 3\n" LOG_R1,
		NAME("t") AT_TEXT "ignore = 2\n" LOG_R1,
		NAME("t") AT_TEXT "logonfault = yes\n" LOG_R1,
		NAME("t") AT_TEXT "phase = after\n" LOG_R1,
		NAME("t") AT_TEXT "phase = fault\n" LOG_R1,
		NAME("t") AT_TEXT "push r, r1\npush 2\nsub\njz last\nexit\nlast:\nremove\n",
	};

	for (unsigned i = 0; i < sizeof(insns) / sizeof(insns[0]); i++)
		for (unsigned p = 0; p < sizeof(programs) / sizeof(programs[0]); p++) {
			const struct outcome word = outcome_of(insns[i], programs[p], DP_MEANS_WORD,
							       insns[i] == SIM_MEMORY);
			const struct outcome laid = outcome_of(
				insns[i], programs[p], DP_MEANS_REMAP, insns[i] == SIM_MEMORY);
			const struct outcome compare = outcome_of(
				insns[i], programs[p], DP_MEANS_COMPARE, insns[i] == SIM_MEMORY);
			bool same = memcmp(&word, &compare, sizeof(word)) == 0 &&
				    memcmp(&word, &laid, sizeof(word)) == 0;

			CHECK(same);
			if (!same)
				printf("instruction %x:\n%s", insns[i], programs[p]);
		}
}

/* --- how many there are --- */

static struct bench_answer refused(const char *source, enum dp_err error)
{
	struct bench_answer answer;

	CHECK(bench_compile(source));
	answer = bench_install_object(DP_COMMIT_NO_IDENTITY, 0);
	CHECK(answer.error == error);
	return answer;
}

/* A program that needs more than are free is refused whole, and they are free again. */
/* proves: R5.106 */
static void exhausted(void)
{
	struct bench_answer answer;

	start_in_rom(SIM_AWAY);
	answer = refused(NAME("a") FIVE, DP_ERR_NO_COMPARATOR);
	CHECK(bench_number(&answer, 1, 2) == 4 && bench_number(&answer, 7, 4) == SIM_COMPARATORS);
	CHECK(comparators_on() == 0 && hardware() == 0x44440 && agent->probes == 0);
	CHECK(bench_install(NAME("a") FOUR) == 0);
	CHECK(hardware() == 0x40404);
	refused(NAME("b") AT_TEXT LOG_R1, DP_ERR_NO_COMPARATOR);
	CHECK(bench_install(NAME("b") "offset = 0x08000110\n" LOG_R1) == 1); /* shares it */
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	CHECK(hardware() == 0x43431 && means_of(1, 0) == DP_MEANS_COMPARE);
	CHECK(bench_install(NAME("c") AT_TEXT LOG_R1) == 0);
	run(5);
	CHECK(bench.records == 1 && hits(0, 0) == 1);
	bench_remove_all();
	CHECK(hardware() == 0x44440);
	dp_sim.watch_code = 0; /* the CPU has none for code */
	CHECK(hardware() == 0x00440);
	refused(NAME("a") AT_TEXT LOG_R1, DP_ERR_NOT_PATCHABLE);
	CHECK(agent->probes == 0 && firmware_text_is_original());
}

/* The answer says why there is none for code. */
/* proves: R5.108 P9.25 */
static void what_it_lacks(void)
{
	start_in_rom(SIM_AWAY);
	CHECK(lack() == DP_LACKS_NOTHING);
	dp_sim.watch_code = 0;
	dp_sim.watch_lacks = DP_LACKS_OWNER;
	CHECK(lack() == DP_LACKS_OWNER);
}

/* Code and data take from one row. Only two may stop the CPU at instructions. */
static void shared_with_watchpoints(void)
{
	start_in_rom(SIM_AWAY);
	dp_sim.watch_code = 3;
	CHECK(hardware() == 0x22440);
	CHECK(bench_install(NAME("w") WATCH("w") "exit\n") == 0);
	CHECK(hardware() == 0x21430);
	CHECK(bench_install(NAME("a") AT_TEXT LOG_R1) == 1);
	CHECK(hardware() == 0x20421);
	refused(NAME("b") "offset = 0x08000110\n" LOG_R1, DP_ERR_NO_COMPARATOR);
	CHECK(bench_install(NAME("x") WATCH("rw") "exit\n") == 2);
	CHECK(bench_install(NAME("y") "address = 0x20000080\nwatchpoint = w\nexit\n") == 3);
	refused(NAME("z") "address = 0x20000090\nwatchpoint = w\nexit\n", DP_ERR_NO_COMPARATOR);
	run(7);
	CHECK(bench.records == 1 && bench_logged(0) == 7);
	CHECK(agent->comparators == 3 && comparators_on() == 4);
	bench_remove_all();
	check_quiet(0);
}

/* A place that can be written has a trap. */
static void each_place_its_own(void)
{
	start_in_rom(SIM_AWAY);
	let_text_be_rom(false);
	CHECK(bench_install(NAME("a") AT_TEXT LOG_R1 "offset = 0x08010008\n" LOG_R1) == 0);
	CHECK(means_of(0, 0) == DP_MEANS_WORD && means_of(0, 1) == DP_MEANS_COMPARE);
	CHECK(!firmware_text_is_original() && comparators_on() == 1);
	CHECK(firmware.keep.entry[bench_probe(0, 0)->site].address == AT);
	CHECK(firmware.keep.entry[bench_probe(0, 1)->site].address == 0);
	run(1);
	firmware_run(FIRMWARE_ROM + 8, 1);
	bench_poll();
	CHECK(bench.records == 2 && hits(0, 0) == 1 && hits(0, 1) == 1);
	bench_remove_all();
	CHECK(firmware_text_is_original() && comparators_on() == 0);
}

/* --- by the board --- */

static bool write_text(dp_addr address, const void *bytes, size_t count)
{
	bool done;

	let_text_be_rom(false);
	done = sim_write(address, bytes, count) == count;
	let_text_be_rom(true);
	return done;
}

static void by_the_board(void)
{
	start_in_rom(SIM_AWAY);
	firmware.board.text_write = write_text;
	CHECK(text_writes() == 0 && text_by() == 2);
	CHECK(bench_install(NAME("a") AT_TEXT LOG_R1) == 0);
	CHECK(means_of(0, 0) == DP_MEANS_BOARD && comparators_on() == 0 && text_writes() == 1);
	CHECK(firmware.keep.entry[bench_probe(0, 0)->site].means == DP_MEANS_BOARD);
	run(3);
	bench_remove_all();
	CHECK(bench.records == 1 && text_writes() == 2 && firmware_text_is_original());
}

/* --- what lasts, and what others change --- */

static void poll_often(void)
{
	bench_polls(2 * DP_SITES);
}

/* proves: P9.12 */
static void warm_restart(void)
{
	start_in_rom(SIM_AWAY);
	CHECK(bench_install(NAME("a") AT_TEXT LOG_R1) == 0);
	CHECK(firmware.keep.entry[bench_probe(0, 0)->site].address == 0); /* no note */
	bench_warm();
	CHECK(comparators_on() == 0 && agent->restored == 0 && agent->probes == 0);
	CHECK(firmware_text_is_original());
}

/* The checksum of the first 64 bytes at AT; *sites: traps among them. */
static uint32_t crc_of(bool original, uint32_t *sites)
{
	uint8_t asked[13] = {0};
	struct bench_answer answer;

	dp_put_u32(asked + 4, AT);
	dp_put_u32(asked + 8, 64);
	asked[12] = original;
	answer = bench_ask(DP_CMD_TEXT, asked, sizeof(asked));
	CHECK(answer.error == 0);
	*sites = bench_number(&answer, 4, 2);
	return bench_number(&answer, 0, 4);
}

static void patrol(void)
{
	uint32_t crc, sites;

	start_in_rom(SIM_AWAY);
	CHECK(bench_install(NAME("a") AT_TEXT LOG_R1) == 0);
	poll_often();
	CHECK(bench_probe(0, 0)->state == DP_PROBE_ARMED);
	crc = crc_of(true, &sites);
	CHECK(sites == 0 && crc == crc_of(false, &sites));
	dp_sim.comparator[0].first += 8; /* another address */
	poll_often();
	CHECK(bench_probe(0, 0)->state == DP_PROBE_WATCH_LOST && comparators_on() == 0);
	bench_remove_all();
	CHECK(bench_install(NAME("a") AT_TEXT LOG_R1) == 0);
	let_text_be_rom(false);
	firmware_put_word(AT, 0x12345678); /* other code came there: the text is told as it is */
	CHECK(crc_of(true, &sites) != crc && crc_of(true, &sites) == crc_of(false, &sites));
	poll_often();
	CHECK(bench_probe(0, 0)->state == DP_PROBE_TEXT_CHANGED && comparators_on() == 0);
	CHECK(firmware_word(AT) == 0x12345678 && hardware() == 0x44440);
}

/* Traps that comparators lay over memory: the text is told as it is, and a damaged comparator is
 * found. */
static void laid(void)
{
	start_in_rom(SIM_AWAY);
	dp_sim.watch_lays = true;
	CHECK(bench_install(NAME("a") FOUR) == 0);
	CHECK(hardware() == 0x40404 && means_of(0, 3) == DP_MEANS_REMAP);
	CHECK(firmware_text_is_original());
	refused(NAME("b") AT_TEXT LOG_R1, DP_ERR_NO_COMPARATOR);
	poll_often();
	CHECK(bench_probe(0, 0)->state == DP_PROBE_ARMED);
	dp_sim.comparator[0].on = 0;
	poll_often();
	CHECK(bench_probe(0, 0)->state == DP_PROBE_WATCH_LOST);
	CHECK(bench_probe(0, 1)->state == DP_PROBE_ARMED);
	bench_remove_all();
	CHECK(comparators_on() == 0 && hardware() == 0x44440);
}

/* Flipped bits in the tables: no probe stays, and no comparator. */
static void damaged(void)
{
	for (unsigned what = 0; what < 4; what++) {
		struct dp_site *site;

		start_in_rom(SIM_AWAY);
		CHECK(bench_install(NAME("a") FOUR) == 0);
		site = &agent->site[bench_probe(0, 2)->site];
		if (what == 0)
			site->original ^= 0x100;
		else if (what == 1)
			site->means = DP_MEANS_WORD;
		else if (what == 2)
			agent->watch[2].serves ^= 0x40;
		else
			agent->watch[2].first ^= 4;
		poll_often();
		CHECK(bench_probe(0, 0)->state == DP_PROBE_DAMAGED && firmware_text_is_original());
		bench_remove_all();
		CHECK(comparators_on() == 0 && hardware() == 0x44440);
	}
}

/* The probe goes while the CPU is on its way to the agent; and a debugger's comparator. */
static void stray(void)
{
	start_in_rom(SIM_AWAY);
	CHECK(bench_install(NAME("a") AT_TEXT LOG_R1) == 0);
	*firmware.frame.word[sim_row(PC)] = AT;
	CHECK(sim_watched(AT, SIM_UNIT, DP_WATCHED_EXECUTE));
	bench_remove_all();
	CHECK(dp_port_exception(SIM_WATCHED, &firmware.frame) == DP_RESUME);
	CHECK(dp_port_pc(&firmware.frame) == AT);
	dp_sim.comparator[3] = (struct sim_comparator){
		.first = AT, .bytes = 1, .kind = DP_PROBE_BREAK, .on = 1, .foreign = 1};
	run(1);
	CHECK(firmware.foreign_traps == 1 && agent->strays == 0 && bench.records == 0);
	CHECK(hardware() == 0x33330); /* the debugger's is none of ours */
}

/* --- with watchpoints --- */

/* proves: P9.20 */
static void with_a_watchpoint_of_execution(void)
{
	start_in_rom(SIM_STEPPED);
	CHECK(bench_install(NAME("a") AT_TEXT LOG_R1) == 0);
	CHECK(bench_install(NAME("x") "address = 0x08000100\nwatchpoint = x\n" LOG_R1) == 1);
	for (unsigned i = 0; i < 5; i++)
		run(i);
	CHECK(hits(0, 0) == 5 && hits(1, 0) == 5 && bench.records == 10);
	CHECK(firmware.executed == 5 && firmware_text_is_original());
	bench_remove_all();
	check_quiet(0);
}

/* The instruction at the site writes what is watched. */
static void with_a_watched_store(void)
{
	start_in_rom(SIM_STORE);
	CHECK(bench_install(NAME("a") AT_TEXT "push 1\nlog 1\nexit\n") == 0);
	CHECK(bench_install(NAME("w") WATCH("w") LOG_PC) == 1);
	for (unsigned i = 0; i < 5; i++)
		store(DATA, 0x50 + i, 4);
	CHECK(hits(0, 0) == 5 && hits(1, 0) == 5 && bench_logged(1) == AT);
	CHECK(firmware_word(DATA) == 0x54 && firmware.executed == 5);
	bench_remove_all();
	check_quiet(0);
}

/* --- the last hit --- */

/* A hit ends the probe: the comparator is free at once, and serves the next probe. */
static void ended_by_a_hit(void)
{
	start_in_rom(SIM_AWAY);
	dp_sim.watch_code = 1;
	CHECK(bench_install(NAME("a") AT_TEXT "push 1\nlog 1\nremove\n") == 0);
	run(0);
	CHECK(bench_probe(0, 0)->state == DP_PROBE_REMOVED && comparators_on() == 0);
	CHECK(hardware() == 0x11440);
	CHECK(bench_install(NAME("b") "offset = 0x08000120\n" LOG_R1) == 1);
	CHECK(hardware() == 0x10431);
	refused(NAME("c") AT_TEXT LOG_R1, DP_ERR_NO_COMPARATOR);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0);
	CHECK(bench_install(NAME("c") AT_TEXT LOG_R1) == 1); /* again, at the old site */
	run(0);
	CHECK(hits(1, 0) == 1);
	bench_remove_all();
	CHECK(comparators_on() == 0);
}

int main(void)
{
	vectors_told();
	whole_session();
	same_as_traps();
	exhausted();
	what_it_lacks();
	shared_with_watchpoints();
	each_place_its_own();
	by_the_board();
	warm_restart();
	patrol();
	laid();
	damaged();
	stray();
	with_a_watchpoint_of_execution();
	with_a_watched_store();
	ended_by_a_hit();
	return check_status();
}
