/* SPDX-License-Identifier: BSD-2-Clause */
/* Points that no target can probe: a glob leaves them out. */
#define _GNU_SOURCE
#include "point.h"

#include "symbols/point_refused.h"
#include "tables/isas.h"

static const struct dph_isa *isa_of(const struct d_front *d, const struct d_point *point)
{
	const struct dp_symbol *function = dp_image_function(d->image, point->address);
	if (point->symbolic)
		return dph_isa_numbered(d->cpu, point->isa);
	return function ? dph_isa_numbered(d->cpu, function->isa) : dph_isa_usual(d->cpu);
}

const char *dph_d_point_refused(struct d_front *d, const struct d_point *point)
{
	struct dp_image_info info;
	const char *sentence, *reason;
	if (dph_d_is_anywhere(point) || !d->image || !d->cpu)
		return NULL;
	dp_image_info(d->image, &info);
	const struct dph_isa *isa = info.elf ? isa_of(d, point) : NULL;
	if (!isa || !dph_point_refusal(d->image, isa, point->address, &sentence, &reason))
		return NULL;
	return *reason ? dph_pool_print(d->pool, "%s: %s", sentence, reason) : sentence;
}

struct d_point *dph_d_leave_out(struct d_front *d, const struct d_description *description,
				struct d_point *points)
{
	size_t all = 0, out = 0;
	const char *first = NULL;
	struct d_point *last = NULL;
	for (struct d_point **at = &points; *at; all++) {
		const char *why = (*at)->optional ? dph_d_point_refused(d, *at) : NULL;
		if (!why) {
			at = &(*at)->next;
			continue;
		}
		if (!out++) {
			first = why;
			last = *at;
		}
		*at = (*at)->next;
	}
	if (out == all && last) { /* nothing is left: the point says why */
		dph_d_error(d, D_PDESC_ZERO, description->place,
			    "'%s' matches %zu probe point(s), and none can be probed; %s: %s",
			    description->text, all, last->part[DPH_PROBE_FUNCTION], first);
		return NULL;
	}
	if (out)
		dph_warning(d, description->place,
			    "'%s' matches %zu probe points, and %zu cannot be probed: they are "
			    "left out; 'dprobes -l %s -v' says which and why",
			    description->text, all, out, description->text);
	return points;
}
