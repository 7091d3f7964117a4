/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The timer's interrupt arrives at each instruction of a probe hit in turn, from before the trap
 * until after the resume; the state behind the hit must be that of a hit that nobody disturbed.
 *
 * For QEMU's -icount, where the same instructions take the same time. The agent has com1; com2
 * takes the number of a case and answers with a line of counts:
 *   NAME state S runs N wrong W early E at A inside I late L done D lost M
 * state: a checksum of how it ends. Interrupted early: before the probed instruction; at: on it;
 * inside: in its slot; late: behind it, also when the interrupt came while the agent ran; done: in
 * guest_return, which stores the registers. lost: not one interrupt in the run.
 */
#include <string.h>

#include "board.h"
#include "guest.h"

#define TICK_HZ      10000u
#define DELAY_MAX    40000u /* instructions: more than a tick */
#define SEARCHES_MAX 5u
#define EARLY_RUNS   48u /* an instruction more or less, in QEMU, when the host is busy */
#define DONE_RUNS    8u

DPROBES_SYMBOL __text_start[], __text_end[], __exception_end[], __build_id_start[];
DPROBES_MEMORY(memory);

void kernel_main(void);
void kernel_irq(void);
void kernel_trap(void);
void timer_isr(void);
void sensor_isr(void);
void uart_isr(unsigned com);

uint32_t guest_data[DATA_WORDS];
static uint64_t task_stack[1024];
static volatile uint32_t ticks;
static volatile uintptr_t arrived_at;
static volatile int command = -1;

/* --- interrupts --- */

void kernel_irq(void)
{
	board_irq();
}

void kernel_trap(void)
{
	guest_panic("a system call");
}

void timer_isr(void)
{
	ticks++;
	arrived_at = cpu_interrupted();
}

void sensor_isr(void)
{
}

void uart_isr(unsigned com)
{
	int c;

	board_uart_ack(com);
	while ((c = board_uart_get(com)) >= 0) {
		if (com == 0)
			dprobes_rx(0, (uint8_t)c);
		else
			command = c;
	}
}

/* --- com2 --- */

static void print(const char *text)
{
	for (; *text != '\0'; text++)
		while (!board_uart_put(1, (uint8_t)*text))
			;
}

static void print_number(const char *name, uint32_t value)
{
	char text[12], *p = text + 11;

	*p = '\0';
	do {
		*--p = (char)('0' + value % 10);
		value /= 10;
	} while (value != 0);
	print(name);
	print(p);
}

_Noreturn void guest_panic(const char *why)
{
	print("panic: ");
	print(why);
	print("\n");
	board_power_off(3);
}

/* --- one run --- */

struct outcome {
	struct state end;
	uint32_t data[DATA_WORDS];
	uintptr_t pc;     /* where the interrupt came */
	uint32_t arrived; /* how often */
};

static void one(const struct arrival_case *c, uint32_t delay, struct outcome *o)
{
	struct state in;
	uint32_t before;

	cpu_initial(&in);
	for (unsigned i = 0; i < DATA_WORDS; i++)
		guest_data[i] = 0x80818283u + i * 0x01030507u;
	memset(&o->end, 0, sizeof(o->end));
	before = ticks;
	while (ticks == before)
		arch_wait();
	before = ticks;
	guest_run(&in, &o->end, c->entry, delay / 4 + 1, delay % 4);
	o->arrived = ticks - before;
	o->pc = arrived_at;
	memcpy(o->data, guest_data, sizeof(o->data));
	dprobes_poll();
}

enum place {
	EARLY,
	AT,
	INSIDE,
	LATE,
	DONE,
	LOST,
	PLACES
};

static enum place place_of(const struct arrival_case *c, const struct outcome *o)
{
	if (o->arrived != 1)
		return LOST;
	if (o->pc == (c->address & ~(uintptr_t)1))
		return AT;
	if (dprobes_original_pc((dprobes_word)o->pc) != (dprobes_word)o->pc)
		return INSIDE;
	if (o->pc >= (uintptr_t)guest_delay && o->pc < (uintptr_t)guest_delay_end)
		return EARLY;
	return o->pc >= (uintptr_t)guest_return && o->pc < (uintptr_t)guest_return_end ? DONE
										       : LATE;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	return memcmp(&a->end, &b->end, sizeof(a->end)) == 0 &&
	       memcmp(a->data, b->data, sizeof(a->data)) == 0;
}

