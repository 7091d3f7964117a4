/* SPDX-License-Identifier: BSD-2-Clause */
/* The identity of an image: its build-id, else the CRC of the text that the agent takes the CRC of
 * (agent/sites/identity.c). The target says where that text is. Without a target, a firmware's
 * linker script names the text as the guide says; a module has one segment with code. */
#include <string.h>

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_object.h"
#include "elf_image.h"
#include "image_parts.h"

static bool find_symbol(const struct dp_image *image, const char *name, uint64_t *address)
{
	const struct dp_symbol *symbols;
	const size_t count = dp_image_symbols(image, &symbols);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(symbols[i].name, name) == 0) {
			*address = symbols[i].value;
			return true;
		}
	}
	return false;
}

void dph_image_text(struct dp_image *image, uint64_t first, uint64_t bytes)
{
	image->text = first - image->moved;
	image->text_bytes = bytes;
}

/* Returns false when the file has no code. */
static bool find_text(const struct dp_image *image, uint64_t *first, uint64_t *bytes)
{
	uint64_t end;

	*first = image->text + image->moved;
	*bytes = image->text_bytes;
	if (*bytes > 0)
		return true;
	if (!find_symbol(image, "__text_start", first) || !find_symbol(image, "__text_end", &end) ||
	    end <= *first)
		return dph_image_first_code(image, first, bytes);
	*bytes = end - *first;
	return true;
}

/* The CRC of the bytes of the file from first up to end; false: the file has not all of them. */
static bool crc_of(const struct dp_image *image, uint64_t first, uint64_t end, uint32_t *crc)
{
	uint8_t bytes[256];

	*crc = 0;
	while (first < end) {
		const size_t count =
			end - first < sizeof bytes ? (size_t)(end - first) : sizeof bytes;

		if (!dp_image_read(image, first, bytes, count))
			return false;
		*crc = dp_crc32(*crc, bytes, count);
		first += count;
	}
	return true;
}

unsigned dph_image_identity(const struct dp_image *image, uint8_t *id)
{
	struct dp_image_info info;
	uint64_t first, bytes;
	uint32_t crc;

	memset(id, 0, DP_IDENTITY_BYTES);
	dp_image_info(image, &info);
	if (info.build_id_bytes > 0) {
		memcpy(id, info.build_id, info.build_id_bytes);
		return DP_IDENTITY_BUILD_ID;
	}
	if (!find_text(image, &first, &bytes) || bytes > UINT32_MAX ||
	    !crc_of(image, first, first + bytes, &crc))
		return DP_IDENTITY_NONE;
	dp_put_u32(id, crc);
	dp_put_u32(id + 4, (uint32_t)bytes);
	return DP_IDENTITY_TEXT_CRC;
}

bool dph_image_is_other(const struct dp_image *image, unsigned identity, const uint8_t *id,
			size_t bytes)
{
	uint8_t own[DP_IDENTITY_BYTES];
	const unsigned kind = dph_image_identity(image, own);

	return kind != DP_IDENTITY_NONE && kind == identity && bytes <= sizeof own &&
	       memcmp(own, id, bytes) != 0;
}
