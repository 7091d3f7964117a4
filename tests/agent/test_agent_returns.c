/* SPDX-License-Identifier: BSD-2-Clause */
/* `return`: the function of the hit returns with a value, and its instructions do not run.
 * PROTOCOL.md 5.4 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "sim_insn.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	CALLER = FIRMWARE_TEXT + 0x200,
	LR = 14,
	PC = 15,
	TRAITS = DP_OBJECT_HEADER_BYTES + 5 * DP_OBJECT_ENTRY_BYTES + DP_MODULE_BYTES,
	POINT = TRAITS + DP_TRAITS_BYTES,
	CODE = POINT + DP_PROBE_BYTES,
};
#define HEAD    "name = \"r\"\noffset = 0x08000100\nfunction = 16\n"
#define RETURNS HEAD "push 7\nreturn 1\nabort\n"

static dp_word reg(unsigned number)
{
	return (dp_word)firmware.frame.word[sim_row((uint16_t)number)][0];
}

static void set_reg(unsigned number, dp_word value)
{
	firmware.frame.word[sim_row((uint16_t)number)][0] = value;
}

/* The firmware calls the function: its first instruction runs, or the trap in its place. */
static void call(void)
{
	for (unsigned i = 0; i < 8; i++)
		set_reg(i, 0x1000 + i);
	set_reg(LR, CALLER);
	set_reg(PC, AT);
	firmware_step();
}

static bool returned(void)
{
	return reg(PC) == CALLER;
}

/* Both have come so far. */
static bool ran(uint32_t instructions, uint32_t faults)
{
	return firmware.executed == instructions && firmware.faults == faults;
}

static const struct dp_probe *only_probe(void)
{
	return bench_probe(0, 0);
}

/* --- the result ---------------------------------------------------------------------------- */

/* proves: R5.139 P2.7 */
static void results(void)
{
	bench_start();
	CHECK(bench_install(RETURNS) == 0);
	call();
	CHECK(returned() && ran(0, 0) && reg(0) == 7 && reg(1) == 0x1001 && reg(LR) == CALLER);
	call();
	bench_poll();
	CHECK(returned() && bench.records == 0 && dp_probe_hits(only_probe()) == 2);
	bench_remove_all();
	CHECK(firmware_text_is_original());
	call();
	CHECK(!returned() && ran(1, 0) && reg(0) == 0x1000);

	bench_start();
	CHECK(bench_install(HEAD "return 0\npush 5\nlog 1\nexit\n") == 0);
	call();
	bench_poll();
	CHECK(returned() && reg(0) == 0x1000 && bench.records == 1 && bench_logged(0) == 5);
}

static void pairs(void)
{
	if (DP_WORD_BITS == 64)
		return;
	bench_start();
	CHECK(bench_install(HEAD "push 9\npush 8\nreturn 2\nabort\n") == 0);
	call();
	CHECK(returned() && reg(0) == 8 && reg(1) == 9 && reg(2) == 0x1002);
}

/* Whatever the port makes of the instruction: it does not execute, and does not fault. */
static void instructions(void)
{
	static const enum sim_insn all[] = {SIM_NOP,  SIM_STEPPED, SIM_SLOT_FAULT, SIM_FAULT,
					    SIM_AWAY, SIM_MEMORY,  SIM_BRANCH};

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		bench_start();
		firmware_put_word(AT, (uint32_t)all[i] << 24);
		firmware.aborts = true;
		CHECK(bench_install(RETURNS) == 0);
		call();
		call();
		CHECK(returned() && ran(0, 0) && reg(0) == 7);
		CHECK(only_probe()->faulted == 0 && dp_probe_hits(only_probe()) == 2);
	}
	bench_start(); /* a condition that is false: no hit, and the instruction passes */
	firmware_put_word(AT, (uint32_t)SIM_NEVER << 24);
	CHECK(bench_install(RETURNS) == 0);
	call();
	CHECK(!returned() && ran(1, 0) && dp_probe_hits(only_probe()) == 0);
}

