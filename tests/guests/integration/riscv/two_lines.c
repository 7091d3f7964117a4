/* SPDX-License-Identifier: BSD-2-Clause */
/* In place of the ready-made glue, which has one line: the agent also has com2, to which it sends.
 * SiFive FE310-G002 manual, chapter 18 */
#include "dprobes_settings.h"
#include "dprobes_start.h"

/* The compiler's command has UART2_AT, the address of com2. */
#define UART2 ((volatile uint32_t *)UART2_AT)
enum {
	TX_DATA = 0, /* words of the UART */
	TX_CONTROL = 2,
	ENABLE = 1
};
#define TX_FULL 0x80000000u

DPROBES_MEMORY(memory);
DPROBES_SYMBOLS(__text_start, __text_end, __ram_start, __ram_end, dprobes_note);
DPROBES_LINKED(linked, __text_start, __text_end, __ram_start, __ram_end, dprobes_note);

static DPROBES_CODE bool put_com1(void *ctx, uint8_t byte)
{
	(void)ctx;
	return uart_put(byte);
}

static DPROBES_CODE bool put_com2(void *ctx, uint8_t byte)
{
	(void)ctx;
	if (UART2[TX_DATA] & TX_FULL)
		return false;
	UART2[TX_DATA] = byte;
	return true;
}

static DPROBES_CODE int get(void *ctx)
{
	(void)ctx;
	return uart_get();
}

static DPROBES_CODE void console_in(void *ctx, uint8_t byte)
{
	(void)ctx;
	shell_byte(byte);
}

int dprobes_start(void)
{
	static struct dprobes_board board;

	UART2[TX_CONTROL] = ENABLE;
	board.com[0].put = put_com1;
	board.com[0].get = get;
	board.com[0].console_in = console_in;
	board.com[1].put = put_com2;
	board.name = DPROBES_NAME;
	board.linked = &linked;
	return dprobes_init(&memory, &board);
}

bool dprobes_loop(void)
{
	bool left = dprobes_poll();

	dprobes_quiescent();
	return left;
}

size_t dprobes_print(const char *text, size_t bytes)
{
	return dprobes_console_write(0, text, bytes);
}
