/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of the firmware that gdb reads and writes, sums of it, and the ranges of the board. */
#define _GNU_SOURCE
#include "gdb_target.h"

#include "base/pool.h"
#include "gdb/features.h"
#include "symbols/elf_image.h"

#include "dp_crc.h"

#include <stdlib.h>
#include <string.h>

enum {
	SUM_TEXT = 0x4000, /* most bytes of a request for a sum of text: */
	SUM_PIECE = 64,    /* a multiple of these from the begin of the text, */
	SUM_READ = 2048,   /* bytes that are read at a time for a sum */
	WIDTH_MAX = 8,
	TRAP_BYTES = 4 /* at most */
};

/* --- memory ---------------------------------------------------------------------------------- */

/* A register of a device is read in one access. */
static unsigned width_of(const struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes)
{
	const int row = dph_row_of(&firmware->rows, address);
	const bool one = bytes <= WIDTH_MAX && (bytes & (bytes - 1)) == 0 && address % bytes == 0;

	return row != DPH_NO_ROW && firmware->rows.row[row].access & DP_ACCESS_DEVICE && one
		       ? (unsigned)bytes
		       : 0;
}

static size_t read_as_is(void *context, uint64_t address, uint8_t *data, size_t bytes,
			 struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;
	struct dp_read_place place = {.address = address, .bytes = bytes, .data = data};

	snprintf(why->text, sizeof why->text, "the target does not let 0x%llx be read",
		 (unsigned long long)address);
	if (dp_session_read(firmware->session, &place, 1, width_of(firmware, address, bytes), NULL))
		return place.have;
	dph_gdb_failed(firmware, why);
	return 0;
}

static bool is_code(const struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes)
{
	return firmware->names != NULL &&
	       dph_image_executable_within(firmware->names, address, bytes);
}

/* Why nothing may be written there; null: it may. */
static const char *no_write(const struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes)
{
	const struct dp_hello_answer *hello = dp_session_target(firmware->session);

	if (hello->profile == 0)
		return "the agent only reads: build the firmware with "
		       "DP_PROFILE=DP_PROFILE_FULL to let gdb write";
	if (!firmware->cli->write)
		return "dprobes gdb writes nothing without the option --write";
	if (!(hello->rights & DP_RIGHT_WRITE))
		return "the agent gives this session no right to change the firmware";
	if (is_code(firmware, address, bytes))
		return "the code of a firmware is not written: no 'load' here";
	return NULL;
}

/* Lay the bytes of the ELF file over those of [address, address + bytes) that a trap at `place` may
 * have changed. */
static void lay_place(const struct dph_gdb_firmware *firmware, uint64_t place, uint64_t address,
		      uint8_t *data, size_t bytes)
{
	for (unsigned i = 0; i < TRAP_BYTES; i++) {
		const uint64_t at = place + i - address;

		if (at < bytes)
			dp_image_read(firmware->names, place + i, data + at, 1);
	}
}

/* A trap of a breakpoint is no code of the firmware. */
static void lay_code(const struct dph_gdb_firmware *firmware, uint64_t address, uint8_t *data,
		     size_t bytes)
{
	static const char key[] = "address = ";
	const char *at = firmware->stops.installed ? firmware->stops.text : NULL;

	if (firmware->names == NULL || at == NULL)
		return;
	while ((at = strstr(at, key)) != NULL) {
		uint64_t place;

		at += strlen(key);
		place = strtoull(at, NULL, 0);
		if (is_code(firmware, place, 1)) /* else a watchpoint is there */
			lay_place(firmware, place, address, data, bytes);
	}
}

size_t dph_gdb_read_target(void *context, uint64_t address, uint8_t *data, size_t bytes,
			   struct dph_gdb_why *why)
{
	const struct dph_gdb_firmware *firmware = context;
	const size_t have = read_as_is(context, address, data, bytes, why);

	if (have > 0)
		lay_code(firmware, address, data, have);
	return have;
}

bool dph_gdb_write_target(void *context, uint64_t address, const uint8_t *data, size_t bytes,
			  struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;
	const char *no = no_write(firmware, address, bytes);
	size_t stored;

	if (no != NULL) {
		snprintf(why->text, sizeof why->text, "%s", no);
		return false;
	}
	for (size_t at = 0; at < bytes; at += stored) {
		const size_t now = bytes - at < DP_STORE_MAX ? bytes - at : DP_STORE_MAX;

		if (!dp_session_store(firmware->session, address + at, data + at, now, &stored)) {
			dph_gdb_failed(firmware, why);
			return false;
		}
		if (stored < now) {
			snprintf(why->text, sizeof why->text,
				 "the target does not let 0x%llx be written",
				 (unsigned long long)address + at + stored);
			return false;
		}
	}
	return true;
}

/* --- sums ------------------------------------------------------------------------------------ */

/* How many bytes from the address on the agent gives a sum of; 0: none. */
static size_t text_bytes(const struct dph_gdb_firmware *firmware, uint64_t address, uint64_t bytes)
{
	const uint64_t at = address - firmware->image.base, all = firmware->image.bytes;

	if (firmware->names == NULL || at >= all || at % SUM_PIECE != 0)
		return 0;
	bytes = bytes < SUM_TEXT ? bytes : SUM_TEXT;
	bytes = bytes < all - at ? bytes : all - at;
	return (size_t)(bytes == all - at ? bytes : bytes - bytes % SUM_PIECE);
}

