/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads the table of relocations. port/ports.def. */
#include "relocation_rules.h"

#include "dp_object.h"

static const struct {
	unsigned cpu, type;
	enum dph_relocation_rule rule;
} rows[] = {
#define DP_RELOCATION(number, name, rule) {DP_ROWS_OF, number, DPH_RELOCATION_##rule},
#include "ports.def"
};

enum dph_relocation_rule dph_relocation_rule(const struct dph_cpu *cpu, unsigned type)
{
	for (size_t i = 0; cpu && i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].cpu == cpu->number && rows[i].type == type)
			return rows[i].rule;
	return DPH_RELOCATION_UNKNOWN;
}
