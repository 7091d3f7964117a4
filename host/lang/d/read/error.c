/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of D, with their tags. */
#define _GNU_SOURCE
#include "front.h"

#include <stdarg.h>
#include <stdlib.h>

static const char *const tags[D_TAGS] = {
#define TAG(name, text) [name] = #name,
#include "tags.def"
};

void dph_d_error(struct d_front *d, enum d_tag tag, struct dph_place place, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = dph_vprint(format, args);
	va_end(args);
	if (d->errtags)
		dph_error(d, place, "[%s] %s", tags[tag], text);
	else
		dph_error(d, place, "%s", text);
	free(text);
}
