/* SPDX-License-Identifier: BSD-2-Clause */
/* C exits: the four calls, the order and the set of a dispatch, and the places that lead to it.
 * agent/guide/hooks.md. The compiled hooks: tests/board/test_exits_board.py */
#include "bench.h"
#include "check.h"

#include "dp_exits.h"
#include "dp_sites.h"

#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100, /* the no-op of the hook */
	SECOND = FIRMWARE_TEXT + 0x140,
	CALLS_MAX = 64
};
#define AT_TEXT "offset = 0x08000100\n"

static struct dp_agent *const agent = &firmware.agent;
static const struct dp_hook_row ROWS[] = {
	{AT, AT + 8, "queue:put"},
	{SECOND, SECOND + 8, "queue:put"}, /* a copy by the compiler */
	{FIRMWARE_TEXT + 0x180, FIRMWARE_TEXT + 0x188, "queue:get"},
	{FIRMWARE_NO_PROBE, FIRMWARE_NO_PROBE + 8, "uart:put"},
};

/* --- exits that note their calls --- */

static char calls[CALLS_MAX]; /* the letters of the exits that ran */
static unsigned last_count;
static int answer; /* of each exit */

static void note(char letter)
{
	size_t n = strlen(calls);

	CHECK(n < CALLS_MAX - 1);
	calls[n] = letter;
}

static int run_a(struct dp_exit *exit, unsigned count, dp_word *args)
{
	(void)exit;
	note('a');
	last_count = count;
	if (count > 0)
		args[0]++;
	return answer;
}

static int run_b(struct dp_exit *exit, unsigned count, dp_word *args)
{
	(void)exit, (void)count, (void)args;
	note('b');
	return answer;
}

static int run_once(struct dp_exit *exit, unsigned count, dp_word *args)
{
	(void)count, (void)args;
	note('o');
	exit->armed = 0;
	return 0;
}

static struct dp_exit a, b, c;

static void fresh(struct dp_exit *exit, const char *hook, enum dp_exit_order order,
		  int (*run)(struct dp_exit *, unsigned, dp_word *))
{
	memset(exit, 0, sizeof(*exit));
	exit->hook = hook;
	exit->order = (uint8_t)order;
	exit->run = run;
}

/* A started agent with the hooks, and a, b of queue:put. */
static void start(void)
{
	bench_start();
	firmware.board.hook_rows = ROWS;
	firmware.board.hook_count = sizeof(ROWS) / sizeof(*ROWS);
	dp_exits_start(agent);
	/* A hit that does not go on in the block of the hook meets a fault. */
	firmware_put_word(AT + 4, (uint32_t)SIM_FAULT << 24);
	firmware_put_word(SECOND + 4, (uint32_t)SIM_FAULT << 24);
	memcpy(firmware.original, firmware.text, sizeof(firmware.text));
	memset(calls, 0, sizeof(calls));
	answer = 0;
	fresh(&a, "queue:put", DP_EXIT_ANY, run_a);
	fresh(&b, "queue:put", DP_EXIT_ANY, run_b);
	fresh(&c, "queue:put", DP_EXIT_ANY, run_once);
}

/* Does a pass of the place go on in the block? */
static bool leads(dp_addr place)
{
	uint32_t faults = firmware.faults;

	firmware_run(place, 2);
	return firmware.faults == faults;
}

static const char *dispatch(const char *hook)
{
	dp_word args[2] = {1, 2};

	memset(calls, 0, sizeof(calls));
	dp_exit_dispatch(agent, hook, 2, args);
	return calls;
}

#define RAN(hook, letters) CHECK(strcmp(dispatch(hook), letters) == 0)

/* --- the four calls --- */

