/* SPDX-License-Identifier: BSD-2-Clause */
/* The half of the record codec that only the host needs. */
#include "dp_record.h"

/* Reads digits from the front; `left` never goes below zero, `cut` remembers that it would have. */
struct reader {
	const uint8_t *p;
	size_t left;
	bool cut;
};

static uint32_t get(struct reader *r, unsigned digits)
{
	uint32_t value = 0;

	if (r->left < digits) {
		r->cut = true;
		return 0;
	}
	r->left -= digits;
	while (digits-- > 0)
		value = value << 4 | (*r->p++ & 15u);
	return value;
}

size_t dp_record_get(const uint8_t *digits, size_t count, struct dp_record *record)
{
	struct reader r = {digits, count, false};
	bool extended = count > 0 && digits[0] == DP_RECORD_EXTENDED, longer; /* than needed */

	record->kind = DP_RECORD_LOG;
	record->flags = 0;
	record->major = 0;
	record->minor = 0;
	if (extended) {
		get(&r, 1);
		record->kind = (uint8_t)get(&r, 1);
		record->flags = (uint8_t)get(&r, 2);
	}
	record->probe = (uint8_t)get(&r, 2);
	if (record->flags & DP_RECORD_CODES) {
		record->major = (uint16_t)get(&r, 4);
		record->minor = (uint16_t)get(&r, 4);
	}
	record->ticks = get(&r, DP_TICK_BITS / 4);
	record->bytes = (uint16_t)get(&r, 1);
	if (record->bytes == DP_RECORD_LONG) {
		record->bytes = (uint16_t)get(&r, 3);
		longer = !extended && record->bytes <= DP_RECORD_SHORT_MAX;
	} else {
		longer = extended;
	}
	if (extended && record->kind == DP_RECORD_LOG && record->flags == 0)
		longer = true;
	if (r.cut || longer || record->kind >= DP_RECORD_KINDS ||
	    (record->flags & ~DP_RECORD_FLAGS) != 0 || record->probe >= DP_RECORD_PROBES_MAX)
		return 0;
	return count - r.left;
}
