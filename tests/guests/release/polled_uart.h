/* SPDX-License-Identifier: BSD-2-Clause */
/* The two functions of a polled UART that the ready-made glue asks a firmware for. A firmware of
 * one file includes this once. */
#ifndef POLLED_UART_H
#define POLLED_UART_H

#include "dprobes_start.h"

DPROBES_CODE bool uart_put(uint8_t byte)
{
	if (UART_FR & UART_FR_TXFF)
		return false;
	UART_DR = byte;
	return true;
}

DPROBES_CODE int uart_get(void)
{
	return UART_FR & UART_FR_RXFE ? -1 : (int)(uint8_t)UART_DR;
}

#endif