/* The third call of five fails; `ignore` and `maxhits` choose, too. */
static void counted(void)
{
	bench_start();
	CHECK(bench_install("name = \"r\"\nvars = 1\noffset = 0x08000100\nfunction = 16\n"
			    "inc lv, 0\npush lv, 0\npush 3\nsub\njnz out\npush 7\nreturn 1\n"
			    "out: abort\n") == 0);
	for (unsigned i = 1; i <= 5; i++) {
		call();
		CHECK(returned() == (i == 3));
	}
	CHECK(ran(4, 0));

	bench_start();
	CHECK(bench_install(HEAD "ignore = 2\nmaxhits = 1\npush 7\nreturn 1\nabort\n") == 0);
	for (unsigned i = 1; i <= 5; i++) {
		call();
		CHECK(returned() == (i == 3));
	}
	bench_poll();
	CHECK(ran(4, 0) && only_probe()->state == DP_PROBE_DISABLED && firmware_text_is_original());
}

/* A budget that is used up and an exception behind it leave the return as it is. */
static void ends(void)
{
	bench_start();
	CHECK(bench_install(HEAD "push 7\nreturn 1\npush 1\npush 0\ndiv\nexit\n") == 0);
	call();
	bench_poll();
	CHECK(returned() && reg(0) == 7 && bench.records == 1);

	bench_start();
	CHECK(bench_install(HEAD "push 7\nreturn 1\nremove\n") == 0);
	call();
	bench_poll();
	CHECK(returned() && reg(0) == 7 && firmware_text_is_original());
}

static void no_caller(void)
{
	bench_start();
	CHECK(bench_install(HEAD "push 7\nreturn 1\nexit\n") == 0);
	set_reg(PC, AT);
	set_reg(LR, (dp_word)-1);
	set_reg(0, 3);
	firmware_step();
	bench_poll();
	CHECK(ran(1, 0) && reg(0) == 3 && bench.records == 1);
	CHECK(bench.record[0].head.flags & DP_RECORD_EXCEPTION);
}

/* --- other probes -------------------------------------------------------------------------- */

#define LOGS(name, phase)                                                                          \
	"name = \"" name "\"\noffset = 0x08000100\nphase = " phase "\npush r, r0\nlog 1\nexit\n"

/* proves: R5.137 R5.138 R5.140 */
static void several(void)
{
	bench_start();
	CHECK(bench_install(LOGS("b", "before")) == 0 && bench_install(RETURNS) == 1);
	CHECK(bench_install("name = \"s\"\noffset = 0x08000100\nfunction = 16\n"
			    "push 8\nreturn 1\nabort\n") == 2);
	CHECK(bench_install(LOGS("l", "before")) == 3);
	for (unsigned i = 0; i < 2; i++) { /* the first hit makes the list */
		bench.records = 0;
		call();
		bench_poll();
		CHECK(returned() && reg(0) == 7 && bench.records == 2);
		CHECK(bench_logged(0) == 0x1000 && bench_logged(1) == 0x1000);
	}
	CHECK(bench_install(LOGS("x", "returned")) == 4 && bench_install(LOGS("a", "after")) == 5);
	CHECK(bench_install(LOGS("f", "fault")) == 6);
	bench.records = 0;
	call();
	bench_poll();
	CHECK(returned() && bench.records == 3 && bench_logged(2) == 7 && ran(0, 0));
	CHECK(dp_probe_hits(bench_probe(4, 0)) == 1 && dp_probe_hits(bench_probe(5, 0)) == 0);
	CHECK(dp_probe_hits(bench_probe(6, 0)) == 0);
	bench_remove_all();
	CHECK(firmware_text_is_original());
}

static unsigned hits_of(unsigned program)
{
	return dp_probe_hits(bench_probe(program, 0));
}

/* Programs that count come before and behind the one that lets the function return, whatever plan
 * its handler has. They run in order of installation. */