/* An exit runs from arm to disarm, and both places of the hook lead to it so long. */
static void armed(void)
{
	start();
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_EXIT_UNKNOWN);
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK);
	CHECK(dp_exit_register(agent, &a) == DP_ERR_EXIT_KNOWN);
	RAN("queue:put", "");
	CHECK(!leads(AT) && firmware_text_is_original());
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	CHECK(leads(AT) && leads(SECOND) && !firmware_text_is_original());
	RAN("queue:put", "a");
	RAN("queue:get", "");
	CHECK(last_count == 2 && agent->exits.running == 0);
	CHECK(dp_exit_deregister(agent, &a) == DP_ERR_EXIT_ARMED);
	CHECK(dp_exit_disarm(agent, &a) == DP_ERR_OK && dp_exit_disarm(agent, &a) == DP_ERR_OK);
	CHECK(!leads(AT) && !leads(SECOND) && firmware_text_is_original());
	RAN("queue:put", "");
	CHECK(dp_exit_deregister(agent, &a) == DP_ERR_OK);
	CHECK(dp_exit_deregister(agent, &a) == DP_ERR_EXIT_UNKNOWN);
	CHECK(dp_exit_disarm(agent, &a) == DP_ERR_EXIT_UNKNOWN && agent->exits.numbers == 0);
	CHECK(firmware.foreign_traps == 0 && agent->strays == 0);
}

/* A hook that does not exist, and more exits than a dispatch can tell. */
static void register_refuses(void)
{
	static struct dp_exit many[33];

	start();
	fresh(&b, "queue:putt", DP_EXIT_ANY, run_b);
	a.next = &b;
	CHECK(dp_exit_register(agent, &a) == DP_ERR_NO_HOOK && agent->exits.numbers == 0);
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_EXIT_UNKNOWN);
	for (unsigned i = 0; i < 33; i++) {
		fresh(&many[i], "queue:get", DP_EXIT_ANY, run_a);
		many[i].next = i < 32 ? &many[i + 1] : NULL;
	}
	CHECK(dp_exit_register(agent, many) == DP_ERR_TABLE_FULL && !agent->exits.first);
	many[31].next = NULL;
	CHECK(dp_exit_register(agent, many) == DP_ERR_OK);
	CHECK(dp_exit_arm(agent, many) == DP_ERR_OK);
	CHECK(strlen(dispatch("queue:get")) == 32);
	CHECK(dp_exit_disarm(agent, many) == DP_ERR_OK);
	CHECK(dp_exit_deregister(agent, many) == DP_ERR_OK && !agent->exits.first);
}

/* The order of the calls: first, any, last, as they came. */
static void order(void)
{
	static const char *const wanted[] = {"ab", "ba", "ab", "ba", "ba"};
	static const enum dp_exit_order orders[][2] = {{DP_EXIT_ANY, DP_EXIT_ANY},
						       {DP_EXIT_ANY, DP_EXIT_FIRST},
						       {DP_EXIT_ANY, DP_EXIT_LAST},
						       {DP_EXIT_LAST, DP_EXIT_ANY},
						       {DP_EXIT_FIRST, DP_EXIT_FIRST}};

	for (unsigned i = 0; i < 5; i++) {
		start();
		a.order = (uint8_t)orders[i][0];
		b.order = (uint8_t)orders[i][1];
		a.next = &b;
		CHECK(dp_exit_register(agent, &a) == DP_ERR_OK);
		CHECK(dp_exit_arm(agent, &a) == DP_ERR_OK);
		RAN("queue:put", wanted[i]);
	}
}

/* `only` stands alone at its hook, whoever comes first; another hook is nobody's business. */
static void only(void)
{
	for (unsigned i = 0; i < 3; i++) {
		start();
		a.order = i == 1 ? DP_EXIT_ANY : DP_EXIT_ONLY;
		b.order = i == 0 ? DP_EXIT_ANY : DP_EXIT_ONLY;
		CHECK(dp_exit_register(agent, &a) == DP_ERR_OK);
		CHECK(dp_exit_register(agent, &b) == DP_ERR_EXIT_ONLY);
		b.hook = "queue:get";
		CHECK(dp_exit_register(agent, &b) == DP_ERR_OK);
		CHECK(dp_exit_arm(agent, &a) == DP_ERR_OK);
		RAN("queue:put", "a");
	}
}

/* A result that is not zero ends this pass, and what an exit writes the next one sees. */
static void results(void)
{
	dp_word args[1] = {7};

	start();
	a.next = &b;
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	RAN("queue:put", "ab");
	answer = -1;
	RAN("queue:put", "a");
	answer = 0;
	RAN("queue:put", "ab");
	dp_exit_dispatch(agent, "queue:put", 1, args);
	CHECK(args[0] == 8 && last_count == 1);
	dp_exit_dispatch(agent, "queue:put", 0, NULL);
	CHECK(last_count == 0);
}

