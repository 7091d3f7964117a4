/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of arguments. */
#include "arguments.h"

#include "dp_object.h"

static const struct dph_arguments rows[] = {
#define DP_ARGUMENTS(first, registers, stack, pairs, structs, result, above)                       \
	{DP_ROWS_OF, first, registers, stack, DPH_PAIRS_##pairs, DPH_STRUCTS_##structs,            \
	 result,     above},
#include "ports.def"
};

const struct dph_arguments *dph_arguments_of(const struct dph_cpu *cpu)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].cpu == cpu->number)
			return &rows[i];
	return NULL;
}
