/* SPDX-License-Identifier: BSD-2-Clause */
/* What a hit does: chains, counters, faults, records.  agent/README.md, PROTOCOL.md section 4. */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_the_agent.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	OTHER = FIRMWARE_TEXT + 0x200
};

static const struct dp_probe *probe_of(int program, unsigned point)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (firmware.agent.probe[i].program == program &&
		    firmware.agent.probe[i].point == point)
			return &firmware.agent.probe[i];
	CHECK(!"the probe is there");
	return &firmware.agent.probe[0];
}

/* proves: R5.27 R5.28 R7.4 */
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
	CHECK(firmware_word(AT) == SIM_TRAP_WORD);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 5 && bench_logged(3) == 1 && bench_logged(4) == 3);
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	CHECK(firmware_word(AT) == SIM_TRAP_WORD);
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
	CHECK(probe_of(program, 0)->hits == 3 && probe_of(program, 0)->ignored == 2);
	CHECK(probe_of(program, 0)->state == DP_PROBE_DISABLED && firmware_text_is_original());
}

/* The text is the original again where no probe of the chain is active, and only there. */
static void remove_instruction(void)
{
	int program, other;

	bench_start();
	program = bench_install("name = \"t\"\noffset = 0x08000100\npush 1\nlog 1\nremove\n");
	other = bench_install("name = \"u\"\noffset = 0x08000100\nmaxhits = 2\nexit\n");
	firmware_run(AT, 1);
	CHECK(probe_of(program, 0)->state == DP_PROBE_REMOVED &&
	      firmware_word(AT) == SIM_TRAP_WORD);
	firmware_run(AT, 1);
	CHECK(probe_of(other, 0)->state == DP_PROBE_DISABLED && firmware_text_is_original());
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 3 && firmware.executed == 3);
}

/* proves: R2.25 */
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
	CHECK(probe_of(program, 0)->state == DP_PROBE_OVERRUN && firmware_text_is_original());
	CHECK(probe_of(program, 0)->overruns_total == DP_OVERRUNS_MAX);
	CHECK(bench.line[0].notices == 1 &&
	      bench.line[0].notice.payload[DP_STREAM_HEAD + 1] == DP_NOTICE_PROBE_DISABLED);
}

/* A probe that has ended costs the others at its site nothing: nothing is left to settle. */
static unsigned unsettled_calls;

