/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads the records of one line, or of a record in pieces. PROTOCOL.md 4. */
#ifndef DPH_RECORD_LINE_H
#define DPH_RECORD_LINE_H

#include "record_order.h"

#include "dp_frame.h"

enum {
	DPH_LINE_RECORDS_MAX = DP_STREAM_NIBBLES / 3, /* the shortest record has three digits */
	DPH_RECORD_DIGITS_MAX = DP_TIMED_DIGITS + DP_RECORD_DIGITS_MAX, /* of all its pieces */
};

/* The number with `count` digits, most significant first. */
uint64_t dph_digits_number(const uint8_t *digits, unsigned count);

/* Read the time of a line's first record and all records.
 * form: its big_endian and compact hold for the line.
 * told: DPH_TOLD_WHOLE or DPH_TOLD_LOW, the form of the time.
 * like: the fields that the records share: sync and arrival.
 * records: receives at most DPH_LINE_RECORDS_MAX records, each for free(); null: no memory.
 * Returns how many; 0: the digits are not records. */
unsigned dph_line_records(const uint8_t *digits, size_t count, const struct dp_record_reader *form,
			  enum dph_told told, const struct dph_kept *like,
			  struct dph_kept **records);

#endif
