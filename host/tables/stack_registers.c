/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads the table of stack registers. port/ports.def. */
#include "stack_registers.h"

#include "dp_object.h"

static const struct run {
	unsigned cpu, first, count;
} runs[] = {
#define DP_STACK_REGS(first, count) {DP_ROWS_OF, first, count},
#include "ports.def"
};

size_t dph_stack_registers(const struct dph_cpu *cpu, unsigned *list)
{
	size_t count = 0;
	for (size_t i = 0; cpu && i < sizeof(runs) / sizeof(*runs); i++)
		for (unsigned n = 0; runs[i].cpu == cpu->number && n < runs[i].count; n++)
			list[count++] = runs[i].first + n;
	return count;
}
