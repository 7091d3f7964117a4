/* SPDX-License-Identifier: BSD-2-Clause */
/* UART and timer of ARM's Cortex-M System Design Kit: polled transmit, interrupt driven receive.
 * ARM DDI 0479, "Programmers model". */
#include "board.h"
#include "cortexm_board.h"

#define UART_DATA     0x00
#define UART_STATE    0x04
#define UART_CTRL     0x08
#define UART_INTCLEAR 0x0c
#define UART_BAUDDIV  0x10
#define STATE_TX_FULL 1u
#define STATE_RX_FULL 2u
#define CTRL_ON       0x0bu /* TX, RX, RX interrupt */
#define INT_RX        2u

#define TIMER_CTRL     0x00
#define TIMER_VALUE    0x04
#define TIMER_RELOAD   0x08
#define TIMER_INTCLEAR 0x0c
#define TIMER_ON       9u /* enable, interrupt */

void cmsdk_uart_init(uintptr_t base, uint32_t divider)
{
	reg_write(base, UART_BAUDDIV, divider);
	reg_write(base, UART_CTRL, CTRL_ON);
}

BOARD_HIT_PATH bool cmsdk_uart_put(uintptr_t base, uint8_t byte)
{
	if (reg_read(base, UART_STATE) & STATE_TX_FULL)
		return false;
	reg_write(base, UART_DATA, byte);
	return true;
}

BOARD_HIT_PATH size_t cmsdk_uart_write(uintptr_t base, const uint8_t *bytes, size_t count)
{
	size_t sent = 0;

	while (sent < count && (reg_read(base, UART_STATE) & STATE_TX_FULL) == 0)
		reg_write(base, UART_DATA, bytes[sent++]);
	return sent;
}

int cmsdk_uart_get(uintptr_t base)
{
	if (!(reg_read(base, UART_STATE) & STATE_RX_FULL))
		return -1;
	return (int)(reg_read(base, UART_DATA) & 0xff);
}

/* Before draining: an acknowledge behind the drain could clear the interrupt of a byte that came in
 * between. */
void cmsdk_uart_ack(uintptr_t base)
{
	reg_write(base, UART_INTCLEAR, INT_RX);
}

void cmsdk_timer_start(uintptr_t base, uint32_t period)
{
	cmsdk_timer_stop(base);
	reg_write(base, TIMER_RELOAD, period - 1);
	reg_write(base, TIMER_VALUE, period - 1);
	reg_write(base, TIMER_CTRL, TIMER_ON);
}

void cmsdk_timer_stop(uintptr_t base)
{
	reg_write(base, TIMER_CTRL, 0);
	cmsdk_timer_ack(base);
}

void cmsdk_timer_ack(uintptr_t base)
{
	reg_write(base, TIMER_INTCLEAR, 1);
}
