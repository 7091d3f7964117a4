/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads .debug_frame and .eh_frame into a table of functions. */
#include "frame_table.h"

#include "base/sorted.h"

#include <dprobes/host.h>

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

struct dph_frames {
	struct dph_frame_entry *list; /* by rising address */
	size_t count, room;
	bool damaged;
};

/* A section in the reader. */
struct table {
	struct dp_debuginfo *debug;
	const uint8_t *start;
	size_t bytes;
	uint64_t address; /* load address: addresses of .eh_frame count from there */
	bool eh;
};

/* --- addresses ----------------------------------------------------------------------------- */

/* A number in one of the forms that .eh_frame has. */
static uint64_t encoded(const struct table *table, struct dph_reader *reader, unsigned encoding,
			unsigned word_bytes)
{
	uint64_t here = table->address + (uint64_t)(reader->at - table->start), value = 0;
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		value = dph_reader_number(reader, word_bytes);
		break;
	case DW_EH_PE_uleb128:
		value = dph_reader_uleb(reader);
		break;
	case DW_EH_PE_udata2:
		value = dph_reader_number(reader, 2);
		break;
	case DW_EH_PE_udata4:
		value = dph_reader_number(reader, 4);
		break;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		value = dph_reader_number(reader, 8);
		break;
	case DW_EH_PE_sleb128:
		value = (uint64_t)dph_reader_sleb(reader);
		break;
	case DW_EH_PE_sdata2:
		value = (uint64_t)dph_reader_signed(reader, 2);
		break;
	case DW_EH_PE_sdata4:
		value = (uint64_t)dph_reader_signed(reader, 4);
		break;
	default:
		reader->bad = true;
		break;
	}
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		value += here;
	else if (encoding & 0x70)
		reader->bad = true;
	return word_bytes == 4 ? (uint32_t)value : value;
}

/* --- what functions have in common --------------------------------------------------------- */

/* Letters of the augmentation, with its data in `data`. */
static bool augment(const struct table *table, const char *letters, struct dph_reader *data,
		    struct dph_frame_common *common)
{
	for (; *letters; letters++)
		switch (*letters) {
		case 'R':
			common->encoding = (uint8_t)dph_reader_number(data, 1);
			break;
		case 'P': {
			unsigned encoding = (unsigned)dph_reader_number(data, 1);
			encoded(table, data, encoding, common->word_bytes);
			break;
		}
		case 'L':
			dph_reader_skip(data, 1);
			break;
		case 'S':
			common->signal = true;
			break;
		default: /* of another CPU's making: its data has a length */
			return !data->bad;
		}
	return !data->bad;
}

static bool read_common(const struct table *table, struct dph_reader *in,
			struct dph_frame_common *common)
{
	unsigned version = (unsigned)dph_reader_number(in, 1);
	const char *letters = dph_reader_text(in);
	*common = (struct dph_frame_common){.word_bytes = table->debug->word_bytes,
					    .encoding = DW_EH_PE_absptr};
	if ((version != 1 && version != 3 && version != 4) || (*letters && *letters != 'z'))
		return false;
	if (version == 4) {
		common->word_bytes = (unsigned)dph_reader_number(in, 1);
		if (dph_reader_number(in, 1) != 0 ||
		    (common->word_bytes != 4 && common->word_bytes != 8))
			return false;
	}
	common->code_align = dph_reader_uleb(in);
	common->data_align = dph_reader_sleb(in);
	common->return_column =
		(unsigned)(version == 1 ? dph_reader_number(in, 1) : dph_reader_uleb(in));
	if (*letters == 'z') {
		struct dph_reader data = dph_reader_part(in, dph_reader_uleb(in));
		common->has_data = true;
		if (!augment(table, letters + 1, &data, common))
			return false;
	}
	common->code = *in;
	return !in->bad;
}

/* The next record: its contents without the length. False: the end. */
static bool next_record(struct dph_reader *section, struct dph_reader *record, unsigned *width)
{
	if (!dph_reader_more(section))
		return false;
	uint64_t length = dph_reader_number(section, 4);
	*width = 4;
	if (length == UINT32_MAX) {
		length = dph_reader_number(section, 8);
		*width = 8;
	}
	*record = dph_reader_part(section, length);
	return !section->bad;
}

/* Return whether the number behind a record's length means a CIE. */
static bool is_common(const struct table *table, uint64_t id, unsigned width)
{
	return table->eh ? id == 0 : id == (width == 8 ? UINT64_MAX : UINT32_MAX);
}

