/* SPDX-License-Identifier: BSD-2-Clause */
#include "core_registers.h"

#include "tables/registers.h"

#include <limits.h>
#include <string.h>

/* A row of the table; slots: of a CPU, else 0. */
struct row {
	const char *name; /* of the CPU, or of the first register */
	unsigned word_bits, slots;
	unsigned first, count;
	unsigned from, to; /* of BIT; 0: no such row */
};

static const struct row rows[] = {
#define CPU(id, text, bits, words) {.name = text, .word_bits = bits, .slots = words},
#define SLOTS(from, number, ours)  {.name = ours, .first = from, .count = number},
#define BIT(slot, ours, bit, other)                                                                \
	{.name = ours, .first = slot, .count = 1, .from = bit, .to = other},
#include "tables/core_registers.def"
};

static const size_t row_count = sizeof rows / sizeof rows[0];

static size_t find(const struct dph_cpu *cpu, unsigned word_bytes)
{
	size_t i = 0;

	while (i < row_count &&
	       (cpu == NULL || rows[i].slots == 0 || rows[i].word_bits != word_bytes * CHAR_BIT ||
		strcmp(rows[i].name, cpu->name) != 0))
		i++;
	return i;
}

unsigned dph_core_slots(const struct dph_cpu *cpu, unsigned word_bytes)
{
	const size_t i = find(cpu, word_bytes);

	return i < row_count ? rows[i].slots : 0;
}

struct dph_core_slot dph_core_slot(const struct dph_cpu *cpu, unsigned word_bytes, unsigned slot)
{
	for (size_t i = find(cpu, word_bytes) + 1; i < row_count && rows[i].slots == 0; i++) {
		const struct row *row = &rows[i];
		const struct dp_reg *first;

		if (slot - row->first >= row->count)
			continue;
		first = dph_reg_named(cpu, row->name, strlen(row->name));
		if (first != NULL)
			return (struct dph_core_slot){first->index + slot - row->first, row->to > 0,
						      row->from, row->to};
	}
	return (struct dph_core_slot){.index = DPH_CORE_NO_REGISTER};
}

uint64_t dph_core_word(const struct dph_core_slot *slot, uint64_t value)
{
	const uint64_t bit = value >> slot->from & 1;

	return slot->made ? (value >> slot->to >> 1 << 1 | bit) << slot->to : value;
}