static bool is_early(const struct arrival_case *c, uint32_t delay)
{
	static struct outcome o;
	enum place where;

	one(c, delay, &o);
	where = place_of(c, &o);
	/* Longer than a tick: more than one interrupt, the first of them early. */
	return where == EARLY || (where == LOST && o.arrived > 1);
}

/* The shortest delay in which the interrupt still comes before the case. */
static uint32_t search_early(const struct arrival_case *c)
{
	uint32_t low = 0, high = DELAY_MAX;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (is_early(c, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* A character of a line may come during a run and mislead the search: its result is tried again. */
static uint32_t longest_early(const struct arrival_case *c)
{
	for (unsigned tries = 0; tries < SEARCHES_MAX; tries++) {
		uint32_t delay = search_early(c);

		if (is_early(c, delay + EARLY_RUNS / 2))
			return delay;
	}
	guest_panic("no delay is early");
}

/* Both as memcmp sees them, in an order that tells places apart. */
static uint32_t checksum(const struct outcome *o)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < STATE_WORDS; i++)
		sum = (sum << 5 | sum >> 27) + o->end.word[i];
	for (unsigned i = 0; i < DATA_WORDS; i++)
		sum = (sum << 5 | sum >> 27) + o->data[i];
	return sum;
}

static void sweep(const struct arrival_case *c)
{
	static const char *const names[PLACES] = {" early ", " at ",   " inside ",
						  " late ",  " done ", " lost "};
	static struct outcome undisturbed, o;
	uint32_t count[PLACES] = {0}, runs = 0, wrong = 0;
	uint32_t delay = longest_early(c) + EARLY_RUNS;

	/* The interrupt early: nothing of it is left when the probe is hit. */
	one(c, delay, &undisturbed);
	for (; delay > 0 && count[DONE] < DONE_RUNS; delay--) {
		one(c, delay, &o);
		count[place_of(c, &o)]++;
		runs++;
		wrong += !same(&o, &undisturbed);
	}
	print(c->name);
	print_number(" state ", checksum(&undisturbed));
	print_number(" runs ", runs);
	print_number(" wrong ", wrong);
	for (unsigned i = 0; i < PLACES; i++)
		print_number(names[i], count[i]);
	print("\n");
}

/* --- start --- */

BOARD_HIT_PATH static bool put_com1(void *ctx, uint8_t byte)
{
	(void)ctx;
	return board_uart_put(0, byte);
}

/* Called for each record. It may be probed: a hit inside a hit. */
uint32_t guest_pid(void);
__attribute__((noinline)) uint32_t guest_pid(void)
{
	return ticks;
}

static DPROBES_CODE void current_task(struct dprobes_task *now)
{
	now->pid = guest_pid();
}

static const struct dprobes_linked linked = {__text_start, __text_end, guest_data,
					     &guest_data[DATA_WORDS], __build_id_start};

static void start_agent(void)
{
	static struct dprobes_range exceptions;
	static struct dprobes_board board;

	exceptions.start = (dprobes_word)(uintptr_t)__text_start;
	exceptions.bytes = (dprobes_word)(__exception_end - __text_start);
	exceptions.access = DPROBES_READ | DPROBES_NO_PROBE;
	board.com[0].put = put_com1;
	board.name = "arrival";
	board.linked = &linked;
	board.ranges = &exceptions;
	board.range_count = 1;
	board.ticks = board_clock;
	board.tick_hz = board_clock_hz();
	board.task = current_task;
	if (dprobes_init(&memory, &board) != 0)
		guest_panic("the agent did not start");
}

static void task(void)
{
	board_tick_start(TICK_HZ);
	print("ready\n");
	for (;;) {
		int c = command;

		dprobes_poll();
		if (c < 0)
			continue;
		command = -1;
		if ((unsigned)(c - 'a') < arrival_case_count)
			sweep(&arrival_cases[c - 'a']);
		else
			print("end of cases\n");
	}
}

void kernel_main(void)
{
	board_init();
	start_agent();
	cpu_start(task, &task_stack[sizeof(task_stack) / sizeof(task_stack[0])]);
}
