/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody's firmware on a Cortex-M without an operating system: a polled UART for the agent, the
 * interrupt of a timer, work to probe that checks itself, in flash and in RAM. A wrong result ends
 * QEMU. */
#include "guest.h"

#include "../work.inc"

enum {
	PACE = 64, /* rounds of the main loop for one of the work */
	NOT_STARTED = 1,
	WRONG = 2,
	FAULTED = 3
};

DPROBES_MEMORY(memory);
DPROBES_SYMBOLS(__text_start, __text_end, __ram_start, __ram_end, dprobes_note);
DPROBES_LINKED(linked, __text_start, __text_end, __ram_start, __ram_end, dprobes_note);
DPROBES_SYMBOL __vectors_start[], __locked_end[], __code_start[], __code_end[];

volatile uint32_t ticks;
uint32_t ram_rounds;
uint32_t erases;

void interrupt(void);
void firmware_fault(void);
int main(void);

void interrupt(void)
{
	ticks = ticks + 1;
	board_timer_ack();
}

/* Of faults that are not the agent's. */
void firmware_fault(void)
{
	semihost_exit(FAULTED);
	for (;;)
		;
}

/* Lies in RAM. */
IN_RAM uint32_t ram_mix(uint32_t a, uint32_t b)
{
	uint32_t value = a ^ (b << 5 | b >> 27);

	ram_rounds++;
	return a & 1 ? value - b : value + (uint16_t)a;
}

static bool ram_is_right(uint32_t n)
{
	uint32_t (*volatile call)(uint32_t, uint32_t) = ram_mix;
	uint32_t b = total.value, value = n ^ (b << 5 | b >> 27);

	return call(n, b) == (n & 1 ? value - b : value + (uint16_t)n);
}

static DPROBES_CODE bool put(void *ctx, uint8_t byte)
{
	(void)ctx;
	return board_put(byte);
}

static DPROBES_CODE int get(void *ctx)
{
	(void)ctx;
	return board_get();
}

static struct dprobes_range row(const uint8_t *start, const uint8_t *end, uint8_t access)
{
	struct dprobes_range r;

	r.start = (dprobes_word)(uintptr_t)start;
	r.bytes = (dprobes_word)(end - start);
	r.access = access;
	return r;
}

static int start_agent(void)
{
	static struct dprobes_range ranges[3];
	static struct dprobes_board board;

	ranges[0] = row(__vectors_start, __locked_end, DPROBES_READ | DPROBES_NO_PROBE);
	ranges[1] = row(__code_start, __code_end, DPROBES_READ | DPROBES_TEXT);
	ranges[2].start = HOLE;
	ranges[2].bytes = HOLE_BYTES;
	ranges[2].access = DPROBES_READ;
	board.com[0].put = put;
	board.com[0].get = get;
	board.name = BOARD_NAME;
	board.linked = &linked;
	board.ranges = ranges;
	board.range_count = 3;
	board.text_write = board_text_write;
#ifdef OWN_VECTORS
	board.own_vectors = true;
#endif
	return dprobes_init(&memory, &board);
}

int main(void)
{
	board_start();
	if (start_agent() != 0)
		semihost_exit(NOT_STARTED);
	__asm__ volatile("cpsie i" ::: "memory");
	for (uint32_t n = 0;; n++) {
		dprobes_poll();
		dprobes_quiescent();
		if (n % PACE == 0 &&
		    (work(&total, n / PACE) != checked(n / PACE) || !ram_is_right(n / PACE)))
			semihost_exit(WRONG);
	}
}
