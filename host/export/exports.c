/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of exports. The linker leaves an export null when its files were not compiled. */
#include "exports.h"

#define EXPORT(id, name, library, folder)                                                          \
	extern const struct dp_sink_kind dph_export_##name __attribute__((weak));
#include "exports.def"

struct dph_export dph_export_of(enum dph_export_id id)
{
	const struct dph_export rows[] = {
#define EXPORT(id, name, library, folder) {#name, library, folder, &dph_export_##name},
#include "exports.def"
	};

	return rows[id];
}
