/* SPDX-License-Identifier: BSD-2-Clause */
/* The half of the record codec that only the host needs. */
#include "dp_record.h"

static uint32_t get(struct dp_record_reader *r, unsigned digits)
{
	uint32_t value = 0;

	if (r->left < digits) {
		r->bad = true;
		return 0;
	}
	r->left -= digits;
	while (digits-- > 0)
		value = value << 4 | (*r->digits++ & 15u);
	return value;
}

/* A number whose first digit is not 0; the number 0 has one digit. */
static uint32_t get_short(struct dp_record_reader *r, unsigned digits)
{
	const uint32_t value = get(r, digits);

	r->bad |= digits > 1 && value >> (4 * (digits - 1)) == 0;
	return value;
}

static void get_kind(struct dp_record_reader *r, struct dp_record *record)
{
	record->kind = (uint8_t)get(r, 1);
	record->flags = (uint8_t)get(r, 2);
	r->bad |= record->kind >= DP_RECORD_KINDS || (record->flags & ~DP_RECORD_FLAGS) != 0 ||
		  (record->kind == DP_RECORD_LOG && record->flags == 0) ||
		  (record->flags & DP_RECORD_FAULT &&
		   (record->kind != DP_RECORD_LOG || !(record->flags & DP_RECORD_EXCEPTION)));
}

/* Probe, kind, flags and codes. Returns the digit X. */
static unsigned get_head(struct dp_record_reader *r, struct dp_record *record, unsigned d)
{
	const unsigned x = d & DP_RECORD_EXTRA ? get(r, 1) : 0;

	r->bad |= (d & DP_RECORD_EXTRA && x == 0) || (x & ~(unsigned)DP_EXTRA_ALL) != 0 ||
		  (d & DP_RECORD_SAME && !r->began);
	if (!(d & DP_RECORD_SAME))
		r->probe = (uint8_t)get(r, 2);
	r->bad |= r->probe >= DP_RECORD_PROBES_MAX;
	record->probe = r->probe;
	if (x & DP_EXTRA_KIND)
		get_kind(r, record);
	r->bad |= !(x & DP_EXTRA_CODES) != !(record->flags & DP_RECORD_CODES);
	if (x & DP_EXTRA_CODES) {
		record->major = (uint16_t)get(r, 4);
		record->minor = (uint16_t)get(r, 4);
	}
	return x;
}

/* The smallest size that holds the delta. */
static unsigned delta_size(uint32_t delta)
{
	unsigned size = 0;

	while (size < DP_RECORD_DELTA && delta >> (4 * DP_DELTA_DIGITS(size)) != 0)
		size++;
	return size;
}

static void get_delta(struct dp_record_reader *r, unsigned size)
{
	const uint32_t delta = get(r, DP_DELTA_DIGITS(size));

	r->bad |= delta_size(delta) != size || (size != 0 && !r->began);
	r->time += delta;
}

/* --- body --- */

/* again: the bytes hold the unit of the record before, from which the value differs. */
static void put_unit(const struct dp_record_reader *r, uint8_t *bytes, uint32_t value, bool again)
{
	for (unsigned i = 0; i < DP_UNIT_BYTES; i++) {
		uint8_t *byte = bytes + (r->big_endian ? DP_UNIT_BYTES - 1 - i : i);

		*byte = (uint8_t)(value >> 8 * i ^ (again ? *byte : 0));
	}
}

/* before: bytes of the body that hold units of the record before. */
static uint16_t get_words(struct dp_record_reader *r, uint8_t *body, unsigned before)
{
	unsigned bytes = 0, w;

	do {
		if (bytes > DP_RECORD_BODY_MAX - DP_UNIT_BYTES) {
			r->bad = true;
			break;
		}
		w = get(r, 1);
		put_unit(r, body + bytes, get_short(r, (w & ~(unsigned)DP_UNIT_MORE) + 1),
			 bytes < before);
		bytes += DP_UNIT_BYTES;
	} while (w & DP_UNIT_MORE);
	return (uint16_t)bytes;
}

static uint16_t get_bytes(struct dp_record_reader *r, uint8_t *body)
{
	unsigned bytes = get(r, 1);

	if (bytes == DP_RECORD_LONG) {
		bytes = get(r, 3);
		r->bad |= bytes <= DP_RECORD_SHORT_MAX;
	}
	if (2 * bytes > r->left)
		r->bad = true;
	for (unsigned i = 0; i < bytes && !r->bad; i++)
		body[i] = (uint8_t)get(r, 2);
	return (uint16_t)bytes;
}

bool dp_record_next(struct dp_record_reader *reader, struct dp_record *record, uint8_t *body)
{
	unsigned d, x;

	if (reader->left == 0 || reader->bad)
		return false;
	*record = (struct dp_record){.kind = DP_RECORD_LOG};
	d = get(reader, 1);
	x = get_head(reader, record, d);
	get_delta(reader, d & DP_RECORD_DELTA);
	record->ticks = (uint32_t)reader->time;
	if (!reader->bad)
		record->bytes = x & DP_EXTRA_BYTES ? get_bytes(reader, body)
						   : get_words(reader, body,
							       reader->compact && d & DP_RECORD_SAME
								       ? reader->units
								       : 0);
	reader->units = x & DP_EXTRA_BYTES ? 0 : record->bytes;
	reader->began = true;
	return !reader->bad;
}