/* An exit that clears its own `armed` does not run again; its trap goes with the next call. */
static void clears_itself(void)
{
	start();
	c.next = &a;
	CHECK(dp_exit_register(agent, &c) == DP_ERR_OK && dp_exit_arm(agent, &c) == DP_ERR_OK);
	RAN("queue:put", "oa");
	RAN("queue:put", "a");
	CHECK(dp_exit_disarm(agent, &a) == DP_ERR_OK && firmware_text_is_original());
	CHECK(dp_exit_deregister(agent, &c) == DP_ERR_OK);
}

/* --- half a list is never seen --- */

static struct dp_exit *held; /* the list that changes meanwhile */
static unsigned stretches, both;

/* At the end of a masked stretch an interrupt passes the hook. */
static void interrupt(void *context)
{
	static bool inside;

	(void)context;
	if (inside)
		return;
	inside = true;
	stretches++;
	dispatch("queue:put");
	CHECK(strcmp(calls, "") == 0 || strcmp(calls, "ab") == 0);
	both += calls[0] != '\0';
	inside = false;
}

static void arm_is_atomic(void)
{
	start();
	a.next = &b;
	held = &a;
	CHECK(dp_exit_register(agent, held) == DP_ERR_OK);
	stretches = both = 0;
	dp_sim.unmasked = interrupt;
	CHECK(dp_exit_arm(agent, held) == DP_ERR_OK);
	CHECK(stretches > 4 && both > 0 && both < stretches);
	stretches = both = 0;
	CHECK(dp_exit_disarm(agent, held) == DP_ERR_OK);
	CHECK(stretches > 4 && both > 0 && both < stretches);
	dp_sim.unmasked = NULL;
}

static enum dp_err disarmed, deregistered;

static int run_disarms(struct dp_exit *exit, unsigned count, dp_word *args)
{
	(void)exit, (void)count, (void)args;
	note('d');
	disarmed = dp_exit_disarm(agent, held);
	deregistered = dp_exit_deregister(agent, held);
	return 0;
}

/* The list goes while a pass runs: the pass sees the list whole, and no exit goes under it. */
static void disarm_in_a_pass(void)
{
	start();
	a.run = run_disarms;
	a.next = &b;
	held = &a;
	CHECK(dp_exit_register(agent, held) == DP_ERR_OK && dp_exit_arm(agent, held) == DP_ERR_OK);
	RAN("queue:put", "db");
	CHECK(disarmed == DP_ERR_OK && deregistered == DP_ERR_BUSY);
	RAN("queue:put", "");
	CHECK(firmware_text_is_original());
	CHECK(dp_exit_deregister(agent, held) == DP_ERR_OK && !agent->exits.first);
}

static int run_passes_again(struct dp_exit *exit, unsigned count, dp_word *args)
{
	(void)exit, (void)args;
	note('n');
	if (count == 2) /* the pass of an interrupt */
		dp_exit_dispatch(agent, "queue:put", 1, args);
	return 0;
}

/* An exit that has cleared itself in the pass of an interrupt does not run in the outer pass. */
static void clears_itself_inside(void)
{
	start();
	a.run = run_passes_again;
	a.next = &c;
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	RAN("queue:put", "nno");
}

static int run_looks(struct dp_exit *exit, unsigned count, dp_word *args)
{
	(void)exit, (void)count, (void)args;
	note(dp_sim.masked ? 'm' : 'u');
	return 0;
}

/* `when`: interrupts are masked around the call. */
static void masked(void)
{
	start();
	a.run = run_looks;
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	RAN("queue:put", "u");
	a.when = DP_EXIT_MASKED;
	RAN("queue:put", "m");
	CHECK(!dp_sim.masked);
}

/* --- places --- */

