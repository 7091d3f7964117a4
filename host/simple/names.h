/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of the simple interface explain a record's numbers: the firmware's image, and the
 * object of each program that the handle inserted. */
#ifndef DPH_SIMPLE_NAMES_H
#define DPH_SIMPLE_NAMES_H

#include "symbols/images.h"
#include <dprobes/host.h>

enum {
	DPH_PROGRAMS = 256,
};

/* The files that name the records of a program. */
struct dph_named {
	struct dp_insertion *insertion; /* owns the object; null: unknown program */
	struct dp_formats *formats;     /* null: the program has none */
	struct dph_images images;
	const struct dp_image *image; /* null: addresses have no names */
};

/* All zero: nothing has a name. */
struct dph_names {
	struct dph_named others; /* programs of other hosts */
	struct dph_named *own[DPH_PROGRAMS];
};

/* Name addresses of programs of other hosts. elf, sym: as dph_images_open; files that do not serve,
 * and files of another firmware, name nothing. */
void dph_names_of_target(struct dph_names *names, struct dp_session *session, const char *elf,
			 const char *sym);
/* Name the records of an inserted program. Takes over the insertion. elf, sym: as above. */
void dph_names_add(struct dph_names *names, struct dp_session *session, uint8_t program,
		   struct dp_insertion *insertion, const char *elf, const char *sym);
/* Forget a program: its index may belong to another one. */
void dph_names_drop(struct dph_names *names, uint8_t program);
void dph_names_free(struct dph_names *names);

/* Set the names, object and formats of a record. */
void dph_names_style(const struct dph_names *names, const struct dp_log_record *record,
		     struct dp_record_style *style);

#endif
