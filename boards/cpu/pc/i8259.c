/* SPDX-License-Identifier: BSD-2-Clause */
/* 8259A: ICW1 at offset 0, the other ICWs and the mask at 1; OCW3 0x0c polls, 0x0b shows
 * what is in service.  8259A data sheet */
#include "i8259.h"

#include "reg_io.h"

#define FIRST   0x20
#define SECOND  0xa0
#define CASCADE 2

#define ICW1    0x11
#define ICW4    0x01
#define EOI     0x20
#define POLL    0x0c
#define SERVED  0x0b
#define PENDING 0x80

static void init_one(uintptr_t base, uint8_t vector, uint8_t cascade)
{
	reg_write8(base, 0, ICW1);
	reg_write8(base, 1, vector);
	reg_write8(base, 1, cascade);
	reg_write8(base, 1, ICW4);
	reg_write8(base, 1, 0xff);
}

void i8259_init(uintptr_t isa, uint8_t open)
{
	init_one(isa + FIRST, I8259_VECTOR, 1u << CASCADE);
	init_one(isa + SECOND, I8259_VECTOR + 8, CASCADE);
	i8259_open(isa, open);
}

void i8259_open(uintptr_t isa, uint8_t open)
{
	reg_write8(isa + FIRST, 1, (uint8_t)~open);
}

/* The poll is the acknowledge. */
int i8259_take(uintptr_t isa)
{
	uint8_t found;

	reg_write8(isa + FIRST, 0, POLL);
	found = reg_read8(isa + FIRST, 0);
	return (found & PENDING) != 0 ? found & 7 : -1;
}

void i8259_end(uintptr_t isa)
{
	reg_write8(isa + FIRST, 0, EOI);
}

int i8259_taken(uintptr_t isa)
{
	uint8_t served;

	reg_write8(isa + FIRST, 0, SERVED);
	served = reg_read8(isa + FIRST, 0);
	return served != 0 ? __builtin_ctz(served) : -1;
}
