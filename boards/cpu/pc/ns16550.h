/* SPDX-License-Identifier: BSD-2-Clause */
/* A 16550 UART with registers one byte apart: polled transmit, interrupt driven receive. The CPU's
 * folder has the access to a device register (reg_io.h). */
#ifndef NS16550_H
#define NS16550_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 8N1, FIFOs on and empty, receive interrupt on: at eight bytes, or four characters after the last.
 * divisor: UART clock / (16 * baud rate). */
void ns16550_init(uintptr_t base, uint16_t divisor);

/* Give one byte to the transmitter; false when it is full. context: any. */
bool ns16550_put(uintptr_t base, uint8_t byte);
/* The same for several bytes. Returns how many were taken. */
size_t ns16550_write(uintptr_t base, const uint8_t *bytes, size_t count);

/* Does a received byte wait? Takes nothing. context: any. */
bool ns16550_has(uintptr_t base);

/* Take one received byte, or -1. Reading is the acknowledge. context: any, one at a time. */
int ns16550_get(uintptr_t base);

#endif
