/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs that an image carries: protocol/dp_embed.h. */
#ifndef DPH_SYMBOLS_EMBEDDED_H
#define DPH_SYMBOLS_EMBEDDED_H

#include "base/pool.h"

#include <dprobes/host.h>

/* Start with all zero. */
struct dph_embedded {
	uint8_t items; /* of the records of each program */
	bool flight;   /* records go to the flight recorder */
	struct dph_bytes programs;
	unsigned count;
	size_t used, room; /* bytes of the section */
	char *file;        /* the image with the programs */
	size_t file_bytes;
};

/* Add a verified object: its travelling part. */
void dph_embedded_add(struct dph_embedded *embedded, const void *object, uint32_t bytes);
/* Make the image with the programs from the ELF file, of which no other byte changes. Returns false
 * when the file reserves no room, or too little, or is told from others by these bytes; messages
 * has the reason. */
bool dph_embedded_fill(struct dph_embedded *embedded, const char *elf,
		       struct dp_messages *messages);
void dph_embedded_free(struct dph_embedded *embedded);

#endif
