/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The agent in this firmware: the memory it gets, the board it is told about, one task that polls.
 * This is all that an integration takes.
 */
#include "agent_glue.h"

#include "dp_agent.h"

#include "kernel.h"

#define SLOTS   (DP_MAX_PROBES + 48u) /* some wait for a quiet moment (offer_quiescence) */
#define POLL_MS 1u

/* Linker script. */
extern uint8_t __text_start[], __text_end[];
extern uint8_t __exception_start[], __exception_end[];
extern uint8_t __agent_text_start[], __agent_text_end[];
extern uint8_t __agent_data_start[], __agent_data_end[];
extern uint8_t __vectors[], __vectors_end[];
extern uint8_t __keep_start[], __keep_end[];
extern uint8_t __build_id_start[];

static struct dp_agent agent __attribute__((section(".dp_state.agent")));
static uint8_t slots[SLOTS * DP_PORT_SLOT_BYTES]
	__attribute__((section(".dp_slots.agent"), aligned(64)));
static uint8_t stack[DP_PORT_CPUS * DP_PORT_STACK_BYTES]
	__attribute__((section(".dp_stack.agent"), aligned(8)));
static struct dp_keep keep __attribute__((section(".dp_keep.agent"), aligned(8)));

static const struct dp_memory memory = {
	.slots = slots,
	.slot_bytes = sizeof(slots),
	.keep = &keep,
	.keep_bytes = sizeof(keep),
	.stack = stack,
	.stack_bytes = sizeof(stack),
};

static struct dp_range ranges[12];
static struct dp_board board;

static bool put_com1(void *ctx, uint8_t byte)
{
	(void)ctx;
	return board_uart_put(0, byte);
}

static bool put_com2(void *ctx, uint8_t byte)
{
	(void)ctx;
	return board_uart_put(1, byte);
}

static void console_in_com1(void *ctx, uint8_t byte)
{
	(void)ctx;
	console_receive(0, byte);
}

static void console_in_com2(void *ctx, uint8_t byte)
{
	(void)ctx;
	console_receive(1, byte);
}

static uint32_t current_pid(void)
{
	return task_current ? task_current->id : 0;
}

static dp_word current_task(void)
{
	return (dp_word)(uintptr_t)task_current;
}

static const char *current_name(void)
{
	return task_current ? task_current->name : "start";
}

static void add_range(const void *start, const void *end, uint8_t access)
{
	struct dp_range *r = &ranges[board.range_count];

	if (start == end)
		return;
	r->start = (dp_addr)(uintptr_t)start;
	r->bytes = (dp_addr)((uintptr_t)end - (uintptr_t)start);
	r->access = access;
	board.range_count++;
}

/* First match wins: the exceptions to a rule stand before it. Devices are in no row. */
static void fill_ranges(void)
{
	/* Start-up, and code that runs with live exception state. */
	add_range(__text_start, __exception_end, DP_MEM_READ | DP_MEM_NO_PROBE);
	/* The agent and the UART path it sends through. */
	add_range(__agent_text_start, __agent_text_end, DP_MEM_READ | DP_MEM_NO_PROBE);
	add_range(__text_start, __text_end, DP_MEM_READ | DP_MEM_TEXT);
	add_range(__vectors, __vectors_end, DP_MEM_READ | DP_MEM_NO_PROBE);
	add_range(__keep_start, __keep_end, DP_MEM_READ | DP_MEM_NO_PROBE);
	add_range(__agent_data_start, __agent_data_end, DP_MEM_READ | DP_MEM_NO_PROBE);
	for (size_t i = 0; i < board_range_count; i++) {
		const uint8_t *base = (const uint8_t *)board_ranges[i].base;

		if (board_ranges[i].kind == BOARD_RAM)
			add_range(base, base + board_ranges[i].bytes, DP_MEM_READ | DP_MEM_WRITE);
	}
}

/* An agent that cannot share its line has the second UART for itself. */
static void fill_lines(void)
{
	board.com[DP_COM1] = (struct dp_com){.put = put_com1, .console_in = console_in_com1};
	board.com[DP_COM2] = (struct dp_com){.put = put_com2, .console_in = console_in_com2};
	if (!DP_WITH_SHARED_LINE) {
		board.com[DP_COM1] = board.com[DP_COM2];
		board.com[DP_COM2].put = NULL;
	}
}

static void fill_board(void)
{
	fill_lines();
	board.ranges = ranges;
	board.image.name = "demo";
	board.image.base = (dp_addr)(uintptr_t)__text_start;
	board.image.bytes = (dp_addr)(__text_end - __text_start);
	/* Behind the note's header (three words) and its name "GNU". */
	board.image.build_id = __build_id_start + 16;
	board.image.build_id_bytes = 20;
	board.quirks = BOARD_QUIRKS;
	board.ticks = board_clock;
	board.tick_hz = board_clock_hz();
	board.pid = current_pid;
	board.task = current_task;
	board.task_name = current_name;
}

/* May the slots of removed probes be used again? Yes, when no task was interrupted inside one. All
 * tasks but this one are saved, and this one is not in a slot. */
static void offer_quiescence(void)
{
	unsigned state = arch_irq_save();
	bool quiet = true;

	for (unsigned i = 0; i < TASK_MAX; i++) {
		const struct task *t = &task_table[i];
		dp_addr pc = (dp_addr)arch_context_pc(&t->context);

		if (t != task_current && t->state != TASK_FREE && t->state != TASK_ENDED)
			quiet = quiet && dp_original_pc(pc) == pc;
	}
	if (quiet)
		dp_quiescent(&agent);
	arch_irq_restore(state);
}

/* Above the workload, or nobody would hear the agent under load. */
static void poll_main(void *arg)
{
	(void)arg;
	for (;;) {
		dp_poll(&agent);
		offer_quiescence();
		task_sleep_ms(POLL_MS);
	}
}

static bool running;

void agent_start(void)
{
	static uint64_t poll_stack[384];
	enum dp_err err;

	fill_ranges();
	fill_board();
	err = dp_init(&agent, &memory, &board);
	running = err == DP_ERR_OK;
	if (running)
		task_create("agent", PRIORITY_AGENT, poll_main, NULL, poll_stack,
			    sizeof(poll_stack));
	else
		say("agent: not started, error %u\n", (unsigned)err);
}

void agent_receive(unsigned com, uint8_t byte)
{
	if (running && DP_WITH_SHARED_LINE)
		dp_rx(&agent, (enum dp_com_index)com, byte);
	else if (running && com == 1)
		dp_rx(&agent, DP_COM1, byte);
	else
		console_receive(com, byte);
}

void agent_transmit(unsigned com, const char *text, size_t n)
{
	if (running && DP_WITH_SHARED_LINE) {
		dp_console_write(&agent, (enum dp_com_index)com, text, n);
		return;
	}
	if (running && com == 1)
		return;
	for (size_t i = 0; i < n; i++) {
		while (!board_uart_put(com, (uint8_t)text[i]))
			;
	}
}
