/* SPDX-License-Identifier: BSD-2-Clause */
/* A D program names its probes; others have the name of their program. */
#include "label.h"

#include "base/pool.h"

#include <dprobes/formats.h>
#include <dprobes/host.h>

/* A program without names: its name, the number of the probe and the place. */
static char *plain_label(const struct dp_record_view *record)
{
	const struct dp_log_record *r = record->record;
	char room[DP_NAME_ROOM];
	const char *place =
		r->probe != NULL ? dp_image_name(record->names, r->probe->address, room) : NULL;

	if (r->probe == NULL)
		return dph_print("probe %u", r->head.probe);
	return place != NULL ? dph_print("%s(%u) %s", r->probe->name, r->minor, place)
			     : dph_print("%s(%u)", r->probe->name, r->minor);
}

char *dph_label_of(const struct dp_record_view *record, bool whole)
{
	const struct dp_probe_meaning *probe = record->record->probe;
	const char *name = record->formats != NULL && probe != NULL
				   ? dp_formats_probe(record->formats, probe->point, whole)
				   : NULL;

	return name != NULL ? dph_strdup(name) : plain_label(record);
}