static void look_for_unsettled(struct dp_hook_call *call)
{
	(void)call;
	unsettled_calls += 1 + 100 * firmware.agent.unsettled;
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
	CHECK(probe_of(ended, 0)->state == DP_PROBE_DISABLED && unsettled_calls == 101);
	firmware_run(AT, 1);
	firmware_run(AT, 1);
	CHECK(probe_of(active, 0)->hits == 3 && unsettled_calls == 103);
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
	CHECK(firmware.agent.in_hit == 1);
	recovered = dp_sim.recovered;
	bench_poll();
	CHECK(firmware.agent.in_hit == 0 && bench.records == 2 && bench_logged(0) == 5);
	CHECK(dp_sim.recovered > recovered);
	CHECK(probe_of(done, 0)->state == DP_PROBE_DISABLED && firmware_word(AT) == SIM_TRAP_WORD);
	firmware.board.exit_hook[0] = NULL;
	firmware_run(AT, 1);
	CHECK(probe_of(done, 0)->hits == 1 && probe_of(hangs, 0)->hits == 2);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* --- nested hits --- */

static dp_addr nested_at;

static uint32_t nesting_pid(void)
{
	firmware_nested(nested_at, 1);
	return 4711;
}

/* A hit while a handler runs is stepped over, whatever the instruction needs, and counted. */
static void missed(uint32_t word, uint32_t faults)
{
	int outer, inner;

	bench_start();
	firmware.board.pid = nesting_pid;
	nested_at = OTHER;
	firmware_put_word(OTHER, word);
	outer = bench_install("name = \"o\"\noffset = 0x08000100\npush pid\nlog 1\nexit\n");
	inner = bench_install("name = \"i\"\noffset = 0x08000200\nexit\n");
	firmware_run(AT, 1);
	bench_poll();
	CHECK(firmware.executed == 2 && firmware.faults == faults);
	CHECK(faults == 0 || firmware.fault_pc == OTHER);
	CHECK(bench.records == 1 && bench_logged(0) == 4711);
	CHECK(probe_of(inner, 0)->missed == 1 && probe_of(inner, 0)->hits == 0);
	CHECK(probe_of(outer, 0)->missed == 0 && firmware.agent.ring.missed == 1);
	CHECK(probe_of(inner, 0)->faulted == 0); /* of what it did not see */
	firmware.board.pid = NULL;
	firmware_run(OTHER, 1);
	CHECK(probe_of(inner, 0)->hits == 1);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

/* An instruction whose condition is false is no hit, so none is missed. */
static void not_missed(void)
{
	bench_start();
	firmware.board.pid = nesting_pid;
	nested_at = OTHER;
	firmware_put_word(OTHER, (uint32_t)SIM_NEVER << 24);
	CHECK(bench_install("name = \"o\"\noffset = 0x08000100\npush pid\nexit\n") == 0);
	CHECK(bench_install("name = \"i\"\noffset = 0x08000200\nexit\n") == 1);
	firmware_run(AT, 1);
	CHECK(firmware.executed == 2 && firmware.agent.ring.missed == 0);
	firmware.board.pid = NULL;
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
	CHECK(bench.records == records && firmware.agent.ring.sent == records);
	CHECK(probe_of(program, 0)->faulted == faults && firmware.agent.in_hit == 0);
	CHECK(bench.record[0].head.flags == (faults && records ? DP_RECORD_FAULTED : 0));
	firmware_run(AT, 1);
	CHECK(probe_of(program, 0)->hits == (sim_insn(word) == SIM_NEVER ? 0 : 2));
	bench_remove_all();
	CHECK(firmware_text_is_original());
	firmware_run(AT, 1);
	CHECK(firmware.executed == 8 && firmware.faults == 4 * faults);
}

/* One record of several at a site may go although the instruction faulted. */
/* proves: P4.4 R5.28 */
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
		CHECK(probe_of(i, 0)->faulted == 1 && probe_of(i, 0)->hits == 1);
}

/* What the instruction needs is there now: it does not fault any more. */
static void become_nop(struct dp_site *site)
{
	site->original = 0;
#if DP_PORT_INSN_BYTES_MAX > 4
	memset(site->original_bytes, 0, sizeof(site->original_bytes));
#endif
}

/* A hit whose record a fault has taken back is not one of maxhits: the firmware's handler may have
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
	CHECK(probe_of(program, 0)->hits == 2 && probe_of(program, 0)->faulted == 2);
	CHECK(probe_of(program, 0)->state == DP_PROBE_ARMED && firmware_word(AT) == SIM_TRAP_WORD);
	become_nop(&firmware.agent.site[probe_of(program, 0)->site]);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && probe_of(program, 0)->state == DP_PROBE_DISABLED);
	CHECK(firmware_word(AT) != SIM_TRAP_WORD);
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
	CHECK(bench.records == 1 && probe_of(program, 0)->faulted == 1);
	CHECK(probe_of(program, 0)->state == DP_PROBE_DISABLED && firmware_text_is_original());
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
	CHECK(probe_of(idle, 0)->ignored == 2 && probe_of(idle, 0)->faulted == 0);
	CHECK(probe_of(over, 0)->hits == 1 && probe_of(over, 0)->faulted == 1);
	CHECK(probe_of(runs, 0)->hits == 2 && probe_of(runs, 0)->faulted == 2);
}

/* Nothing of a record is sent before its instruction completed. */
/* proves: A2.18 A3.23 P4.3 P4.10 R5.28 */
static void pending(void)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_STEPPED << 24);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush 1\nlog 1\nexit\n") == 0);
	CHECK(bench_install("name = \"u\"\noffset = 0x08000100\npush 2\nlog 1\nexit\n") == 1);
	firmware_run(AT, 0);
	firmware_step();
	CHECK(dp_port_pc(&firmware.frame) == SIM_SLOT_BASE && firmware.agent.in_hit == 1);
	CHECK(dp_original_pc(SIM_SLOT_BASE) == AT && dp_original_pc(OTHER) == OTHER);
	bench_poll();
	CHECK(bench.records == 0);
	firmware_step();
	bench_poll();
	CHECK(bench.records == 2 && dp_port_pc(&firmware.frame) == AT + 4 &&
	      firmware.agent.in_hit == 0);
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
	firmware_put_word(AT, SIM_TRAP_WORD);
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
	firmware_put_word(AT, SIM_TRAP_WORD);
	firmware_run(AT, 1);
	CHECK(firmware.foreign_traps == 1);
}

/* --- records --- */

