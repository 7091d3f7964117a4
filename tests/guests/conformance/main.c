/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conformance cases on a board. The agent has com1; on com2 commands build the little world that a
 * case wants, at the addresses it names, and make its probes hit. A command is a line, its answer
 * "ok" or "no: why".
 *
 *   reset              no memory, no sites, all registers 0
 *   mem ADDRESS HEX    bytes that can be read and written; mem-ro: only read
 *   site ADDRESS       an instruction that can be probed
 *   reg NAME VALUE     what a register holds when a site is reached
 *   hit ADDRESS N      run the site N times; "ok" when the agent has sent all that came of it
 *   intact             do the sites hold what was written?
 *   state              the answer is what the hits have left behind (state.h)
 *   plans              the answer is how many sites had a plan of each kind at the last hit
 * (state.h) echo WORD          the answer is the word: now both sides are at the same line
 *
 * Numbers are hexadecimal without prefix. The agent's table has the declared bytes and, behind
 * them, a denial for the rest of their pages; then come rows that allow all addresses nobody uses:
 * there the access is tried and aborts.
 */
#include <string.h>

#include "board.h"
#include "dp_access_cpu.h"
#include "dp_crc.h"
#include "guest.h"
#include "state.h"

#define LINE_MAX   2048u
#define ROWS_MAX   16u
#define FIXED_MAX  12u
#define POLL_LIMIT 1000000u

extern uint8_t __text_start[], __text_end[], __build_id_start[];

void kernel_main(void);
void kernel_irq(void);
void kernel_trap(void);
void kernel_fault(void);
void timer_isr(void);
void sensor_isr(void);
void uart_isr(unsigned com);

static struct dp_agent agent;
static uint8_t slots[(DP_MAX_PROBES + 48u) * DP_PORT_SLOT_BYTES]
	__attribute__((section(".noinit.dprobes_slots"), aligned(64)));
static uint8_t stack[DP_PORT_CPUS * DP_PORT_STACK_BYTES] __attribute__((aligned(16)));
static struct dp_keep keep __attribute__((section(".noinit.dprobes_keep"), aligned(8)));
static const struct dp_memory memory = {
	.slots = slots,
	.slot_bytes = sizeof(slots),
	.keep = &keep,
	.keep_bytes = sizeof(keep),
	.stack = stack,
	.stack_bytes = sizeof(stack),
};

static struct dp_range rows[ROWS_MAX], pages[ROWS_MAX];
static unsigned row_count, page_count;
static struct dp_range ranges[2 * ROWS_MAX + FIXED_MAX];
static struct dp_board board = {.ranges = ranges};
static uintptr_t registers[GUEST_REGISTERS];
static char plans[STATE_TEXT];

/* The exception entries of the demo kernel save the interrupted context here. */
static uintptr_t context[128];
void *task_current = context;

/* --- com2 --- */

static void print(const char *text)
{
	for (; *text != '\0'; text++)
		while (!board_uart_put(1, (uint8_t)*text))
			;
}

_Noreturn void guest_panic(const char *why)
{
	print("no: ");
	print(why);
	print("\n");
	for (;;)
		;
}

/* Interrupts stay masked; these are for the linker, and for what must not happen. */
void kernel_irq(void)
{
	guest_panic("an interrupt");
}

void kernel_trap(void)
{
	guest_panic("a trap");
}

void kernel_fault(void)
{
	guest_panic("a fault");
}

void timer_isr(void)
{
}

void sensor_isr(void)
{
}

void uart_isr(unsigned com)
{
	(void)com;
}

/* --- the agent's table --- */

static void append(const struct dp_range *from, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		ranges[board.range_count++] = from[i];
}

static void fill_ranges(void)
{
	board.range_count = 0;
	append(rows, row_count);
	append(pages, page_count);
	append(cpu_open, cpu_open_count);
}

/* Memory for [address, address + bytes), which may end with the address space, and its row. */
static const char *add_row(uintptr_t address, size_t bytes, uint8_t access)
{
	uintptr_t page = address & ~(uintptr_t)(GUEST_PAGE - 1);
	uintptr_t last = (address + bytes - 1) & ~(uintptr_t)(GUEST_PAGE - 1);

	if (row_count == ROWS_MAX || page_count + (last - page) / GUEST_PAGE >= ROWS_MAX)
		return "too many rows";
	rows[row_count++] = (struct dp_range){(dp_addr)address, (dp_addr)bytes, access};
	for (;; page += GUEST_PAGE) {
		if (!cpu_map(page))
			return "no page left";
		pages[page_count++] = (struct dp_range){(dp_addr)page, GUEST_PAGE, 0};
		if (page == last)
			return NULL;
	}
}

/* --- commands --- */

/* Of at most so many digits; the first other character ends it. */
static uintptr_t hex(const char *text, unsigned digits)
{
	static const char all[] = "0123456789abcdef";
	uintptr_t value = 0;

	for (; digits > 0 && *text != '\0'; digits--, text++) {
		const char *found = strchr(all, *text);

		if (found == NULL)
			break;
		value = value << 4 | (uintptr_t)(found - all);
	}
	return value;
}

static uintptr_t number(const char *text)
{
	return hex(text, 2 * sizeof(uintptr_t));
}

static const char *do_reset(char **word)
{
	(void)word;
	cpu_unmap_all();
	row_count = page_count = 0;
	memset(registers, 0, sizeof(registers));
	return NULL;
}

