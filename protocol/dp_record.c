/* SPDX-License-Identifier: BSD-2-Clause */
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
	uint8_t *p = digits;

	if (extended) {
		*p++ = DP_RECORD_EXTENDED;
		p = put(p, record->kind, 1);
		p = put(p, record->flags, 2);
	}
	p = put(p, record->probe, 2);
	if (record->flags & DP_RECORD_CODES) {
		p = put(p, record->major, 4);
		p = put(p, record->minor, 4);
	}
	p = put(p, record->ticks, DP_TICK_BITS / 4);
	if (!extended && record->bytes <= DP_RECORD_SHORT_MAX)
		return (size_t)(put(p, record->bytes, 1) - digits);
	*p++ = DP_RECORD_LONG;
	return (size_t)(put(p, record->bytes, 3) - digits);
}
