/* SPDX-License-Identifier: BSD-2-Clause */
/* Count the boots in memory that survives a warm restart. */
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
