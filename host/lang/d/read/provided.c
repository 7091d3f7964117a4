/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of declared probes. */
#define _GNU_SOURCE
#include "provided.h"

#include <string.h>

struct d_provided *dph_d_provided_named(struct d_provided *from, const char *provider,
					const char *name)
{
	while (from && (strcmp(from->provider, provider) != 0 || strcmp(from->name, name) != 0))
		from = from->next;
	return from;
}
