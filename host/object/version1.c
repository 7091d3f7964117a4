/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of version 1. A probe point had its own row of 56 bytes, and an object had no section
 * TRAITS. All other sections are the same. No byte is trusted. */
#include "version1.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_object.h"
#include "sections_write.h"

#include <stdlib.h>
#include <string.h>

enum {
	VERSION = 1,
	POINT_BYTES = 56,
	SECTIONS_MIN = 4,
	TABLE = DP_OBJECT_HEADER_BYTES,
	/* A probe point. The fields that are not named here stand where TRAITS has them. */
	MODULE = 4,
	GROUP = 6,
	TYPE = 8,
	MINOR = 10,
	EXCPT_MASK = 12,
	INSN_BYTES = 14,
	RESERVED = 15,
	HIGH = 16,
	ADDRESS = 20,
	LENGTH = 24,
	BEFORE = 28,
	EXTENT = 32,
	OPCODE = 36,
	IGNORE = 40,
	MAXHITS = 44,
	ENTRY = 48,
	RESERVED2 = 52,
};
_Static_assert(DP_TR_KIND == 0 && DP_TR_PHASE == 1 && DP_TR_ISA == 2 && DP_TR_FLAGS == 3,
	       "the first four bytes of a point of version 1 begin its traits");

/* Its sections in their order; a table had the first four, or all. */
static const struct section {
	enum dp_section kind; /* in this version */
	uint32_t bytes, max;
} sections[] = {
	{DP_SECTION_MODULES, DP_MODULE_BYTES, 8},
	{DP_SECTION_PROBES, POINT_BYTES, 240},
	{DP_SECTION_CODE, 1, 65535},
	{DP_SECTION_STRINGS, 1, 65535},
	{DP_SECTION_MAPS, DP_MAP_BYTES, 32},
};
enum {
	SECTIONS_MAX = sizeof(sections) / sizeof(*sections)
};

bool dph_is_version1(const uint8_t *data, size_t bytes)
{
	return bytes > DP_OBJ_VERSION && memcmp(data, DP_OBJECT_MAGIC, 4) == 0 &&
	       data[DP_OBJ_VERSION] == VERSION;
}

/* --- the frame ----------------------------------------------------------------------------- */

static enum dp_err check_frame(const uint8_t *data, size_t travelling)
{
	const size_t smallest = TABLE + SECTIONS_MIN * DP_OBJECT_ENTRY_BYTES + DP_OBJECT_CRC_BYTES;
	if (travelling < smallest || dp_get_u32(data + DP_OBJ_BYTES) > travelling)
		return DP_ERR_TRUNCATED;
	if (dp_get_u32(data + DP_OBJ_BYTES) < travelling)
		return DP_ERR_TRAILING;
	const size_t end = travelling - DP_OBJECT_CRC_BYTES;
	return dp_get_u32(data + end) == dp_crc32(0, data, end) ? DP_ERR_OK : DP_ERR_BAD_CRC;
}

/* The entry of section i: is all of it in the object? */
static enum dp_err check_entry(const uint8_t *data, size_t travelling, unsigned i)
{
	const uint8_t *entry = data + TABLE + i * DP_OBJECT_ENTRY_BYTES;
	const uint64_t count = dp_get_u32(entry + 4), offset = dp_get_u32(entry + 8);
	if (dp_get_u32(entry) != (i + 1) << 24)
		return DP_ERR_RESERVED;
	if (count > sections[i].max)
		return DP_ERR_COUNT_OVERFLOW;
	return offset + count * sections[i].bytes > travelling - DP_OBJECT_CRC_BYTES
		       ? DP_ERR_BAD_SECTION
		       : DP_ERR_OK;
}

static enum dp_err check_table(const uint8_t *data, size_t travelling)
{
	const unsigned count = data[DP_OBJ_SECTIONS];
	enum dp_err error = DP_ERR_OK;
	if (count != SECTIONS_MIN && count != SECTIONS_MAX)
		return DP_ERR_RESERVED;
	if (travelling < TABLE + count * DP_OBJECT_ENTRY_BYTES + DP_OBJECT_CRC_BYTES)
		return DP_ERR_TRUNCATED;
	for (unsigned i = 0; i < count && error == DP_ERR_OK; i++)
		error = check_entry(data, travelling, i);
	return error;
}

/* --- the points ---------------------------------------------------------------------------- */

static void put_traits(uint8_t t[DP_TRAITS_BYTES], const uint8_t *old)
{
	memcpy(t, old, 4);
	t[DP_TR_MODULE] = (uint8_t)dp_get_u16(old + MODULE);
	t[DP_TR_LENGTH] = (uint8_t)dp_get_u32(old + LENGTH);
	memcpy(t + DP_TR_EXCPT_MASK, old + EXCPT_MASK, 2);
	memcpy(t + DP_TR_GROUP, old + GROUP, 2);
	memcpy(t + DP_TR_TYPE, old + TYPE, 2);
	memcpy(t + DP_TR_HIGH, old + HIGH, 4);
	memcpy(t + DP_TR_IGNORE, old + IGNORE, 4);
	memcpy(t + DP_TR_MAXHITS, old + MAXHITS, 4);
}