static void one_size(unsigned bytes)
{
	char source[200];

	bench.records = 0;
	if (bytes < 3)
		snprintf(source, sizeof(source), "name = \"t\"\noffset = 0x08000100\nexit\n");
	else
		snprintf(source, sizeof(source),
			 "name = \"t\"\noffset = 0x08000100\npush %u\npush 0x20000000\nlog "
			 "mrf\nexit\n",
			 bytes - 3);
	CHECK(bench_install(source) >= 0);
	firmware_run(AT, 2);
	firmware_run(AT, 2);
	bench_poll();
	CHECK(bench.records == 2 && bench.bad_records == 0 && bench.line[0].gaps == 0);
	for (unsigned i = 0; i < 2; i++) {
		CHECK(bench.record[i].head.bytes == bytes);
		for (unsigned k = 3; k < bytes; k++)
			CHECK(bench.record[i].body[k] == (uint8_t)(k - 3));
	}
	bench_remove_all();
}

static void sizes(void)
{
	bench_start();
	one_size(0);
	for (unsigned bytes = 3; bytes < 180; bytes++)
		one_size(bytes);
	one_size(1023);
	one_size(1024);
}

static void traces(void)
{
	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\ncall p\nexit\n"
			    "proc p\npush 1\npush 2\nlog st\nlog 1\nret\nendproc\n") == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 2 && bench.bad_records == 0);
	CHECK(bench.record[0].head.kind == DP_RECORD_LOG && bench_logged(0) == 2);
	CHECK(bench.record[1].head.kind == DP_RECORD_TRACE);
	CHECK(bench.record[1].head.bytes == firmware.agent.vm.trace_bytes);
	CHECK(firmware.agent.vm.trace_bytes > 0 &&
	      memcmp(bench.record[1].body, firmware.agent.vm.trace,
		     firmware.agent.vm.trace_bytes) == 0);
	CHECK(bench.record[1].time == bench.record[0].time);
}

static uint32_t pid(void)
{
	return 0x01020304;
}

static const char *task_name(void)
{
	return "idle";
}

/* proves: P2.6 R4.7 */
static void items(void)
{
	static const uint8_t first[] = {0, 'i', 'd', 'l', 'e', 0, 0, 0, 0, 1, 2, 3, 4};
	static const uint8_t tsc[] = {0, 0, 0, 1, 0, 0, 0, 9};
	const uint8_t *body = bench.record[0].body + sizeof(first);
	enum {
		WORD = sizeof(dp_word)
	};

	bench_start();
	firmware.board.pid = pid;
	firmware.board.task_name = task_name;
	CHECK(bench_compile("name = \"t\"\noffset = 0x08000100\nsetmaj 300\nsetmin 400\npush "
			    "5\nlog 1\nexit\n"));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, DP_ITEM_ALL).error == 0);
	firmware.frame.word[sim_row(0x0d)][0] = 0x2000beef;
	dp_sim.ticks = 0x100000009;
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 &&
	      bench.record[0].head.bytes == sizeof(first) + sizeof(tsc) + 3 * WORD);
	CHECK(memcmp(bench.record[0].body, first, sizeof(first)) == 0);
	CHECK(bench_word(body) == AT && bench_word(body + WORD) == 0x2000beef);
	CHECK(memcmp(body + 2 * WORD, tsc, sizeof(tsc)) == 0);
	CHECK(bench_word(body + 2 * WORD + sizeof(tsc)) == 5);
	CHECK(bench.record[0].head.flags == DP_RECORD_CODES);
	CHECK(bench.record[0].head.major == 300 && bench.record[0].head.minor == 400);
}

static dp_word task(void)
{
	return 0x20001234;
}

/* A board without pid: the item is the task, and 0 only where there is neither. */
static void item_pid_of_the_task(void)
{
	const struct {
		dp_word (*task)(void);
		uint32_t says;
	} boards[] = {{task, 0x20001234}, {NULL, 0}};

	for (unsigned i = 0; i < 2; i++) {
		bench_start();
		firmware.board.pid = NULL;
		firmware.board.task = boards[i].task;
		CHECK(bench_compile("name = \"t\"\noffset = 0x08000100\nexit\n"));
		CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, DP_ITEM_PID).error == 0);
		firmware_run(AT, 1);
		bench_poll();
		CHECK(bench.records == 1 && bench.record[0].head.bytes == 4);
		CHECK(dp_get_u32(bench.record[0].body) == boards[i].says);
	}
}

