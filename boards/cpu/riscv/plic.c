/* SPDX-License-Identifier: BSD-2-Clause */
/* The interrupt controller of the RISC-V boards, for hart 0 in M mode.  RISC-V PLIC
 * specification 1.0 */
#include "riscv_board.h"

#define ENABLE    0x002000u
#define THRESHOLD 0x200000u
#define CLAIM     0x200004u

static uintptr_t plic;

static inline volatile uint32_t *reg(uintptr_t offset)
{
	return (volatile uint32_t *)(plic + offset);
}

void plic_init(uintptr_t base, const uint8_t *sources)
{
	plic = base;
	for (unsigned word = 0; word < 4; word++)
		*reg(ENABLE + 4 * word) = 0;
	for (; *sources != 0; sources++) {
		*reg(4 * (uintptr_t)*sources) = 1;
		*reg(ENABLE + 4 * (uintptr_t)(*sources / 32)) |= 1u << *sources % 32;
		/* A warm restart may have come between its claim and its end. */
		plic_end(*sources);
	}
	*reg(THRESHOLD) = 0;
	riscv_enable(RISCV_EXTERNAL);
}

uint32_t plic_take(void)
{
	return *reg(CLAIM);
}

void plic_end(uint32_t source)
{
	*reg(CLAIM) = source;
}
