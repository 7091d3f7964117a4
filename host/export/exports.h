/* SPDX-License-Identifier: BSD-2-Clause */
/* Exports write records for other tools: traces of events, and pictures. An export is a kind of
 * sink; the library of an export may be absent at build time. */
#ifndef DPH_EXPORTS_H
#define DPH_EXPORTS_H

#include <dprobes/record_sink.h>

enum dph_export_id {
#define EXPORT(id, name, library, folder) DPH_EXPORT_##id,
#include "exports.def"
	DPH_EXPORTS
};

struct dph_export {
	const char *name;                /* of the option: "ctf" */
	const char *library;             /* that writes it, as Debian names it; null: none */
	bool folder;                     /* the export is a folder, not a file */
	const struct dp_sink_kind *kind; /* null: the tool was built without the library */
};

/* Return the export. */
struct dph_export dph_export_of(enum dph_export_id id);

#endif
