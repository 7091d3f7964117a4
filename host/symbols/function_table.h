/* SPDX-License-Identifier: BSD-2-Clause */
/* The writer of the table of functions: where the code of an ELF file changes. dp_functions.h */
#ifndef DPH_FUNCTION_TABLE_H
#define DPH_FUNCTION_TABLE_H

#include <dprobes/host.h>

struct dph_function_table {
	uint8_t *bytes; /* header and entries, then zeros up to `count` */
	size_t count;   /* of the section that the image reserves */
	size_t used;    /* of header and entries */
	uint32_t entries;
};

/* Make the table of the image. free(table->bytes) frees the table.
 * On failure: false, with an error in messages: no ELF file of a known CPU, no code, no section for
 * the table, or a section that is too small. */
bool dph_function_table(const struct dp_image *image, struct dph_function_table *table,
			struct dp_messages *messages);

#endif
