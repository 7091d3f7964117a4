/* SPDX-License-Identifier: BSD-2-Clause */
/* The first two fields of a probe description: provider and module. */
#ifndef DPH_D_PROVIDER_H
#define DPH_D_PROVIDER_H

#include "front.h"

/* A row of providers.def. A provider has a row for each form of its descriptions. */
struct d_provider {
	const char *name;
	const char *missing; /* null: there */
};
extern const struct d_provider dph_d_providers[];
extern const size_t dph_d_provider_count;

/* Is there a provider of this name? */
bool dph_d_has_provider(const char *name);

/* The image's name in descriptions. */
const char *dph_d_module_name(struct d_front *d);

#endif
