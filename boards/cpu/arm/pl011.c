/* SPDX-License-Identifier: BSD-2-Clause */
/* PL011 UART: polled transmit, interrupt driven receive. ARM DDI 0183, "Register summary". */
#include "arm_board.h"

#define UART_DR   0x00
#define UART_FR   0x18
#define UART_IBRD 0x24
#define UART_FBRD 0x28
#define UART_LCRH 0x2c
#define UART_CR   0x30
#define UART_IMSC 0x38
#define UART_ICR  0x44

#define FR_RXFE   0x10u
#define FR_TXFF   0x20u
#define LCRH_8N1F 0x70u  /* 8 bits, FIFOs on */
#define CR_ON     0x301u /* enable, TX, RX */
#define INT_RX    0x50u  /* receive, receive time-out */

void pl011_init(uintptr_t base)
{
	reg_write(base, UART_CR, 0);
	reg_write(base, UART_IBRD, 13); /* 115200 from 24 MHz */
	reg_write(base, UART_FBRD, 1);
	reg_write(base, UART_LCRH, LCRH_8N1F);
	reg_write(base, UART_IMSC, INT_RX);
	reg_write(base, UART_CR, CR_ON);
}

BOARD_HIT_PATH bool pl011_put(uintptr_t base, uint8_t byte)
{
	if (reg_read(base, UART_FR) & FR_TXFF)
		return false;
	reg_write(base, UART_DR, byte);
	return true;
}

BOARD_HIT_PATH size_t pl011_write(uintptr_t base, const uint8_t *bytes, size_t count)
{
	size_t sent = 0;

	while (sent < count && (reg_read(base, UART_FR) & FR_TXFF) == 0)
		reg_write(base, UART_DR, bytes[sent++]);
	return sent;
}

int pl011_get(uintptr_t base)
{
	if (reg_read(base, UART_FR) & FR_RXFE)
		return -1;
	return (int)(reg_read(base, UART_DR) & 0xff);
}

/* Before draining, never after: the interrupt is raised when the FIFO becomes non-empty, so an
 * acknowledge behind the drain can clear the only edge of a byte that came in between, and
 * reception stands still for ever. */
void pl011_ack(uintptr_t base)
{
	reg_write(base, UART_ICR, INT_RX);
}
