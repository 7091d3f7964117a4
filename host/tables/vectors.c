/* SPDX-License-Identifier: BSD-2-Clause */
/* The vectors that the ports take over: DP_VECTOR of port/ports.def. */
#include "vectors.h"

#include "dp_object.h"

#include <stddef.h>

static const struct {
	unsigned cpu, class;
	const char *name;
} rows[] = {
#define DP_VECTOR(class, name) {DP_ROWS_OF, class, name},
#include "ports.def"
};

const char *dph_vector_name(unsigned cpu, unsigned class)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].cpu == cpu && rows[i].class == class)
			return rows[i].name;
	return NULL;
}