/* A hook in code that must not be probed: arm refuses the whole list, and no trap stays. */
static void place_refused(void)
{
	start();
	fresh(&b, "uart:put", DP_EXIT_ANY, run_b);
	a.next = &b;
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK);
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_IN_AGENT);
	CHECK(!a.armed && !b.armed && firmware_text_is_original());
	RAN("queue:put", "");
	a.next = NULL;
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_OK);
	RAN("queue:put", "a");
	a.next = &b;
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_IN_AGENT && a.armed && leads(AT));
	dp_lock(agent);
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_LOCKED && leads(AT));
	CHECK(dp_exit_disarm(agent, &a) == DP_ERR_OK && firmware_text_is_original());
}

static struct dp_site *site_at(dp_addr place)
{
	return dp_site_find(agent, place);
}

/* Programs and exits share a place: the program first, and each goes without the other. */
static void shared(unsigned mode, const char *program, uint32_t records)
{
	char source[128];
	uint8_t log[] = {0, (uint8_t)mode};

	start();
	if (mode != DP_MODE_BUFFERED)
		CHECK(bench_ask(DP_CMD_LOG, log, sizeof(log)).error == 0);
	snprintf(source, sizeof(source), "name = \"p\"\n" AT_TEXT "%s", program);
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	CHECK(bench_install(source) == 0);
	for (unsigned i = 0; i < 3; i++)
		CHECK(leads(AT));
	bench_poll();
	CHECK(bench.records == 3 * records && dp_probe_hits(bench_probe(0, 0)) == 3);
	CHECK(dp_exit_disarm(agent, &a) == DP_ERR_OK && !leads(AT));
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 4 && site_at(AT)->armed);
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_OK && leads(AT));
	bench_remove_all();
	CHECK(leads(AT) && leads(SECOND));
	bench_polls(400); /* the patrol finds the sums as they are */
	CHECK(leads(AT) && leads(SECOND));
	CHECK(dp_exit_disarm(agent, &a) == DP_ERR_OK && firmware_text_is_original());
	CHECK(!site_at(AT) && !site_at(SECOND) && agent->strays == 0);
}

/* A program whose probe ends by itself leaves the exits in place, and an ended probe is no hurdle.
 */
static void ended_probe(void)
{
	start();
	CHECK(bench_install("name = \"p\"\n" AT_TEXT "maxhits = 1\nexit\n") == 0);
	CHECK(!leads(AT) && firmware_text_is_original());
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	CHECK(leads(AT) && leads(AT));
	CHECK(bench_install("name = \"q\"\n" AT_TEXT "maxhits = 2\nexit\n") == 1);
	for (unsigned i = 0; i < 4; i++)
		CHECK(leads(AT));
	CHECK(dp_probe_hits(bench_probe(1, 0)) == 2);
	bench_remove_all();
	CHECK(leads(AT) && dp_exit_disarm(agent, &a) == DP_ERR_OK && firmware_text_is_original());
}

/* The firmware overwrites the trap, or the agent's table is damaged: the place gets no hit, and no
 * trap stays. */
static void damaged(bool table)
{
	start();
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	if (table)
		site_at(AT)->body ^= 4;
	else
		firmware_put_word(AT, 0);
	bench_polls(400);
	CHECK(!leads(AT) && leads(SECOND) == !table);
	CHECK(dp_exit_disarm(agent, &a) == DP_ERR_OK && firmware_text_is_original());
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_OK && leads(AT) && leads(SECOND));
}

/* The firmware writes an instruction that cannot be probed over a no-op: exits of other hooks are
 * armed all the same, and those of its hook are refused. */
static void place_lost(void)
{
	start();
	b.hook = "queue:get";
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	CHECK(dp_exit_register(agent, &b) == DP_ERR_OK);
	firmware_put_word(AT, (uint32_t)SIM_REFUSED << 24);
	bench_polls(400);
	CHECK(!dp_site_find(agent, AT) || !dp_site_find(agent, AT)->armed);
	CHECK(dp_exit_arm(agent, &b) == DP_ERR_OK && b.armed && leads(SECOND));
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_NO_NOOP);
}

/* Where another instruction stands, of any kind, no exit is armed: its block would run in place of
 * the instruction. A probe at the instruction may be there. */
