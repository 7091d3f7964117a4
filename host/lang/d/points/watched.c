/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptions of the provider `watch`: watch::VARIABLE:KIND, watch::ADDRESS,BYTES:KIND. */
#define _GNU_SOURCE
#include "point.h"

#include "dp_object.h"

#include <string.h>

/* The kind of watchpoint by its name; BREAK: there is none of this name. */
static unsigned kind_named(const char *name)
{
	static const struct {
		const char *name;
		unsigned kind;
	} kinds[] = {
#define DP_POINT_KIND(number, name, text, sentence) {text, number},
#include "point_kinds.def"
	};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (*name && strcmp(kinds[i].name, name) == 0)
			return kinds[i].kind;
	return DP_PROBE_BREAK;
}

bool dph_d_is_watch(const char *text)
{
	return strncmp(text, "watch:", 6) == 0;
}

const struct d_watched *dph_d_watched(struct d_front *d, const char *text, struct dph_place place)
{
	const char *last = strrchr(text, ':'), *second = strchr(strchr(text, ':') + 1, ':');
	struct d_watched *watched = dph_pool_take(d->pool, sizeof(*watched));
	if (!second || second >= last - 1) {
		dph_d_error(d, D_PDESC_INVAL, place,
			    "'%s' names nothing to watch; write watch::VARIABLE:w or "
			    "watch::ADDRESS,BYTES:w",
			    text);
		return NULL;
	}
	*watched = (struct d_watched){
		.name = last + 1,
		.text = dph_pool_copy(d->pool, second + 1, (size_t)(last - second - 1)),
		.kind = kind_named(last + 1),
	};
	if (watched->kind == DP_PROBE_BREAK) {
		dph_d_error(
			d, D_PDESC_INVAL, place,
			"'%s' is no kind of watchpoint; use w (writes), rw (reads and writes), r "
			"(reads), x (execution) or io (ports)",
			watched->name);
		return NULL;
	}
	return d->read_watched(d, place, watched) ? watched : NULL;
}