static void other_programs(void)
{
	static const char *const returning[] = {RETURNS,
						HEAD "push 7\nreturn 1\npush 5\nlog 1\nexit\n"};
	static const uint8_t first[] = {0};

	for (unsigned i = 0; i < 2; i++) {
		bench_start();
		CHECK(bench_install(LOGS("x", "returned")) == 0 &&
		      bench_install(returning[i]) == 1);
		CHECK(bench_install(
			      "name = \"y\"\noffset = 0x08000100\nphase = returned\nignore = 1\n"
			      "push r, pc\nlog 1\nexit\n") == 2);
		CHECK(bench_install(
			      "name = \"z\"\noffset = 0x08000104\nphase = returned\nabort\n") == 3);
		call();
		bench_poll();
		CHECK(returned() && hits_of(0) == 1 && hits_of(2) == 0 && hits_of(3) == 0);
		CHECK(bench_logged(i) == 7);
		bench.records = 0;
		call();
		bench_poll();
		CHECK(returned() && hits_of(0) == 2 && hits_of(2) == 1 && hits_of(1) == 2);
		CHECK(bench.records == 2 + i && bench_logged(i) == 7 &&
		      bench_logged(i + 1) == CALLER);
		CHECK(bench_ask(DP_CMD_REMOVE, first, sizeof(first)).error == 0);
		call();
		CHECK(returned() && hits_of(2) == 2);
		bench_remove_all();
		call();
		CHECK(!returned() && ran(1, 0) && firmware_text_is_original());
	}
}

/* A probe of phase returned counts nothing else: neither instructions nor faults. It needs no trap,
 * so that calls that do not return so cost nothing. */
static void returned_alone(void)
{
	bench_start();
	CHECK(bench_install(LOGS("x", "returned")) == 0 && firmware_text_is_original());
	call();
	CHECK(!returned() && ran(1, 0) && dp_probe_hits(only_probe()) == 0);
	bench_remove_all();
	CHECK(firmware_text_is_original());

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_FAULT << 24);
	CHECK(bench_install(LOGS("x", "returned")) == 0);
	call();
	CHECK(ran(1, 1) && only_probe()->faulted == 0);

	bench_start(); /* its last hit; the first hit of the other program has made its plan */
	CHECK(bench_install(RETURNS) == 0);
	call();
	CHECK(bench_install("name = \"x\"\noffset = 0x08000100\nphase = returned\nmaxhits = 1\n"
			    "abort\n") == 1);
	call();
	call();
	bench_poll();
	CHECK(returned() && bench_probe(1, 0)->state == DP_PROBE_DISABLED);
	CHECK(dp_probe_hits(bench_probe(1, 0)) == 1 && dp_probe_hits(only_probe()) == 3);
}

#if DP_WITH_D
/* A program that has stopped counts no return, also before dp_poll disarms its probes. */
static void stopped_program(void)
{
	bench_start();
	CHECK(bench_install(RETURNS) == 0);
	CHECK(bench_install("name = \"x\"\noffset = 0x08000300\nstop\nexit\n"
			    "offset = 0x08000100\nminor = 1\nphase = returned\nabort\n") == 1);
	call();
	CHECK(dp_probe_hits(bench_probe(1, 1)) == 1);
	firmware_run(FIRMWARE_TEXT + 0x300, 1);
	call();
	CHECK(returned() && dp_probe_hits(bench_probe(1, 1)) == 1);
	CHECK(bench_probe(1, 1)->state == DP_PROBE_STOPPED);
}
#endif

static void synchronous(void)
{
	const uint8_t log[] = {DP_COM1, DP_MODE_SYNCHRONOUS};

	bench_start();
	CHECK(bench_install(HEAD "push 7\nreturn 1\npush 5\nlog 1\nexit\n") == 0);
	CHECK(bench_error(DP_CMD_LOG, log, sizeof(log)) == DP_ERR_OK);
	call();
	CHECK(returned() && reg(0) == 7);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 5);
}

/* --- hits in hits, lost hits, stops -------------------------------------------------------- */

static void nesting_task(struct dp_task *now)
{
	firmware_nested(AT, 1);
	now->pid = 4711;
}

/* proves: R5.142 */
static void nested(void)
{
	bench_start();
	firmware.board.task = nesting_task;
	CHECK(bench_install("name = \"o\"\noffset = 0x08000300\npush pid\nlog 1\nexit\n") == 0);
	CHECK(bench_install(RETURNS) == 1);
	firmware_run(FIRMWARE_TEXT + 0x300, 1);
	CHECK(ran(2, 0) && bench_probe(1, 0)->missed == 1);
	firmware.board.task = NULL;
}