static void abort_logs_nothing(void)
{
	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush 5\nlog 1\nabort\n") == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 0 && probe_of(0, 0)->hits == 1);
}

/* Digits of a sync behind stream and line number. */
enum {
	SYNC_HZ = DP_STREAM_HEAD + 16,
	SYNC_SENT = SYNC_HZ + 8 + 4,
	SYNC_DROPPED = SYNC_SENT + 8,
	SYNC_MISSED = SYNC_DROPPED + 8,
	SYNC_WITHDRAWN = SYNC_MISSED + 8
};

static uint32_t counter_of(const struct dp_frame_in *sync, unsigned at)
{
	uint32_t value = 0;

	for (unsigned i = at; i < at + 8; i++)
		value = value << 4 | sync->payload[i];
	return value;
}

/* Each hit logs how many there were, in a record of more than 90 bytes. */
#define LONG_COUNTS                                                                                \
	"name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\n"              \
	"push 90\npush 0x20000000\nlog mrf\nexit\n"

/* Nobody asked for records: they wait, and what finds no room is counted. */
/* proves: R4.3 */
static void no_target(void)
{
	enum {
		HITS = 1000
	};
	uint32_t lines;

	bench_start();
	CHECK(bench_install(LONG_COUNTS) == 0);
	bench_ask(DP_CMD_LOG, "\377\1", 2);
	lines = bench.line[0].stream_lines;
	for (unsigned i = 0; i < HITS; i++)
		firmware_run(AT, 1);
	dp_sim.ticks += 5000000;
	bench_poll();
	CHECK(bench.line[0].stream_lines == lines && bench.line[1].stream_lines == 0);
	CHECK(firmware.agent.ring.dropped > 0);
	bench_ask(DP_CMD_LOG, "\0\1", 2);
	bench_poll();
	CHECK(bench.records > 50 && bench.records + firmware.agent.ring.dropped == HITS);
	for (unsigned i = 0; i < bench.records; i++)
		CHECK(bench_logged(i) == i + 1);
}

/* What the ring could not hold is counted, per probe and in all; what it held arrives. */
/* proves: R7.7 */
static void ring_full(void)
{
	enum {
		HITS = 1000
	};

	bench_start();
	CHECK(bench_install(LONG_COUNTS) == 0);
	for (unsigned i = 0; i < HITS; i++)
		firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records > 50 && bench.records + probe_of(0, 0)->dropped == HITS);
	CHECK(firmware.agent.ring.dropped == probe_of(0, 0)->dropped &&
	      probe_of(0, 0)->hits == HITS);
	for (unsigned i = 0; i < bench.records; i++)
		CHECK(bench_logged(i) == i + 1); /* the first ones */
	bench_ask(DP_CMD_LOG, "\376\376", 2);
	firmware.agent.stream.sync_due = 1;
	bench_poll();
	CHECK(counter_of(&bench.line[0].sync, SYNC_SENT) == bench.records);
	CHECK(counter_of(&bench.line[0].sync, SYNC_DROPPED) == HITS - bench.records);
	CHECK(bench.line[0].gaps == 0 && bench.bad_records == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench_logged(bench.records - 1) == HITS + 1);
}

/* Time and counts: after HELLO, each second while a program is installed, when one is removed. */
/* proves: R4.13 R4.16 */
static void syncs(void)
{
	const struct bench_line *line = &bench.line[0];
	uint32_t before;

	bench_start();
	CHECK(line->syncs == 1 && counter_of(&line->sync, SYNC_HZ) == 1000000);
	for (unsigned at = SYNC_SENT; at <= SYNC_WITHDRAWN; at += 8)
		CHECK(counter_of(&line->sync, at) == 0);
	dp_sim.ticks += 10000000;
	bench_poll();
	CHECK(line->syncs == 1);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	dp_sim.ticks += 1000000;
	bench_poll();
	before = line->syncs;
	for (unsigned second = 0; second < 5; second++) {
		dp_sim.ticks += 900000;
		bench_poll();
		CHECK(line->syncs == before);
		dp_sim.ticks += 100000;
		bench_poll();
		CHECK(line->syncs == ++before);
	}
	firmware_run(AT, 1);
	bench_poll();
	firmware.agent.ring.sent = UINT32_MAX;
	firmware_run(AT, 1);
	bench_poll();
	before = line->syncs;
	bench_remove_all();
	bench_poll();
	CHECK(line->syncs == before + 1 && counter_of(&line->sync, SYNC_SENT) == 0);
	dp_sim.ticks += 10000000;
	bench_poll();
	CHECK(line->syncs == before + 1);
}

