/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader makes checked reads of numbers and texts from bytes of a file. */
#include "reader.h"

#include <string.h>

struct dph_reader dph_reader(const void *bytes, size_t count, bool big)
{
	const uint8_t *at = bytes;
	return (struct dph_reader){.at = at, .end = at ? at + count : at, .big = big};
}

static bool take(struct dph_reader *reader, uint64_t count)
{
	if (!reader->bad && count <= (uint64_t)(reader->end - reader->at))
		return true;
	reader->bad = true;
	reader->at = reader->end;
	return false;
}

struct dph_reader dph_reader_part(struct dph_reader *reader, uint64_t count)
{
	struct dph_reader part = *reader;
	if (!take(reader, count)) {
		part.at = part.end;
		part.bad = true;
		return part;
	}
	part.end = part.at + count;
	reader->at = part.end;
	return part;
}

uint64_t dph_reader_number(struct dph_reader *reader, unsigned bytes)
{
	uint64_t value = 0;
	if (!take(reader, bytes))
		return 0;
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)reader->at[i] << 8 * (reader->big ? bytes - 1 - i : i);
	reader->at += bytes;
	return value;
}

int64_t dph_reader_signed(struct dph_reader *reader, unsigned bytes)
{
	uint64_t value = dph_reader_number(reader, bytes);
	uint64_t sign = bytes && bytes < 8 ? (uint64_t)1 << (8 * bytes - 1) : 0;
	return (int64_t)((value ^ sign) - sign);
}

/* The bits of a LEB128 number; *shift: how many they are, *last: its last byte. */
static uint64_t leb(struct dph_reader *reader, unsigned *shift, uint8_t *last)
{
	uint64_t value = 0;
	*shift = 0;
	do {
		*last = (uint8_t)dph_reader_number(reader, 1);
		if (*shift < 64)
			value |= (uint64_t)(*last & 0x7f) << *shift;
		*shift += *shift < 64 ? 7 : 0;
	} while ((*last & 0x80) && !reader->bad);
	return value;
}

uint64_t dph_reader_uleb(struct dph_reader *reader)
{
	unsigned shift;
	uint8_t last;
	return leb(reader, &shift, &last);
}

int64_t dph_reader_sleb(struct dph_reader *reader)
{
	unsigned shift;
	uint8_t last;
	uint64_t value = leb(reader, &shift, &last);
	if ((last & 0x40) && shift < 64)
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

const char *dph_reader_text(struct dph_reader *reader)
{
	size_t room = (size_t)(reader->end - reader->at);
	const char *text = (const char *)reader->at;
	const uint8_t *nul = room ? memchr(reader->at, 0, room) : NULL;
	if (!nul) {
		take(reader, UINT64_MAX);
		return "";
	}
	reader->at = nul + 1;
	return text;
}

void dph_reader_skip(struct dph_reader *reader, uint64_t count)
{
	if (take(reader, count))
		reader->at += count;
}

bool dph_reader_more(const struct dph_reader *reader)
{
	return !reader->bad && reader->at < reader->end;
}
