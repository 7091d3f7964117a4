/* SPDX-License-Identifier: BSD-2-Clause */
/* callk and exit 1, 2, 3 call what the firmware registered, with the interpreter's context; with
 * nothing registered they are a no-op and a plain exit.  decisions.txt C32, C34, C36 */
#include "bench.h"
#include "check.h"

#include <setjmp.h>

enum {
	AT = FIRMWARE_TEXT + 0x100
};

static unsigned exits[3], kernel_calls;
static dp_word popped;

static void callk_hook(struct dp_hook_call *call)
{
	kernel_calls++;
	popped = dp_hook_pop(call);
	dp_hook_push(call, popped + 1);
	CHECK(call->frame != NULL && call->program->major == 4 && call->program->minor == 3);
}

static void exit_1(struct dp_hook_call *call)
{
	(void)call;
	exits[0]++;
}

static void exit_2(struct dp_hook_call *call)
{
	(void)call;
	exits[1]++;
}

static void exit_3(struct dp_hook_call *call)
{
	(void)call;
	exits[2]++;
}

static void install(const char *body)
{
	char text[256];

	snprintf(text, sizeof text, "name = \"h\"\nmajor = 4\noffset = 0x08000100\nminor = 3\n%s",
		 body);
	CHECK(bench_install(text) == 0);
}

static void run_once(const char *body, uint8_t logged)
{
	unsigned before;

	bench_start();
	firmware.board.callk = callk_hook;
	firmware.board.exit_hook[0] = exit_1;
	firmware.board.exit_hook[1] = exit_2;
	firmware.board.exit_hook[2] = exit_3;
	install(body);
	before = bench.records;
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records > before && bench_logged(before) == logged);
	while (++before < bench.records) /* of exit 3 */
		CHECK(bench.record[before].head.kind == DP_RECORD_CORE);
	CHECK(firmware.executed == 1);
}

/* proves: A1.14 */
static void registered(void)
{
	run_once("push 6\ncallk\nlog 1\nexit\n", 7);
	CHECK(kernel_calls == 1 && popped == 6);
	run_once("push 1\nlog 1\nexit 1\n", 1);
	run_once("push 2\nlog 1\nexit 2\n", 2);
	run_once("push 3\nlog 1\nexit 3\n", 3);
	CHECK(exits[0] == 1 && exits[1] == 1 && exits[2] == 1);
}

/* proves: A3.28 */
static void not_registered(void)
{
	bench_start();
	install("push 9\ncallk\nlog 1\nexit 2\n");
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 9);
	CHECK(kernel_calls == 1 && exits[1] == 1); /* as before */
}

static jmp_buf scheduler;

/* A callback that faults: the firmware's abort handler ends the task and never comes back. */
static void killed(struct dp_hook_call *call)
{
	(void)call;
	longjmp(scheduler, 1);
}

/* The hit that was left so does not keep all later ones from running; what it had logged is sent.
 */
/* proves: A3.27 */
static void never_came_back(const char *body, unsigned records)
{
	bench_start();
	firmware.board.callk = killed;
	firmware.board.exit_hook[0] = killed;
	install(body);
	if (setjmp(scheduler) == 0)
		firmware_run(AT, 1);
	firmware.board.callk = NULL;
	firmware.board.exit_hook[0] = NULL;
	bench_poll();
	CHECK(bench.records == records);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(bench.records == records + 1 && firmware.agent.cpu[0].ring.missed == 0);
}

int main(void)
{
	never_came_back("push 1\nlog 1\ncallk\nexit\n", 0);
	never_came_back("push 1\nlog 1\nexit 1\n", 1);
	registered();
	not_registered();
	return check_status();
}