static uint64_t board_ticks(void)
{
	return 0x123456789a;
}

/* The board's counter comes before the port's; where there is none, the rate says so. */
/* proves: A1.13 A3.30 P6.2 */
static void clocks(void)
{
	struct bench_answer answer;

	bench_start();
	firmware.board.ticks = board_ticks;
	firmware.board.tick_hz = 1000;
	answer = bench_hello(7, 1);
	CHECK(bench_number(&answer, 12, 4) == 1000 && bench_number(&answer, 16, 4) == 0x12 &&
	      bench_number(&answer, 20, 4) == 0x3456789a);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench.record[0].time == 0x123456789a);
	bench_start();
	dp_sim.tick_hz = 0;
	answer = bench_hello(7, 1);
	CHECK(bench_number(&answer, 12, 4) == 0);
	CHECK(counter_of(&bench.line[0].sync, SYNC_HZ) == 0);
}

/* Records of times far apart carry the right time all the same. */
/* proves: R4.15 */
static void times(void)
{
	static const uint64_t at[] = {5,
				      0x7fffe,
				      0x80010,
				      0x100011,
				      0x17ffff,
				      0x200000,
				      0x27ffff,
				      0x5ffffff,
				      0x6000000,
				      0x6080000,
				      0x10000000000,
				      0x10000000001,
				      0x10000080001,
				      0x10000080000 + 0x80001};
	enum {
		COUNT = sizeof(at) / sizeof(at[0])
	};

	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	for (unsigned i = 0; i < COUNT; i++) { /* each sent at once */
		dp_sim.ticks = at[i];
		firmware_run(AT, 1);
		bench_poll();
		CHECK(bench.records == i + 1 && bench.record[i].time == at[i]);
	}
	bench_start();
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
	for (unsigned i = 0; i < COUNT; i++) { /* all sent late */
		dp_sim.ticks = at[i];
		firmware_run(AT, 1);
	}
	dp_sim.ticks = 0x20000000000;
	bench_poll();
	CHECK(bench.records == COUNT);
	for (unsigned i = 0; i < COUNT; i++)
		CHECK(bench.record[i].time == at[i]);
}

/* A number that a removed probe had is given again only after its records have left. */
/* proves: R4.9 */
static void numbers(void)
{
	struct bench_answer answer;
	uint8_t number = 0xff;

	bench_start();
	bench_ask(DP_CMD_LOG, "\377\1", 2); /* nothing leaves */
	for (unsigned i = 0; i < 3 * DP_MAX_PROBES; i++) {
		CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
		answer = bench_ask(DP_CMD_PROBE, "\0\0", 2);
		CHECK(answer.payload[0] != number);
		if (i == 0) {
			number = answer.payload[0];
			firmware_run(AT, 1);
		}
		bench_remove_all();
	}
	bench_ask(DP_CMD_LOG, "\0\1", 2);
	bench_poll();
	CHECK(bench.records == 1 && bench.record[0].head.probe == number);
	bench.records = 0;
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nexit\n") == 0);
		if (bench_ask(DP_CMD_PROBE, "\0\0", 2).payload[0] == number)
			bench.records = 1;
		bench_remove_all();
	}
	CHECK(bench.records == 1);
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

int main(void)
{
	chain();
	ignore_and_maxhits();
	remove_instruction();
	overrun();
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
	mixed_fault((uint32_t)SIM_FAULT << 24);
	mixed_fault((uint32_t)SIM_SLOT_FAULT << 24);
	fault_and_again((uint32_t)SIM_FAULT << 24);
	fault_and_again((uint32_t)SIM_SLOT_FAULT << 24);
	fault_and_enough((uint32_t)SIM_FAULT << 24);
	fault_and_enough((uint32_t)SIM_SLOT_FAULT << 24);
	fault_of_others((uint32_t)SIM_FAULT << 24);
	fault_of_others((uint32_t)SIM_SLOT_FAULT << 24);
	pending();
	old_slots();
	checked_slots();
	stray();
	trap_before_init();
	sizes();
	traces();
	items();
	item_pid_of_the_task();
	abort_logs_nothing();
	no_target();
	ring_full();
	syncs();
	clocks();
	times();
	numbers();
	global_variables();
	return check_status();
}