static jmp_buf lost;

static void never_back(struct dp_hook_call *call)
{
	(void)call;
	longjmp(lost, 1);
}

/* A callback behind the return never comes back: the next hit returns for itself alone. */
static void lost_return(void)
{
	bench_start();
	firmware.board.exit_hook[1] = never_back;
	CHECK(bench_install(RETURNS) == 0);
	CHECK(bench_install("name = \"h\"\noffset = 0x08000100\nmaxhits = 1\nexit 2\n") == 1);
	CHECK(bench_install("name = \"o\"\noffset = 0x08000300\nexit\n") == 2);
	if (setjmp(lost) == 0)
		call();
	dp_sim.masked = 0;
	bench_poll();
	set_reg(0, 3);
	set_reg(LR, CALLER);
	firmware_run(FIRMWARE_TEXT + 0x300, 1);
	CHECK(ran(1, 0) && reg(0) == 3 && !returned());
}

static unsigned stops;
static const char *type;

static int stopped(unsigned com)
{
	static const char resume[] = "\n~dprobes resume\n";

	if (com != 0)
		return -1;
	if (!type) {
		stops++;
		CHECK(reg(0) == 0x1000 && reg(PC) == AT); /* the function has not returned yet */
		type = resume;
	}
	return *type ? (uint8_t)*type++ : -1;
}

static void stopped_before(void)
{
	bench_start();
	firmware.board.stopped = stopped;
	CHECK(bench_install(RETURNS) == 0);
	CHECK(bench_install("name = \"s\"\noffset = 0x08000100\nexit 1\n") == 1);
	stops = 0;
	type = NULL;
	call();
	CHECK(stops == DP_WITH_HALT && returned() && reg(0) == 7 && ran(0, 0));
	firmware.board.stopped = NULL;
}

/* --- refusals ------------------------------------------------------------------------------ */

static uint8_t installed(void)
{
	bench_seal();
	return bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error;
}

/* The object of RETURNS with another value at a place. */
static uint8_t changed(unsigned at, unsigned value)
{
	CHECK(bench_compile(RETURNS));
	bench.object[at] = (uint8_t)value;
	return installed();
}

static uint8_t changed_u32(unsigned at, uint32_t value)
{
	CHECK(bench_compile(RETURNS));
	dp_put_u32(bench.object + at, value);
	return installed();
}

/* proves: R2.44 R2.45 */
static void refused(void)
{
	bench_start();
	CHECK(changed(TRAITS + DP_TR_FLAGS, 0) == DP_ERR_NOT_ENTRY);
	CHECK(changed(TRAITS + DP_TR_PHASE, DP_PHASE_AFTER) == DP_ERR_NOT_ENTRY);
	CHECK(changed(TRAITS + DP_TR_PHASE, DP_PHASE_RETURNED) == DP_ERR_NOT_ENTRY);
	CHECK(changed_u32(POINT + DP_PT_BEFORE, 4) == DP_ERR_NOT_ENTRY);
	CHECK(changed_u32(POINT + DP_PT_EXTENT, 0) == DP_ERR_NOT_ENTRY);
	CHECK(changed(CODE + 5, 64 / DP_WORD_BITS + 1) == DP_ERR_BAD_RETURN);
	CHECK(bench_compile(RETURNS) && bench.object[CODE + 4] == RPN_RETURN);
	bench.object[CODE + 4] = RPN_RETURN;
	CHECK(installed() == DP_ERR_OK);
	bench_remove_all();
	CHECK(bench_hello(0x4321, 0).error == 0 && changed(TRAITS, 0) == DP_ERR_NOT_PERMITTED);
	CHECK(firmware_text_is_original());
}

int main(void)
{
	results();
	pairs();
	instructions();
	counted();
	ends();
	no_caller();
	several();
	other_programs();
	returned_alone();
#if DP_WITH_D
	stopped_program();
#endif
	synchronous();
	nested();
	lost_return();
	stopped_before();
	refused();
	return check_status();
}
