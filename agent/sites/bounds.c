/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of the table of functions. The reader compares the checksum once, and trusts no
 * byte of the table afterwards: the reader stays inside the board's room. A damaged table gives a
 * wrong bound at worst. */
#include "dp_text.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_functions.h"
#include "dp_memory.h"

#if DP_FUNCTIONS_BYTES > 0
void dp_bounds_start(struct dp_agent *agent)
{
	const uint8_t *table = agent->board->functions;
	uint32_t bytes;

	if (!table || !dp_equal(table, DP_FUNCTIONS_MAGIC, 4))
		return;
	bytes = dp_get_u32(table + DP_FUNCTIONS_BYTES_AT);
	if (bytes < DP_FUNCTIONS_HEADER_BYTES || bytes > agent->board->functions_bytes)
		return;
	if (agent->board->image.bytes == 0)
		return;
	agent->bounds = dp_crc32(0, table + DP_FUNCTIONS_BYTES_AT, bytes - DP_FUNCTIONS_BYTES_AT) ==
			dp_get_u32(table + DP_FUNCTIONS_CRC);
}

struct reader {
	const uint8_t *at, *end;
};

/* The next ULEB128 number; the end of the table cuts it off. */
static uint32_t next_number(struct reader *r)
{
	uint32_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = *r->at++;
		if (shift < 32)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && r->at < r->end);
	return value;
}

enum dp_err dp_bounds_find(const struct dp_agent *agent, struct dp_site *site)
{
	const struct dp_module *image = agent->module;
	const uint8_t *table = agent->board->functions;
	uint32_t from = 0, next = 0, value, unit, kind = DP_FUNCTIONS_DATA, bytes;
	dp_addr place = site->address - image->moved;
	struct reader r;

	if (!agent->bounds || site->address - image->base >= image->bytes)
		return DP_ERR_OK;
	place -= (dp_addr)dp_get_u64(table + DP_FUNCTIONS_BASE);
	unit = dp_get_u32(table + DP_FUNCTIONS_UNIT);
	r.at = table + DP_FUNCTIONS_HEADER_BYTES;
	bytes = dp_get_u32(table + DP_FUNCTIONS_BYTES_AT);
	if (bytes > agent->board->functions_bytes)
		bytes = agent->board->functions_bytes;
	r.end = table + bytes;
	while (r.at < r.end) {
		value = next_number(&r);
		next = from + (value >> 2) * unit;
		if (next > place)
			break;
		from = next;
		kind = value & DP_FUNCTIONS_KIND;
	}
	dp_site_set_extent(site, place - from, next - from);
	/* Behind the last entry stands nothing. */
	if (next <= place || kind == DP_FUNCTIONS_DATA)
		return DP_ERR_NOT_BOUNDARY;
	return kind == site->isa ? DP_ERR_OK : DP_ERR_WRONG_ISA;
}
#endif
