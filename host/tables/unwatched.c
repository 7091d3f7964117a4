/* SPDX-License-Identifier: BSD-2-Clause */
/* Code whose accesses a CPU does not report: DP_UNWATCHED of port/ports.def. */
#include "unwatched.h"

#include "dp_object.h"

#include <stddef.h>

static const struct {
	unsigned cpu;
	const char *code;
} rows[] = {
#define DP_UNWATCHED(code) {DP_ROWS_OF, code},
#include "ports.def"
};

const char *dph_unwatched(unsigned cpu)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].cpu == cpu)
			return rows[i].code;
	return NULL;
}
