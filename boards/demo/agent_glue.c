/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The integration of the agent into this firmware, complete: the memory of the agent, the
 * description of the board, and one task that polls.
 */
#include "agent_glue.h"

#include "dprobes.h"

#include "boot.h"
#include "driver.h"
#include "kernel.h"
#include "uart_rate.h"

#define POLL_MS 1u

DPROBES_MEMORY(memory);
DPROBES_SYMBOLS(__text_start, __text_end, __ram_start, __ram_end, __build_id_start);
DPROBES_LINKED(linked, __text_start, __text_end, __ram_start, __ram_end, __build_id_start);
DPROBES_SYMBOL __no_probe_end[], __vectors[], __vectors_end[], __modules_start[], __modules_end[];
extern const uint32_t __text_linked; /* the linker's word: where the text was linked */

#if DP_WITH_ACCESS
/* Whoever makes the firmware of a board writes the board's key here, into the ELF file. While all
 * bytes are ff, each host has the rights. The section has one copy: the start-up code fills .data
 * from another one, which programs read. */
uint8_t agent_key[16] __attribute__((section(".agent_key"), aligned(8))) = {[0 ... 15] = 0xff};
#endif

static struct dprobes_range ranges[3];
static struct dprobes_board board;
static struct task *poller;

static DPROBES_CODE bool put_com1(void *ctx, uint8_t byte)
{
	(void)ctx;
	return uart_put(0, byte);
}

static DPROBES_CODE bool put_com2(void *ctx, uint8_t byte)
{
	(void)ctx;
	return uart_put(1, byte);
}

static DPROBES_CODE size_t write_com1(void *ctx, const void *bytes, size_t count)
{
	(void)ctx;
	return uart_write(0, bytes, count);
}

static DPROBES_CODE size_t write_com2(void *ctx, const void *bytes, size_t count)
{
	(void)ctx;
	return uart_write(1, bytes, count);
}

static DPROBES_CODE void console_in_com1(void *ctx, uint8_t byte)
{
	(void)ctx;
	console_receive(0, byte);
}

static DPROBES_CODE void console_in_com2(void *ctx, uint8_t byte)
{
	(void)ctx;
	console_receive(1, byte);
}

/* A request waits: the task polls now, and not at the next tick. Called in the receive interrupt,
 * never in a hit, so probes may stand here. */
static PROBE_TARGET void agent_wake(void)
{
	if (poller)
		task_rouse(poller);
}

static PROBE_TARGET void console_has_room(unsigned line)
{
	if (DP_WITH_SHARED_LINE && line == 0)
		driver_ready();
}

static DPROBES_CODE void current_task(struct dprobes_task *now)
{
	now->name = "start";
	if (task_current) {
		now->task = (dprobes_word)(uintptr_t)task_current;
		now->pid = task_current->id;
		now->name = task_current->name;
	}
}

/* stop/stop.elf, whose agent may stop the firmware, says so: SConstruct. */
#ifdef DP_PROFILE
/* The firmware is stopped, and no interrupt comes. A probe in uart_get counts its hits as missed
 * then. */
static DPROBES_CODE int receive_stopped(unsigned line)
{
	return uart_get(DP_WITH_SHARED_LINE ? line : 1);
}
#endif

static void add_range(const void *start, const void *end, uint8_t access)
{
	struct dprobes_range *r = &ranges[board.range_count];

	r->start = (dprobes_word)(uintptr_t)start;
	r->bytes = (dprobes_word)((uintptr_t)end - (uintptr_t)start);
	r->access = access;
	board.range_count += r->bytes > 0;
}

/* Start-up, and code that runs with live exception state. */
static void no_probe(const void *start, const void *end)
{
	add_range(start, end, DPROBES_READ | DPROBES_NO_PROBE);
}

