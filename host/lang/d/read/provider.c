/* SPDX-License-Identifier: BSD-2-Clause */
/* Providers, and the module of the firmware. */
#define _GNU_SOURCE
#include "provider.h"

#include "symbols/elf_image.h"

#include <string.h>

const struct d_provider dph_d_providers[] = {
#define PROVIDER(name, missing, form, fires) {#name, missing},
#include "providers.def"
};
const size_t dph_d_provider_count = sizeof(dph_d_providers) / sizeof(*dph_d_providers);

bool dph_d_has_provider(const char *name)
{
	for (size_t i = 0; i < dph_d_provider_count; i++)
		if (!dph_d_providers[i].missing && strcmp(dph_d_providers[i].name, name) == 0)
			return true;
	return false;
}

const char *dph_d_module_name(struct d_front *d)
{
	size_t bytes;
	if (!d->image)
		return "firmware";
	const char *name = dph_image_module(d->image, &bytes);
	return dph_pool_copy(d->pool, name, bytes);
}