static void no_noop(void)
{
	static const uint32_t others[] = {SIM_AWAY, SIM_STEPPED, SIM_MEMORY, SIM_REFUSED,
					  SIM_EXCLUSIVE};

	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		start();
		CHECK(dp_exit_register(agent, &a) == DP_ERR_OK);
		firmware_put_word(AT, others[i] << 24);
		CHECK(dp_exit_arm(agent, &a) == DP_ERR_NO_NOOP && !a.armed);
		CHECK(!dp_site_find(agent, AT) || !dp_site_find(agent, AT)->armed);
	}
	start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK);
	CHECK(bench_install("name = \"p\"\n" AT_TEXT "exit\n") == 0);
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_NO_NOOP && !leads(AT));
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 1);
	bench_remove_all();
	firmware_put_word(AT, 0);
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_OK && leads(AT));
}

/* A module brings hooks and takes them. */
static void module(void)
{
	static const struct dp_hook_row rows[] = {
		{FIRMWARE_MODULE + 0x20, FIRMWARE_MODULE + 0x28, "plugin:run"},
		{FIRMWARE_MODULE + 0x40, FIRMWARE_MODULE + 0x48, "queue:put"}};
	const struct dp_module plugin = {
		.name = "plugin", .base = FIRMWARE_MODULE, .bytes = FIRMWARE_MODULE_BYTES};

	start();
	fresh(&b, "plugin:run", DP_EXIT_ANY, run_b);
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	CHECK(dp_exit_register(agent, &b) == DP_ERR_NO_HOOK);
	CHECK(dp_module_hooks(agent, "plugin", rows, 2) == DP_ERR_NO_MODULE);
	CHECK(dp_module_loaded(agent, &plugin) == DP_ERR_OK);
	CHECK(dp_module_hooks(agent, "plugin", rows, 2) == DP_ERR_OK);
	CHECK(site_at(rows[1].place)->body == rows[1].body && !site_at(rows[0].place));
	CHECK(dp_exit_register(agent, &b) == DP_ERR_OK && dp_exit_arm(agent, &b) == DP_ERR_OK);
	CHECK(site_at(rows[0].place)->armed);
	dp_module_unloaded(agent, "plugin");
	CHECK(!site_at(rows[0].place) && !site_at(rows[1].place) && leads(AT) && b.armed);
	CHECK(dp_module_loaded(agent, &plugin) == DP_ERR_OK && !site_at(rows[0].place));
	CHECK(dp_module_hooks(agent, "plugin", rows, 2) == DP_ERR_OK);
	CHECK(site_at(rows[0].place)->armed && site_at(rows[1].place)->armed);
}

/* A warm restart finds the traps of exits in the text and takes them out. */
static void restart(void)
{
	start();
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK && dp_exit_arm(agent, &a) == DP_ERR_OK);
	CHECK(!firmware_text_is_original());
	bench_warm();
	CHECK(firmware_text_is_original() && agent->restored == 2 && !agent->exits.first);
}

/* Another thread is at work. */
static void busy(void)
{
	start();
	CHECK(dp_exit_register(agent, &a) == DP_ERR_OK);
	agent->executing = DP_CMD_COMMIT;
	CHECK(dp_exit_register(agent, &b) == DP_ERR_BUSY);
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_BUSY && dp_exit_disarm(agent, &a) == DP_ERR_BUSY);
	CHECK(dp_exit_deregister(agent, &a) == DP_ERR_BUSY);
	agent->executing = 0;
	CHECK(dp_exit_arm(agent, &a) == DP_ERR_OK);
}

int main(void)
{
	armed();
	register_refuses();
	order();
	only();
	results();
	clears_itself();
	arm_is_atomic();
	disarm_in_a_pass();
	clears_itself_inside();
	masked();
	place_refused();
	shared(DP_MODE_BUFFERED, "exit\n", 1);
	shared(DP_MODE_BUFFERED, "push r, r1\nlog 1\nexit\n", 1);
	shared(DP_MODE_BUFFERED, "push 1\npush 2\nadd\nlog 1\nexit\n", 1);
	shared(DP_MODE_SYNCHRONOUS, "push r, r1\nlog 1\nexit\n", 1);
	shared(DP_MODE_BUFFERED, "phase = after\npush r, r1\nlog 1\nexit\n", 1);
	ended_probe();
	damaged(false);
	damaged(true);
	place_lost();
	no_noop();
	module();
	restart();
	busy();
	return check_status();
}
