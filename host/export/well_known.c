/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of well-known functions is built from well_known.def. */
#include "well_known.h"

#include <string.h>

#define KNOWN(kernel, function, probe, role, subject, name, value)                                 \
	{kernel, function, probe, DPH_ROLE_##role, subject, name, value},
const struct dph_well_known dph_well_known[] = {
#include "well_known.def"
};
const size_t dph_well_known_count = sizeof dph_well_known / sizeof *dph_well_known;

const struct dph_well_known *dph_well_known_at(const char *function, const char *probe)
{
	for (size_t i = 0; i < dph_well_known_count; i++)
		if (strcmp(dph_well_known[i].function, function) == 0 &&
		    strcmp(dph_well_known[i].probe, probe) == 0)
			return &dph_well_known[i];
	return NULL;
}
