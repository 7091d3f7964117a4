/* SPDX-License-Identifier: BSD-2-Clause */
/* The units of CPUs that have run on a model alone: DP_MODELLED of port/ports.def. */
#include "modelled.h"

#include "dp_object.h"

#include <stddef.h>

static const struct {
	unsigned cpu;
	enum dph_modelled use;
	const char *unit;
} rows[] = {
#define DP_MODELLED(use, unit) {DP_ROWS_OF, DPH_MODELLED_##use, unit},
#include "ports.def"
};

const char *dph_modelled(unsigned cpu, enum dph_modelled use)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].cpu == cpu && rows[i].use == use)
			return rows[i].unit;
	return NULL;
}
