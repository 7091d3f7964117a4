/* SPDX-License-Identifier: BSD-2-Clause */
/* 16550 UART: polled transmit, interrupt driven receive. PC16550D data sheet, table II. */
#include "ns16550.h"

#include "board.h"
#include "reg_io.h"

#define UART_DATA 0
#define UART_IER  1
#define UART_FCR  2
#define UART_LCR  3
#define UART_MCR  4
#define UART_LSR  5

#define IER_RX   0x01
#define FCR_ON   0x47 /* FIFOs on and empty, interrupt at four bytes or when they stop coming */
#define LCR_8N1  0x03
#define LCR_DLAB 0x80
#define MCR_OUT2 0x0b /* DTR, RTS; OUT2 lets the interrupt out on a PC-like board */
#define LSR_RX   0x01
#define LSR_TX   0x20

void ns16550_init(uintptr_t base, uint16_t divisor)
{
	reg_write8(base, UART_IER, 0);
	reg_write8(base, UART_LCR, LCR_8N1 | LCR_DLAB);
	reg_write8(base, UART_DATA, (uint8_t)divisor);
	reg_write8(base, UART_IER, (uint8_t)(divisor >> 8));
	reg_write8(base, UART_LCR, LCR_8N1);
	reg_write8(base, UART_FCR, FCR_ON);
	reg_write8(base, UART_MCR, MCR_OUT2);
	reg_write8(base, UART_IER, IER_RX);
}

BOARD_HIT_PATH bool ns16550_put(uintptr_t base, uint8_t byte)
{
	if ((reg_read8(base, UART_LSR) & LSR_TX) == 0)
		return false;
	reg_write8(base, UART_DATA, byte);
	return true;
}

BOARD_HIT_PATH size_t ns16550_write(uintptr_t base, const uint8_t *bytes, size_t count)
{
	size_t sent = 0;

	while (sent < count && (reg_read8(base, UART_LSR) & LSR_TX) != 0)
		reg_write8(base, UART_DATA, bytes[sent++]);
	return sent;
}

bool ns16550_has(uintptr_t base)
{
	return (reg_read8(base, UART_LSR) & LSR_RX) != 0;
}

int ns16550_get(uintptr_t base)
{
	if (!ns16550_has(base))
		return -1;
	return reg_read8(base, UART_DATA);
}
