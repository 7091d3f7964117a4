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

static bool is_used(const struct dp_hardware_answer *hardware, enum dph_modelled use)
{
	return use == DPH_MODELLED_CODE ? hardware->code > 0
					: hardware->data > 0 && hardware->after != 0;
}

const char *dph_modelled(unsigned cpu, const struct dp_hardware_answer *hardware,
			 enum dph_modelled use)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0] && is_used(hardware, use); i++)
		if (rows[i].cpu == cpu && rows[i].use == use)
			return rows[i].unit;
	return NULL;
}
