/* SPDX-License-Identifier: BSD-2-Clause */
/* Send and receive text on the two UARTs. */
#include "console.h"

#include <stdarg.h>
#include <stdio.h>

#include "agent_glue.h"
#include "board.h"
#include "driver.h"
#include "kernel.h"
#include "uart_rate.h"

#define RX_BYTES 1024u /* a power of two */

uint32_t console_overruns[BOARD_COMS];

static struct receiver {
	uint8_t ring[RX_BYTES];
	volatile uint32_t in, out; /* running counts */
	struct semaphore waiting;
} receiver[BOARD_COMS];

static struct semaphore turn[BOARD_COMS] = {{.count = 1}, {.count = 1}};

void console_receive(unsigned com, uint8_t byte)
{
	struct receiver *r = &receiver[com];
	unsigned state = arch_irq_save();
	bool fits = r->in - r->out < RX_BYTES;

	if (fits)
		r->ring[r->in++ % RX_BYTES] = byte;
	else
		console_overruns[com]++;
	arch_irq_restore(state);
	if (fits)
		sem_give(&r->waiting);
}

/* Acknowledge first, then drain: board.h says why. */
PROBE_TARGET void uart_isr(unsigned com)
{
	int c;

	board_uart_ack(com);
	while ((c = uart_get(com)) >= 0)
		agent_receive(com, (uint8_t)c);
}

int console_get(unsigned com)
{
	struct receiver *r = &receiver[com];
	int c;

	sem_take(&r->waiting);
	c = r->ring[r->out % RX_BYTES];
	r->out++;
	return c;
}

static void transmit(unsigned com, const char *text, size_t n)
{
	if (com == 0)
		driver_write(text, n);
	else
		agent_transmit(com, text, n);
}

/* Text in pieces that hold no newline, so that each can go out in one call. */
static void write_lines(unsigned com, const char *text, size_t n)
{
	size_t begin = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] != '\n' || com != 0)
			continue;
		transmit(com, text + begin, i - begin);
		transmit(com, "\r\n", 2);
		begin = i + 1;
	}
	transmit(com, text + begin, n - begin);
}

void console_print(const char *text, size_t n)
{
	write_lines(0, text, n);
}

PROBE_TARGET void console_write(unsigned com, const char *text, size_t n)
{
	if (kernel_in_exception()) {
		write_lines(com, text, n);
		return;
	}
	sem_take(&turn[com]);
	write_lines(com, text, n);
	sem_give(&turn[com]);
}

void say(const char *format, ...)
{
	char text[160];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n > (int)sizeof(text) - 1)
		n = (int)sizeof(text) - 1;
	if (n > 0)
		console_write(0, text, (size_t)n);
}