static enum dp_err put_point(struct dph_bytes *points, struct dph_bytes *traits, const uint8_t *old)
{
	uint8_t t[DP_TRAITS_BYTES] = {0}, e[DP_PROBE_BYTES] = {0};
	if (dp_get_u16(old + MODULE) > UINT8_MAX || dp_get_u32(old + LENGTH) > UINT8_MAX ||
	    old[RESERVED] != 0 || dp_get_u32(old + RESERVED2) != 0)
		return DP_ERR_BAD_FIELD;
	put_traits(t, old);
	e[DP_PT_TRAITS] = dph_traits_row(traits, t);
	e[DP_PT_INSN_BYTES] = old[INSN_BYTES];
	memcpy(e + DP_PT_MINOR, old + MINOR, 2);
	memcpy(e + DP_PT_ADDRESS, old + ADDRESS, 4);
	memcpy(e + DP_PT_BEFORE, old + BEFORE, 4);
	memcpy(e + DP_PT_EXTENT, old + EXTENT, 4);
	memcpy(e + DP_PT_OPCODE, old + OPCODE, 4);
	memcpy(e + DP_PT_ENTRY, old + ENTRY, 4);
	dph_bytes_add(points, e, sizeof(e));
	return DP_ERR_OK;
}

/* --- all of it ----------------------------------------------------------------------------- */

struct writer {
	struct dph_section_out section[SECTIONS_MAX + 1];
	size_t count;
};

static struct dph_section_out *add_section(struct writer *w, enum dp_section kind,
					   uint32_t elements)
{
	w->section[w->count] = (struct dph_section_out){.kind = kind, .elements = elements};
	return &w->section[w->count++];
}

static enum dp_err add_points(struct writer *w, const uint8_t *old, uint32_t count)
{
	struct dph_section_out *traits = add_section(w, DP_SECTION_TRAITS, 0);
	struct dph_section_out *points = add_section(w, DP_SECTION_PROBES, count);
	enum dp_err error = DP_ERR_OK;
	for (uint32_t i = 0; i < count && error == DP_ERR_OK; i++)
		error = put_point(&points->data, &traits->data, old + (size_t)i * POINT_BYTES);
	traits->elements = (uint32_t)(traits->data.count / DP_TRAITS_BYTES);
	return error;
}

static enum dp_err add_sections(struct writer *w, const uint8_t *data)
{
	const uint8_t *entry = data + TABLE;
	enum dp_err error = DP_ERR_OK;
	for (unsigned i = 0; i < data[DP_OBJ_SECTIONS] && error == DP_ERR_OK; i++) {
		const uint32_t count = dp_get_u32(entry + 4);
		const uint8_t *old = data + dp_get_u32(entry + 8);
		if (sections[i].kind == DP_SECTION_PROBES)
			error = add_points(w, old, count);
		else
			dph_bytes_add(&add_section(w, sections[i].kind, count)->data, old,
				      (size_t)count * sections[i].bytes);
		entry += DP_OBJECT_ENTRY_BYTES;
	}
	return error;
}

/* The host part behind a travelling part of another length: its table has offsets in the file. A
 * damaged one stays as it is, for the reader to refuse. */
static void add_host_part(struct dph_bytes *out, const uint8_t *host, size_t bytes, uint32_t moved)
{
	const size_t start = out->count;
	dph_bytes_add(out, host, bytes);
	if (bytes < DP_HOST_HEADER_BYTES + DP_OBJECT_CRC_BYTES ||
	    dp_get_u32(host + bytes - DP_OBJECT_CRC_BYTES) !=
		    dp_crc32(0, host, bytes - DP_OBJECT_CRC_BYTES) ||
	    DP_HOST_HEADER_BYTES + (size_t)host[8] * DP_OBJECT_ENTRY_BYTES >
		    bytes - DP_OBJECT_CRC_BYTES)
		return;
	uint8_t *entry = out->data + start + DP_HOST_HEADER_BYTES;
	for (unsigned i = 0; i < host[8]; i++, entry += DP_OBJECT_ENTRY_BYTES)
		dp_put_u32(entry + 8, dp_get_u32(entry + 8) + moved);
	out->count -= DP_OBJECT_CRC_BYTES;
	dph_put_crc(out, start);
}

enum dp_err dph_from_version1(const uint8_t *data, size_t bytes, size_t travelling,
			      struct dph_bytes *out)
{
	struct writer w = {0};
	uint8_t header[DP_OBJECT_HEADER_BYTES];
	enum dp_err error = check_frame(data, travelling);
	if (error == DP_ERR_OK)
		error = check_table(data, travelling);
	if (error == DP_ERR_OK)
		error = add_sections(&w, data);
	if (error == DP_ERR_OK) {
		memcpy(header, data, sizeof(header));
		header[DP_OBJ_VERSION] = DP_OBJECT_VERSION;
		dph_put_travelling(out, header, w.section, w.count);
		add_host_part(out, data + travelling, bytes - travelling,
			      (uint32_t)(out->count - travelling));
	}
	for (size_t i = 0; i < w.count; i++)
		free(w.section[i].data.data);
	return error;
}
