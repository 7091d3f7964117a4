/* SPDX-License-Identifier: BSD-2-Clause */
/* Encode log records as hex digits. */
#include "dp_record.h"

static uint8_t *put(uint8_t *p, uint32_t value, unsigned digits)
{
	while (digits-- > 0)
		*p++ = (uint8_t)(value >> (4 * digits)) & 15;
	return p;
}

size_t dp_record_put(const struct dp_record *record, uint8_t *digits)
{
	bool extended = record->kind != DP_RECORD_LOG || record->flags != 0;
	uint32_t bytes = record->bytes;
	unsigned length = 1; /* its digits */
	uint8_t *p = digits;

	if (extended)
		p = put(p, DP_RECORD_EXTENDED << 12 | record->kind << 8 | record->flags, 4);
	p = put(p, record->probe, 2);
	if (record->flags & DP_RECORD_CODES)
		p = put(p, (uint32_t)record->major << 16 | record->minor, 8);
	p = put(p, record->ticks, DP_TICK_BITS / 4);
	if (extended || bytes > DP_RECORD_SHORT_MAX) {
		bytes |= DP_RECORD_LONG << 12;
		length = 4;
	}
	return (size_t)(put(p, bytes, length) - digits);
}
