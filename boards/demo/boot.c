/* SPDX-License-Identifier: BSD-2-Clause */
/* Count the boots in memory that survives a warm restart, and change the random bytes there. */
#include "boot.h"

/* No-init RAM holds anything after power-on: believed only when the copy agrees. */
static struct {
	uint32_t number, inverse;
} keep __attribute__((section(".noinit.boot")));

void boot_init(void)
{
	keep.number = keep.inverse == ~keep.number ? keep.number + 1 : 1;
	keep.inverse = ~keep.number;
}

uint32_t boot_number(void)
{
	return keep.number;
}

extern volatile uint64_t __random;

/* SplitMix64. The bytes are changed before they are used: a warm restart finds others. */
uint64_t boot_random(void)
{
	uint64_t bits = __random;

	if (bits == 0)
		return 0;
	bits += 0x9e3779b97f4a7c15u;
	__random = bits;
	bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
	bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
	return bits ^ bits >> 31;
}
