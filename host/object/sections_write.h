/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts that every writer of objects writes: a table of sections, the sections, a checksum. */
#ifndef DPH_SECTIONS_WRITE_H
#define DPH_SECTIONS_WRITE_H

#include "base/pool.h"
#include "dp_object.h"

#include <stddef.h>
#include <stdint.h>

struct dph_section_out {
	enum dp_section kind;
	uint32_t elements;
	struct dph_bytes data;
};

/* Add the travelling part. header: DP_OBJECT_HEADER_BYTES; its length and its number of sections
 * are set here. */
void dph_put_travelling(struct dph_bytes *out, const uint8_t *header,
			const struct dph_section_out *section, size_t count);
/* Add a section table, then the sections, which begin at file offset `at`. */
void dph_put_sections(struct dph_bytes *out, const struct dph_section_out *section, size_t count,
		      size_t at);
/* Add the checksum of the bytes behind `from`. */
void dph_put_crc(struct dph_bytes *out, size_t from);

/* Return the index of the row of TRAITS that is equal; a new row when there is none yet. */
uint8_t dph_traits_row(struct dph_bytes *rows, const uint8_t traits[DP_TRAITS_BYTES]);

#endif
