/* SPDX-License-Identifier: BSD-2-Clause */
/* The section of an ELF file gets the programs. The rest of the file stays, byte by byte: libelf
 * only tells where the section lies. */
#include "embedded.h"

#include "base/diag.h"
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_embed.h"
#include "dp_object.h"
#include "elf_content.h"
#include "elf_image.h"

#include <dprobes/session.h>

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

void dph_embedded_add(struct dph_embedded *embedded, const void *object, uint32_t bytes)
{
	uint8_t head[DP_EMBEDDED_HEAD_BYTES] = {0};

	dp_put_u32(head + DP_EMBEDDED_BYTES, bytes);
	dp_put_u32(head + DP_EMBEDDED_CRC, dp_crc32(0, object, bytes));
	head[DP_EMBEDDED_OPTIONS] = DP_INSERT_FAULTS | (embedded->flight ? DP_INSERT_FLIGHT : 0);
	head[DP_EMBEDDED_ITEMS] = embedded->items;
	dph_bytes_add(&embedded->programs, head, sizeof head);
	dph_bytes_add(&embedded->programs, object, bytes);
	dph_bytes_zero(&embedded->programs, -bytes & 3);
	embedded->count++;
}

void dph_embedded_free(struct dph_embedded *embedded)
{
	free(embedded->programs.data);
	free(embedded->file);
}

/* --- the section --- */

/* Find the bytes of the section in the file. Returns its length; 0: there is none. */
static size_t find_section(Elf *elf, size_t file_bytes, size_t *at)
{
	size_t names;
	GElf_Shdr header;

	if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
		return 0;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
		const char *name;

		if (gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name == NULL || strcmp(name, DP_EMBED_SECTION) != 0 ||
		    header.sh_offset > file_bytes || header.sh_size > file_bytes - header.sh_offset)
			continue;
		*at = header.sh_offset;
		return header.sh_size;
	}
	return 0;
}

/* Copy the file. *at: of the section in it. */
static void take_file(struct dph_embedded *e, const char *path, size_t *at)
{
	struct dph_elf file = {0};

	dph_elf_open(&file, dph_content_open(path));
	if (file.content != NULL) {
		e->room = find_section(file.elf, file.content->bytes, at);
		e->file_bytes = file.content->bytes;
		e->file = dph_malloc(e->file_bytes + 1);
		memcpy(e->file, file.content->data, e->file_bytes);
	}
	dph_elf_close(&file);
}

static void fill(struct dph_embedded *e, size_t at)
{
	uint8_t *section = (uint8_t *)e->file + at;

	memset(section, 0, e->room);
	memcpy(section, DP_EMBED_MAGIC, 4);
	dp_put_u32(section + DP_EMBED_BYTES_AT, (uint32_t)e->used);
	dp_put_u32(section + DP_EMBED_COUNT, e->count);
	memcpy(section + DP_EMBED_HEADER_BYTES, e->programs.data, e->programs.count);
	dp_put_u32(section + DP_EMBED_CRC,
		   dp_crc32(0, section + DP_EMBED_BYTES_AT, e->used - DP_EMBED_BYTES_AT));
}

/* --- the image --- */

/* Is the image told from others by a checksum of the text? The section may lie in the text. */
static bool is_told_by_text(const char *path, struct dp_messages *messages)
{
	struct dp_image *image = dp_image_open(path, messages);
	uint8_t id[DP_IDENTITY_BYTES];
	const bool told = image == NULL || dph_image_identity(image, id) != DP_IDENTITY_BUILD_ID;

	if (told && image != NULL)
		dph_file_error(messages, path,
			       "the firmware has no build-id: its programs would fit any build of "
			       "it; link the firmware with a build-id");
	dp_image_close(image);
	return told;
}

bool dph_embedded_fill(struct dph_embedded *e, const char *path, struct dp_messages *messages)
{
	size_t at = 0;

	if (is_told_by_text(path, messages))
		return false;
	e->used = DP_EMBED_HEADER_BYTES + e->programs.count;
	take_file(e, path, &at);
	if (e->room == 0) {
		dph_file_error(messages, path,
			       "the firmware reserves no section " DP_EMBED_SECTION
			       " for programs, which need %zu bytes; build the agent with "
			       "-DDP_EMBED_BYTES=%zu",
			       e->used, (e->used + 127) / 64 * 64);
		return false;
	}
	if (e->used > e->room) {
		dph_file_error(messages, path,
			       "the programs need %zu bytes, and section " DP_EMBED_SECTION
			       " has %zu; build the agent with -DDP_EMBED_BYTES=%zu",
			       e->used, e->room, (e->used + 127) / 64 * 64);
		return false;
	}
	fill(e, at);
	return true;
}
