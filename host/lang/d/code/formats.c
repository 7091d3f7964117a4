/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts and arrays that code names by number. */
#define _GNU_SOURCE
#include "formats.h"

#include <stdlib.h>
#include <string.h>

uint32_t dph_d_text_number(struct d_front *d, const char *text)
{
	struct d_format_table *f = d->formats;
	if (!f->text_count && *text)
		dph_d_text_number(d, ""); /* 0: of a variable that was never assigned to */
	for (size_t i = 0; i < f->text_count; i++)
		if (strcmp(f->texts[i], text) == 0)
			return (uint32_t)i;
	f->texts = dph_grow(f->texts, &f->text_capacity, f->text_count, sizeof(*f->texts));
	f->texts[f->text_count] = text;
	return (uint32_t)f->text_count++;
}

void dph_d_name_array(struct d_front *d, const char *name, unsigned map)
{
	struct d_format_table *f = d->formats;
	f->arrays = dph_grow(f->arrays, &f->array_capacity, f->array_count, sizeof(*f->arrays));
	f->arrays[f->array_count++] = (struct dph_format_array){.name = name, .map = map};
}

void dph_d_formats_free(struct d_format_table *formats)
{
	free(formats->types);
	free(formats->origins);
	free(formats->layouts);
	free(formats->points);
	free(formats->places);
	free(formats->texts);
	free(formats->aggregations);
	free(formats->arrays);
}