/* An agent that cannot share its line has the second UART for itself. */
static void fill_lines(void)
{
	board.com[0].put = put_com1;
	board.com[0].write = write_com1;
	board.com[0].console_in = console_in_com1;
	board.com[1].put = put_com2;
	board.com[1].write = write_com2;
	board.com[1].console_in = console_in_com2;
	if (!DP_WITH_SHARED_LINE)
		board.com[0] = board.com[1];
}

static void fill_key(void)
{
#if DP_WITH_ACCESS
	for (unsigned i = 0; i < sizeof(agent_key); i++)
		if (agent_key[i] != 0xff)
			board.key = agent_key;
#endif
}

static void fill_board(void)
{
	fill_lines();
	fill_key();
	no_probe(__text_start, __no_probe_end);
	no_probe(__vectors, __vectors_end);
	add_range(__modules_start, __modules_end, DPROBES_READ | DPROBES_TEXT);
	board.entropy = boot_random();
	board.name = "demo";
	board.linked = &linked;
	board.moved = (dprobes_word)((uintptr_t)__text_start - __text_linked);
	board.ranges = ranges;
	board.quirks = BOARD_QUIRKS;
	board.ticks = board_clock;
	board.tick_hz = board_clock_hz();
	board.counter = board_counter;
	board.sample_hz = TICK_HZ;
	board.task = current_task;
	board.wake = agent_wake;
	board.console_ready = console_has_room;
	board.console_waits = true;
#ifdef DP_PROFILE
	board.stopped = receive_stopped;
	board.reset = board_restart_cold;
#endif
}

/* May the slots of removed probes be used again? Yes, when no task was interrupted inside one. All
 * tasks but this one are saved, and this one is not in a slot. */
static void offer_quiescence(void)
{
	unsigned state = arch_irq_save();
	bool quiet = true;

	for (unsigned i = 0; i < TASK_MAX; i++) {
		const struct task *t = &task_table[i];
		dprobes_word pc = (dprobes_word)arch_context_pc(&t->context);

		if (t != task_current && t->state != TASK_FREE && t->state != TASK_ENDED)
			quiet = quiet && dprobes_original_pc(pc) == pc;
	}
	if (quiet)
		dprobes_quiescent();
	arch_irq_restore(state);
}

/* Above the workload, or nobody would hear the agent under load. The task sleeps a tick even while
 * work is left, and polls for the records of hits, which do not wake it. */
static void poll_main(void *arg)
{
	(void)arg;
	for (;;) {
		dprobes_poll();
		offer_quiescence();
		task_sleep_ms(POLL_MS);
	}
}

void agent_start(void)
{
	static uint64_t poll_stack[384];
	int error;

	fill_board();
	error = dprobes_init(&memory, &board);
	if (error == 0)
		poller = task_create("agent", PRIORITY_AGENT, poll_main, NULL, poll_stack,
				     sizeof(poll_stack));
	else
		say("agent: not started, error %d\n", error);
}

/* The agent's number of a UART; 2: the agent does not serve it. */
static unsigned line_of(unsigned com)
{
	return DP_WITH_SHARED_LINE ? com : com == 1 ? 0 : 2;
}

void agent_receive(unsigned com, uint8_t byte)
{
	if (!dprobes_rx(line_of(com), byte))
		console_receive(com, byte);
}

void agent_fault(void)
{
	dprobes_freeze();
}

void agent_sample(void)
{
	struct arch_place place;

	arch_interrupted(&place);
	dprobes_sample(place.pc, place.sp, place.ra);
}

int agent_room(unsigned com)
{
	return dprobes_console_room(line_of(com));
}

size_t agent_take(unsigned com, const char *text, size_t n)
{
	return dprobes_console_write(line_of(com), text, n);
}

void agent_transmit(unsigned com, const char *text, size_t n)
{
	if (dprobes_console_room(line_of(com)) >= 0) {
		dprobes_console_write(line_of(com), text, n);
		return;
	}
	if (!DP_WITH_SHARED_LINE && com == 1)
		return;
	for (size_t i = 0; i < n; i++) {
		while (!uart_put(com, (uint8_t)text[i]))
			;
	}
}
