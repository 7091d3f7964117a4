/* SPDX-License-Identifier: BSD-2-Clause */
/* The private stack is painted, and its highest use counted. */
#include "dp_stack.h"

#include "dp_agent.h"

#define DP_PAINT 0x5aa55aa5u

void dp_stack_paint(const struct dp_memory *memory)
{
	uint32_t *word = memory->stack;

	for (size_t i = 0; i < memory->stack_bytes / sizeof(*word); i++)
		word[i] = DP_PAINT;
}

size_t dp_stack_used(const struct dp_memory *memory)
{
	const uint32_t *word = memory->stack;
	size_t count = memory->stack_bytes / sizeof(*word), i = 0;

	while (i < count && word[i] == DP_PAINT)
		i++;
	return (count - i) * sizeof(*word);
}
