/* SPDX-License-Identifier: BSD-2-Clause */
/* Collect the addresses of the check of the ranges from the board's rows and the firmware's
 * symbols.
 */
#include "doctor_addresses.h"

#include <string.h>

enum {
	WORD = 4
};

struct span {
	uint64_t first, last;
	bool any;
};

/* --- the board's rows --- */

bool dph_rows_read(struct dph_rows *rows, struct dp_session *session)
{
	unsigned there = 1;

	rows->count = 0;
	rows->cut = false;
	if (!(dp_hello_parts(dp_session_target(session)) >> DP_PART_RANGES & 1))
		return true;
	for (unsigned i = 0; i < there && i < DPH_DOCTOR_ROWS; i++) {
		if (!dp_session_range(session, (uint8_t)i, &rows->row[i]))
			return false;
		there = rows->row[i].rows;
		rows->count++;
	}
	rows->cut = rows->count > 0 && rows->count < there;
	return true;
}

int dph_row_of(const struct dph_rows *rows, uint64_t address)
{
	for (unsigned i = 0; i < rows->count; i++)
		if (address - rows->row[i].start < rows->row[i].bytes)
			return (int)i;
	return DPH_NO_ROW;
}

bool dph_rows_hole(const struct dph_rows *rows, uint64_t *address)
{
	for (unsigned i = 0; !rows->cut && i < rows->count; i++) {
		*address = (rows->row[i].start + rows->row[i].bytes + WORD - 1) &
			   ~(uint64_t)(WORD - 1) & UINT32_MAX;
		if (dph_row_of(rows, *address) == DPH_NO_ROW &&
		    dph_row_of(rows, *address + WORD - 1) == DPH_NO_ROW)
			return true;
	}
	return false;
}

/* May programs read the address, as far as the rows say? */
static bool is_readable(const struct dph_rows *rows, uint64_t address)
{
	const int row = dph_row_of(rows, address);

	return row != DPH_NO_ROW && (rows->row[row].access & DP_ACCESS_READ) &&
	       !(rows->row[row].access & DP_ACCESS_DEVICE);
}

/* --- the firmware's symbols --- */

static void take(struct span *span, const struct dp_symbol *symbol)
{
	const uint64_t first = symbol->value & ~(uint64_t)(WORD - 1);
	const uint64_t behind = symbol->value + (symbol->bytes > WORD ? symbol->bytes : WORD);
	const uint64_t last = (behind - WORD) & ~(uint64_t)(WORD - 1);

	if (!span->any || first < span->first)
		span->first = first;
	if (!span->any || last > span->last)
		span->last = last;
	span->any = true;
}

static size_t add(uint64_t *addresses, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (addresses[i] == address)
			return count;
	addresses[count] = address;
	return count + 1;
}

/* The ends of all functions and of all objects. */
static size_t add_symbols(const struct dp_image *image, uint64_t *addresses)
{
	const struct dp_symbol *symbols;
	const size_t there = dp_image_symbols(image, &symbols);
	struct dp_image_info info;
	struct span spans[2] = {{0}};
	size_t count = 0;

	dp_image_info(image, &info);
	for (size_t i = 0; i < there; i++) {
		if (symbols[i].fixed) /* a number of the linker */
			continue;
		/* An end, which nobody reads; a list of names has no sizes. */
		if (info.elf && symbols[i].bytes == 0)
			continue;
		if (strcmp(symbols[i].name, "functions_room") == 0) /* the agent's own table */
			continue;
		if (symbols[i].kind == DP_SYMBOL_FUNCTION)
			take(&spans[0], &symbols[i]);
		else if (symbols[i].kind == DP_SYMBOL_OBJECT)
			take(&spans[1], &symbols[i]);
	}
	for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
		if (!spans[i].any)
			continue;
		count = add(addresses, count, spans[i].first);
		count = add(addresses, count, spans[i].last);
	}
	return count;
}

size_t dph_doctor_addresses(const struct dp_image *image, const struct dph_rows *rows,
			    uint64_t addresses[DPH_DOCTOR_ADDRESSES])
{
	size_t count = image != NULL ? add_symbols(image, addresses) : 0;

	for (unsigned i = 0; i < rows->count; i++) {
		const struct dp_ranges_answer *row = &rows->row[i];
		const uint64_t first = (row->start + WORD - 1) & ~(uint64_t)(WORD - 1);
		const uint64_t last = (row->start + row->bytes - WORD) & ~(uint64_t)(WORD - 1);

		if (row->bytes < WORD)
			continue;
		if (is_readable(rows, first))
			count = add(addresses, count, first);
		if (is_readable(rows, last))
			count = add(addresses, count, last);
	}
	return count;
}
