/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The UARTs with the rate that a real line has. QEMU's UARTs transmit at once and wait for their
 * reader, so without a rate no test meets a busy transmitter or a receive overrun.
 *
 * With a rate, by the board's clock: the transmitter holds UART_RATE_FIFO characters, one of them
 * in flight, and is polled. The receiver gets one character per character time and holds
 * UART_RATE_FIFO; what comes while the receiver is full is lost and counted. Without a rate the
 * functions are the board's own.
 */
#ifndef DEMO_UART_RATE_H
#define DEMO_UART_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UART_RATE_FIFO 16u

/* Give all UARTs a rate and forget the counts. baud: bits per second, ten for a character; 0: no
 * rate. context: a task. */
void uart_rate_set(uint32_t baud);

/* Bits per second, 0 without a rate. context: any. */
uint32_t uart_rate(void);

/* As board_uart_put: false, and nothing done, when the transmitter is full. context: any. */
bool uart_put(unsigned com, uint8_t byte);
/* The same for several bytes, as many as a FIFO holds at most. A line with a rate takes one at a
 * time. Returns how many were taken. */
size_t uart_write(unsigned com, const uint8_t *bytes, size_t count);

/* As board_uart_get: 0..255, or -1 when nothing waits. context: any, one at a time per com. */
int uart_get(unsigned com);

/* Take what came since the last look: with a rate, a character may come when no interrupt says so.
 * context: timer_isr. */
void uart_rate_tick(void);

/* Characters that found the receiver full since uart_rate_set. context: any. */
uint32_t uart_rate_overruns(unsigned com);

#endif