/* Read the CIE that a record names. */
static bool find_common(const struct table *table, uint64_t offset, struct dph_frame_common *common)
{
	struct dph_reader section =
		dph_reader(table->start, table->bytes, table->debug->big_endian);
	struct dph_reader record;
	unsigned width;
	dph_reader_skip(&section, offset);
	if (section.bad || !next_record(&section, &record, &width))
		return false;
	return is_common(table, dph_reader_number(&record, table->eh ? 4 : width), width) &&
	       read_common(table, &record, common);
}

/* --- the table ----------------------------------------------------------------------------- */

/* Is it the entry of a function that the linker dropped? It has the address 0, where other code may
 * be, and another size than that code. */
static bool is_dropped(const struct dp_debuginfo *debug, const struct dph_frame_entry *entry)
{
	const struct dp_symbol *symbol;
	if (entry->first != dph_running(debug, 0))
		return false;
	symbol = dp_image_function(debug->image, entry->first);
	return !symbol || symbol->value != entry->first ||
	       symbol->bytes != entry->last - entry->first;
}

static bool read_entry(const struct table *table, struct dph_reader record, unsigned width,
		       struct dph_frame_entry *entry)
{
	uint64_t here = (uint64_t)(record.at - table->start);
	uint64_t id = dph_reader_number(&record, table->eh ? 4 : width);
	if (record.bad || is_common(table, id, width) ||
	    !find_common(table, table->eh ? here - id : id, &entry->common))
		return false;
	unsigned word = entry->common.word_bytes;
	entry->first = dph_running_code(table->debug,
					encoded(table, &record, entry->common.encoding, word));
	entry->last = entry->first + encoded(table, &record, entry->common.encoding & 0x0f, word);
	if (entry->common.has_data)
		dph_reader_skip(&record, dph_reader_uleb(&record));
	entry->code = record;
	return !record.bad && entry->first < entry->last &&
	       dph_is_code(table->debug, entry->first) && !is_dropped(table->debug, entry);
}

static void read_section(struct dph_frames *frames, struct dp_debuginfo *debug, const char *name,
			 bool eh)
{
	struct table table = {.debug = debug, .eh = eh};
	struct dph_reader section, record;
	struct dph_frame_entry entry;
	unsigned width;
	table.start = dph_debug_section(&debug->file, name, &table.bytes, &table.address);
	if (!table.start)
		return;
	section = dph_reader(table.start, table.bytes, debug->big_endian);
	while (next_record(&section, &record, &width)) {
		if (!read_entry(&table, record, width, &entry))
			continue;
		frames->list =
			dph_grow(frames->list, &frames->room, frames->count, sizeof(*frames->list));
		frames->list[frames->count++] = entry;
	}
	frames->damaged |= section.bad;
}

static int by_address(const void *a, const void *b)
{
	const struct dph_frame_entry *x = a, *y = b;
	return x->first < y->first ? -1 : x->first > y->first;
}

static struct dph_frames *opened(struct dp_debuginfo *debug)
{
	if (!debug->frames) {
		struct dph_frames *frames = dph_malloc(sizeof(*frames));
		read_section(frames, debug, ".debug_frame", false);
		read_section(frames, debug, ".eh_frame", true);
		if (frames->count)
			qsort(frames->list, frames->count, sizeof(*frames->list), by_address);
		debug->frames = frames;
	}
	return debug->frames;
}

bool dph_frame_entry(struct dp_debuginfo *debug, uint64_t address, struct dph_frame_entry *entry,
		     const char **why)
{
	const struct dph_frames *frames = opened(debug);
	const size_t behind = DPH_FIRST_ABOVE(frames->list, frames->count, struct dph_frame_entry,
					      first, address);
	if (behind && address < frames->list[behind - 1].last) {
		*entry = frames->list[behind - 1];
		return true;
	}
	if (!frames->count && !frames->damaged)
		*why = dph_why(debug,
			       "%s has no call frame information; compile with -g, and keep "
			       ".debug_frame or .eh_frame in the linker script",
			       debug->file.path ? debug->file.path : "this file");
	else if (frames->damaged)
		*why = "the call frame information is damaged";
	else
		*why = dph_why(debug, "no call frame information covers 0x%llx",
			       (unsigned long long)address);
	return false;
}

void dph_frames_free(struct dph_frames *frames)
{
	if (frames)
		free(frames->list);
	free(frames);
}
