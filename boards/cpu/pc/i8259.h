/* SPDX-License-Identifier: BSD-2-Clause */
/* The PC's pair of 8259A interrupt controllers: only the first one's requests are used. A board
 * polls them, or its CPU takes vectors from them: I8259_VECTOR + request. */
#ifndef I8259_H
#define I8259_H

#include <stdint.h>

#define I8259_VECTOR 0x20

/* Start both, all masked but the bits of `open` (request n: bit n). isa: where I/O port 0 is. */
void i8259_init(uintptr_t isa, uint8_t open);

/* Mask and unmask. open as above. */
void i8259_open(uintptr_t isa, uint8_t open);

/* The most urgent request, 0..7, now in service until i8259_end(); -1 when there is none.
 * context: the interrupt handler. */
int i8259_take(uintptr_t isa);
void i8259_end(uintptr_t isa);

/* The same where the CPU has taken the vector: the request in service, -1: it has gone away. */
int i8259_taken(uintptr_t isa);

#endif