/* How many bytes to read before the agent may give a sum. */
static size_t other_bytes(const struct dph_gdb_firmware *firmware, uint64_t address)
{
	const uint64_t at = address - firmware->image.base;

	if (at < firmware->image.bytes)
		return SUM_PIECE - (size_t)(at % SUM_PIECE);
	return address < firmware->image.base && firmware->image.base - address < SUM_READ
		       ? (size_t)(firmware->image.base - address)
		       : SUM_READ;
}

/* Sum text that is the ELF file's: the agent compares, by a sum of another kind, and the bytes come
 * from the file. Returns false: the text differs, or the agent does not tell. */
static bool sum_text(struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes,
		     uint32_t *sum)
{
	uint8_t *data = dph_malloc(bytes);
	uint32_t crc;
	const bool same =
		dp_image_read(firmware->names, address, data, bytes) &&
		dp_session_text(firmware->session, address, (uint32_t)bytes, true, &crc, NULL) &&
		crc == dp_crc32(0, data, bytes);

	if (same)
		*sum = dph_gdb_sum(*sum, data, bytes);
	free(data);
	return same;
}

static bool sum_memory(struct dph_gdb_firmware *firmware, uint64_t address, size_t bytes,
		       uint32_t *sum, struct dph_gdb_why *why)
{
	uint8_t data[SUM_READ];

	for (size_t now; bytes > 0; address += now, bytes -= now) {
		now = bytes < sizeof data ? bytes : sizeof data;
		if (dph_gdb_read_target(firmware, address, data, now, why) < now)
			return false;
		*sum = dph_gdb_sum(*sum, data, now);
	}
	return true;
}

/* The end of the memory around an address that can be read at once; the address: there is none. */
static uint64_t end_of_memory(const struct dph_gdb_firmware *firmware, uint64_t address)
{
	if (address - firmware->image.base < firmware->image.bytes)
		return firmware->image.base + firmware->image.bytes;
	for (size_t i = 0; i < firmware->range_count; i++)
		if (address - firmware->ranges[i].start < firmware->ranges[i].bytes)
			return firmware->ranges[i].start + firmware->ranges[i].bytes;
	return address;
}

/* Has the board's table all of these bytes? An agent that tells no rows has the bound of its
 * addresses alone. */
static bool has_memory(const struct dph_gdb_firmware *firmware, uint64_t address, uint64_t bytes)
{
	const uint64_t last =
		firmware->target.word_bytes == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;

	if (bytes > 0 && bytes - 1 > last - address)
		return false;
	while (bytes > 0 && firmware->range_count > 0) {
		const uint64_t now = end_of_memory(firmware, address) - address;

		if (now == 0)
			return false;
		if (now >= bytes)
			break;
		address += now;
		bytes -= now;
	}
	return true;
}

static bool is_left(struct dph_gdb_firmware *firmware)
{
	return dph_interrupted || dph_gdb_is_left(firmware);
}

bool dph_gdb_sum_target(void *context, uint64_t address, uint64_t bytes, uint32_t *result,
			struct dph_gdb_why *why)
{
	struct dph_gdb_firmware *firmware = context;

	if (!has_memory(firmware, address, bytes)) {
		snprintf(why->text, sizeof why->text,
			 "the board's table does not have 0x%llx bytes from 0x%llx on",
			 (unsigned long long)bytes, (unsigned long long)address);
		return false;
	}
	*result = DPH_GDB_SUM_BEGIN;
	for (size_t now; bytes > 0; address += now, bytes -= now) {
		if (is_left(firmware)) {
			snprintf(why->text, sizeof why->text, "the sum was left at 0x%llx",
				 (unsigned long long)address);
			return false;
		}
		now = text_bytes(firmware, address, bytes);
		if (now > 0 && sum_text(firmware, address, now, result))
			continue;
		if (now == 0)
			now = other_bytes(firmware, address);
		now = now < bytes ? now : (size_t)bytes;
		if (!sum_memory(firmware, address, now, result, why))
			return false;
	}
	return true;
}

/* --- ranges ---------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void add_range(struct dph_gdb_firmware *firmware, uint64_t start, uint64_t end, bool writes)
{
	struct dph_gdb_range *last = &firmware->ranges[firmware->range_count] - 1;

	if (firmware->range_count > 0 && last->start + last->bytes == start &&
	    last->writes == writes)
		last->bytes += end - start;
	else
		firmware->ranges[firmware->range_count++] =
			(struct dph_gdb_range){start, end - start, writes};
}

void dph_gdb_know_ranges(struct dph_gdb_firmware *firmware)
{
	const struct dph_rows *rows = &firmware->rows;
	uint64_t edges[DPH_GDB_RANGES_MAX] = {0};
	size_t count = 0;

	for (unsigned i = 0; i < rows->count && !rows->cut; i++) {
		edges[count++] = rows->row[i].start;
		edges[count++] = rows->row[i].start + rows->row[i].bytes;
	}
	qsort(edges, count, sizeof edges[0], compare);
	for (size_t i = 0; i + 1 < count; i++) {
		const int row = dph_row_of(rows, edges[i]);

		if (edges[i] < edges[i + 1] && row != DPH_NO_ROW &&
		    rows->row[row].access & DP_ACCESS_READ)
			add_range(firmware, edges[i], edges[i + 1],
				  rows->row[row].access & DP_ACCESS_WRITE);
	}
}

size_t dph_gdb_ranges(void *context, const struct dph_gdb_range **found)
{
	const struct dph_gdb_firmware *firmware = context;

	*found = firmware->ranges;
	return firmware->range_count;
}
