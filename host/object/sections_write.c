/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of sections, and sections.  dp_object.h, PROTOCOL.md section 2. */
#include "sections_write.h"

#include "dp_bytes.h"
#include "dp_crc.h"

#include <string.h>

static size_t aligned(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

void dph_put_sections(struct dph_bytes *out, const struct dph_section_out *section, size_t count,
		      size_t at)
{
	for (size_t i = 0; i < count; i++) {
		uint8_t e[DP_OBJECT_ENTRY_BYTES] = {(uint8_t)section[i].kind};
		dp_put_u32(e + 4, section[i].elements);
		dp_put_u32(e + 8, (uint32_t)at);
		dph_bytes_add(out, e, sizeof(e));
		at += aligned(section[i].data.count);
	}
	for (size_t i = 0; i < count; i++) {
		dph_bytes_add(out, section[i].data.data, section[i].data.count);
		dph_bytes_zero(out, aligned(section[i].data.count) - section[i].data.count);
	}
}

void dph_put_crc(struct dph_bytes *out, size_t from)
{
	uint8_t crc[DP_OBJECT_CRC_BYTES];
	dp_put_u32(crc, dp_crc32(0, out->data + from, out->count - from));
	dph_bytes_add(out, crc, sizeof(crc));
}

void dph_put_travelling(struct dph_bytes *out, const uint8_t *header,
			const struct dph_section_out *section, size_t count)
{
	const size_t start = out->count;
	dph_bytes_add(out, header, DP_OBJECT_HEADER_BYTES);
	out->data[start + DP_OBJ_SECTIONS] = (uint8_t)count;
	dph_put_sections(out, section, count,
			 DP_OBJECT_HEADER_BYTES + count * DP_OBJECT_ENTRY_BYTES);
	dp_put_u32(out->data + start + DP_OBJ_BYTES,
		   (uint32_t)(out->count - start) + DP_OBJECT_CRC_BYTES);
	dph_put_crc(out, start);
}

uint8_t dph_traits_row(struct dph_bytes *rows, const uint8_t traits[DP_TRAITS_BYTES])
{
	size_t at = 0;
	while (at < rows->count && memcmp(rows->data + at, traits, DP_TRAITS_BYTES) != 0)
		at += DP_TRAITS_BYTES;
	if (at == rows->count)
		dph_bytes_add(rows, traits, DP_TRAITS_BYTES);
	return (uint8_t)(at / DP_TRAITS_BYTES);
}
