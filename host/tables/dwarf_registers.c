/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of DWARF registers has the DWARF register numbers of each CPU. port/ports.def. */
#include "dwarf_registers.h"

#include "dp_object.h"

#include <stdio.h>

struct run {
	unsigned cpu, first, count, index;
};

static const struct run runs[] = {
#define DP_DWARF_REGS(first, count, index) {DP_ROWS_OF, first, count, index},
#include "ports.def"
};

static const struct unseen {
	unsigned cpu, first, count;
	const char *stem, *tail; /* the number is between them */
} unseen[] = {
#define DP_DWARF_UNSEEN(first, count, stem, tail) {DP_ROWS_OF, first, count, stem, tail},
#include "ports.def"
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

uint32_t dph_register_of_dwarf(const struct dph_cpu *cpu, unsigned number)
{
	for (size_t i = 0; i < COUNT(runs); i++)
		if (runs[i].cpu == cpu->number && number >= runs[i].first &&
		    number - runs[i].first < runs[i].count)
			return runs[i].index + number - runs[i].first;
	return UINT32_MAX;
}

void dph_unseen_register(const struct dph_cpu *cpu, unsigned number, char *text, size_t count)
{
	snprintf(text, count, "DWARF register %u", number);
	for (size_t i = 0; cpu && i < COUNT(unseen); i++)
		if (unseen[i].cpu == cpu->number && number >= unseen[i].first &&
		    number - unseen[i].first < unseen[i].count)
			snprintf(text, count, "%s%u%s", unseen[i].stem, number - unseen[i].first,
				 unseen[i].tail);
}
