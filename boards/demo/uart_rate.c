/* SPDX-License-Identifier: BSD-2-Clause */
/* Let characters pass at the rate of a real line. */
#include "uart_rate.h"

#include "arch.h"
#include "board.h"
#include "kernel.h"

#define BITS_EACH  10u /* 8N1 */
#define WIRE_BYTES 64u /* a power of two; few, because an interrupt fills the wire */

static uint32_t baud_rate;
static volatile uint32_t character; /* counts of board_clock() for each; 0: no rate */

/* The moment when the last character has left. */
static uint64_t transmitted[BOARD_COMS];

/* The host sends in pieces, at times of its own. The pieces wait on the wire until the clock lets
 * the line bring them. */
static struct receiver {
	uint8_t wire[WIRE_BYTES];
	uint32_t in, out; /* running counts */
	uint64_t seen;    /* what the line brought until then has been taken */
	uint64_t late;    /* moment of the last look that came too late */
	uint32_t kept;    /* of the characters brought until then, the receiver still holds these */
	uint32_t lost;    /* and these came behind them */
	uint32_t overruns; /* lost ones, when they are seen on the wire */
} receiver[BOARD_COMS];

BOARD_HIT_PATH bool uart_put(unsigned com, uint8_t byte)
{
	uint64_t each = character, now;
	unsigned state;
	bool put = false;

	if (each == 0)
		return board_uart_put(com, byte);
	state = arch_hit_irq_save();
	now = board_clock();
	if (transmitted[com] <= now + (UART_RATE_FIFO - 1) * each && board_uart_put(com, byte)) {
		if (transmitted[com] < now)
			transmitted[com] = now;
		transmitted[com] += each;
		put = true;
	}
	arch_hit_irq_restore(state);
	return put;
}

BOARD_HIT_PATH size_t uart_write(unsigned com, const uint8_t *bytes, size_t count)
{
	if (character != 0)
		return count > 0 && uart_put(com, *bytes);
	return board_uart_write(com, bytes, count < UART_RATE_FIFO ? count : UART_RATE_FIFO);
}

static void fill_wire(struct receiver *r, unsigned com)
{
	int c;

	while (r->in - r->out < WIRE_BYTES && (c = board_uart_get(com)) >= 0)
		r->wire[r->in++ % WIRE_BYTES] = (uint8_t)c;
}

/* Nobody looked for longer than the receiver's room lasts: what a busy line brought behind the
 * first characters is lost. */
static void look_late(struct receiver *r, uint64_t now)
{
	r->kept = UART_RATE_FIFO;
	r->lost = (uint32_t)((now - r->seen) / character) - UART_RATE_FIFO;
	r->late = now;
}

/* The wire is empty. The host's next piece may be on its way: QEMU passes on as many characters at
 * once as its UART holds. After a full receiver the rest has a receiver's time to come; else the
 * line was idle. */
static void rest(struct receiver *r, uint64_t now)
{
	if (r->kept == 0 && r->lost != 0 && now - r->late < UART_RATE_FIFO * (uint64_t)character)
		return;
	r->seen = now;
	r->kept = r->lost = 0;
}

static uint8_t pop(struct receiver *r)
{
	return r->wire[r->out++ % WIRE_BYTES];
}

/* The next character that the line has brought and the receiver has kept, or -1. */
static int take(struct receiver *r, uint64_t now)
{
	const uint64_t each = character;

	while (now - r->seen >= each) {
		if (r->in == r->out) {
			rest(r, now);
			return -1;
		}
		if (r->kept == 0 && r->lost == 0 && now - r->seen > UART_RATE_FIFO * each)
			look_late(r, now);
		r->seen += each;
		if (r->kept != 0 || r->lost == 0) {
			r->kept -= r->kept != 0;
			return pop(r);
		}
		pop(r);
		r->lost--;
		r->overruns++;
	}
	return -1;
}

int uart_get(unsigned com)
{
	struct receiver *r = &receiver[com];

	if (character == 0 && r->in == r->out)
		return board_uart_get(com);
	fill_wire(r, com);
	return character == 0 ? pop(r) : take(r, board_clock());
}

void uart_rate_tick(void)
{
	for (unsigned com = 0; com < BOARD_COMS; com++)
		if (character != 0 || receiver[com].in != receiver[com].out)
			uart_isr(com);
}

void uart_rate_set(uint32_t baud)
{
	unsigned state = arch_irq_save();
	uint64_t now = board_clock();

	baud_rate = baud;
	character = baud == 0 ? 0 : (uint32_t)((uint64_t)board_clock_hz() * BITS_EACH / baud);
	for (unsigned com = 0; com < BOARD_COMS; com++) {
		struct receiver *r = &receiver[com];

		transmitted[com] = r->seen = now;
		r->kept = r->lost = r->overruns = 0;
	}
	arch_irq_restore(state);
}

uint32_t uart_rate(void)
{
	return baud_rate;
}

uint32_t uart_rate_overruns(unsigned com)
{
	return receiver[com].overruns;
}
