/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of arguments. */
#include "arguments.h"

#include "dp_object.h"

enum {
	PAIRS_ANY = 0,
	PAIRS_EVEN = 1,
	STRUCTS_WORDS = 0,
	STRUCTS_ADDRESS = 1
};

static const struct dph_arguments rows[] = {
#define DP_ARGUMENTS(first, registers, stack, pairs, structs, result, above)                       \
	{DP_ROWS_OF, first, registers, stack, PAIRS_##pairs, STRUCTS_##structs, result, above},
#include "ports.def"
};

const struct dph_arguments *dph_arguments_of(const struct dph_cpu *cpu)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].cpu == cpu->number)
			return &rows[i];
	return NULL;
}
