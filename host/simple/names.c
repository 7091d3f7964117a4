/* SPDX-License-Identifier: BSD-2-Clause */
/* Each program keeps its own files open: settings may change between two insertions. */
#include "names.h"

#include "base/pool.h"
#include "insertion/placed_images.h"

#include <stdlib.h>

static void open_image(struct dph_named *named, struct dp_session *session, const char *elf,
		       const char *sym)
{
	struct dp_messages messages = {0};

	/* The compiler has said what is wrong with a file. */
	dph_images_open(&named->images, elf, sym, &messages);
	dp_messages_free(&messages);
	if (!dph_images_place(&named->images, session, &named->image))
		named->image = NULL;
}

static void close_named(struct dph_named *named)
{
	dp_formats_close(named->formats);
	dp_insertion_free(named->insertion);
	dph_images_close(&named->images);
	*named = (struct dph_named){0};
}

void dph_names_of_target(struct dph_names *names, struct dp_session *session, const char *elf,
			 const char *sym)
{
	close_named(&names->others);
	open_image(&names->others, session, elf, sym);
}

void dph_names_add(struct dph_names *names, struct dp_session *session, uint8_t program,
		   struct dp_insertion *insertion, const char *elf, const char *sym)
{
	struct dph_named *named = dph_malloc(sizeof *named);

	*named = (struct dph_named){.insertion = insertion};
	open_image(named, session, elf, sym);
	named->formats = dp_formats_open(dp_insertion_object(insertion), named->image);
	dph_names_drop(names, program);
	names->own[program] = named;
}

void dph_names_drop(struct dph_names *names, uint8_t program)
{
	if (names->own[program] != NULL)
		close_named(names->own[program]);
	free(names->own[program]);
	names->own[program] = NULL;
}

void dph_names_free(struct dph_names *names)
{
	for (unsigned i = 0; i < DPH_PROGRAMS; i++)
		dph_names_drop(names, (uint8_t)i);
	close_named(&names->others);
}

void dph_names_style(const struct dph_names *names, const struct dp_log_record *record,
		     struct dp_record_style *style)
{
	const struct dph_named *named =
		record->probe != NULL ? names->own[record->probe->program] : NULL;

	style->names = named != NULL ? named->image : names->others.image;
	style->object = named != NULL ? dp_insertion_object(named->insertion) : NULL;
	style->formats = named != NULL ? named->formats : NULL;
	style->program = named != NULL ? record->probe->program : 0;
	style->bare = style->formats != NULL && dp_formats_quiet(style->formats);
}