static const char *declare(char **word, uint8_t access)
{
	uintptr_t address = number(word[1]);
	size_t bytes = strlen(word[2]) / 2;
	const char *error = add_row(address, bytes, access);

	for (size_t i = 0; i < bytes && error == NULL; i++)
		*(volatile uint8_t *)(address + i) = (uint8_t)hex(&word[2][2 * i], 2);
	return error;
}

static const char *do_mem(char **word)
{
	return declare(word, DP_MEM_READ | DP_MEM_WRITE);
}

static const char *do_mem_ro(char **word)
{
	return declare(word, DP_MEM_READ);
}

static const char *do_site(char **word)
{
	uintptr_t address = number(word[1]);
	const char *error;

	for (unsigned i = 0; i < row_count; i++) {
		const struct dp_range *r = &rows[i];

		if (r->start == address && (r->access & DP_MEM_TEXT))
			return NULL;
		if (address - r->start < r->bytes || r->start - address < cpu_site_bytes)
			return "the site lies in the case's memory";
	}
	error = add_row(address, cpu_site_bytes, DP_MEM_READ | DP_MEM_TEXT);
	if (error == NULL && !cpu_place_site(address))
		error = "nothing can be run there";
	return error;
}

static const char *do_reg(char **word)
{
	int n = cpu_register(word[1]);

	if (n < 0)
		return "no such register";
	registers[n] = number(word[2]);
	return NULL;
}

static const char *do_hit(char **word)
{
	for (uintptr_t n = number(word[2]); n > 0; n--) {
		unsigned polls = 0;

		cpu_hit(registers, number(word[1]));
		state_plans(plans, &agent); /* the patrol of dp_poll drops them */
		while (dp_poll(&agent))
			if (++polls == POLL_LIMIT)
				return "the agent does not come to an end";
	}
	return NULL;
}

static const char *do_intact(char **word)
{
	(void)word;
	for (unsigned i = 0; i < row_count; i++)
		if ((rows[i].access & DP_MEM_TEXT) && !cpu_site_intact(rows[i].start))
			return "text changed";
	return NULL;
}

static const struct command {
	const char *name;
	unsigned words;
	const char *(*run)(char **word);
} commands[] = {
	{"reset", 1, do_reset}, {"mem", 3, do_mem}, {"mem-ro", 3, do_mem_ro}, {"site", 2, do_site},
	{"reg", 3, do_reg},     {"hit", 3, do_hit}, {"intact", 1, do_intact},
};

static const char *run(char *line)
{
	char *word[4] = {line, line, line, line};
	unsigned words = 0;
	bool inside = false;

	for (; *line != '\0'; line++) {
		if (*line == ' ')
			*line = '\0';
		else if (!inside && words < 4)
			word[words++] = line;
		inside = *line != '\0';
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		const char *error;

		if (words != commands[i].words || strcmp(word[0], commands[i].name) != 0)
			continue;
		error = commands[i].run(word);
		fill_ranges();
		dp_access_recent()->bytes = 0; /* of the case before */
		return error;
	}
	return "no such command";
}

static uint32_t memory_check(void)
{
	uint32_t crc = 0;

	for (unsigned i = 0; i < row_count; i++)
		if (!(rows[i].access & DP_MEM_TEXT))
			crc = dp_crc32(crc, (const void *)rows[i].start, rows[i].bytes);
	return crc;
}

/* Returns null when the line is none of the commands that ask. */
static const char *answer(const char *line)
{
	static char text[STATE_TEXT];

	if (strncmp(line, "echo ", 5) == 0)
		return line + 5;
	if (strcmp(line, "state") == 0)
		state_write(text, &agent, guest_left, sizeof(guest_left), memory_check());
	else if (strcmp(line, "plans") == 0)
		return plans;
	else
		return NULL;
	return text;
}

static void take(char c)
{
	static char line[LINE_MAX];
	static size_t used;
	const char *error, *text;

	if (c != '\n') {
		if (used + 1 < sizeof(line))
			line[used++] = c;
		return;
	}
	line[used] = '\0';
	used = 0;
	text = answer(line);
	if (text == NULL) {
		error = run(line);
		print(error != NULL ? "no: " : "");
		text = error != NULL ? error : "ok";
	}
	print(text);
	print("\n");
}

/* --- start --- */

static bool put_com1(void *ctx, uint8_t byte)
{
	(void)ctx;
	return board_uart_put(0, byte);
}

static enum dp_err start_agent(void)
{
	board.com[DP_COM1].put = put_com1;
	board.image.name = "conformance";
	board.image.base = (dp_addr)(uintptr_t)__text_start;
	board.image.bytes = (dp_addr)(__text_end - __text_start);
	board.image.build_id = __build_id_start + 16; /* behind the note's header */
	board.image.build_id_bytes = 20;
	board.quirks = BOARD_QUIRKS;
	board.ticks = board_clock;
	board.tick_hz = board_clock_hz();
	fill_ranges();
	return dp_init(&agent, &memory, &board);
}

/* Everything is polled: nothing happens that a case did not ask for. */
void kernel_main(void)
{
	board_init();
	cpu_unmap_all();
	if (start_agent() != DP_ERR_OK)
		guest_panic("the agent did not start");
	print("ready\n");
	for (;;) {
		int c;

		while ((c = board_uart_get(0)) >= 0)
			dp_rx(&agent, DP_COM1, (uint8_t)c);
		dp_poll(&agent);
		while ((c = board_uart_get(1)) >= 0)
			take((char)c);
	}
}
