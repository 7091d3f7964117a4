/* SPDX-License-Identifier: BSD-2-Clause */
/* Log records on the wire: a string of hex digits.  PROTOCOL.md section 4. */
#ifndef DP_RECORD_H
#define DP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ITEM(bit, name, text, bytes) DP_ITEM_##name = (bit),
enum dp_item {
#include "items.def"
	DP_ITEM_ALL = 0x3f,
};

#define RECORD_KIND(number, name, text, sentence) DP_RECORD_##name = (number),
enum dp_record_kind {
#include "record_kinds.def"
	DP_RECORD_KINDS
};

#define RECORD_FLAG(bit, name, sentence) DP_RECORD_##name = (bit),
enum dp_record_flag {
#include "record_kinds.def"
/* all of them */
#define RECORD_FLAG(bit, name, sentence) | (bit)
	DP_RECORD_FLAGS = 0
#include "record_kinds.def"
};

enum {
	DP_RECORD_PROBES_MAX = 240, /* probe numbers 0..239; 0xf0.. begin an extended record */
	DP_RECORD_SHORT_MAX = 14,   /* body bytes that a one-digit length can say */
	DP_RECORD_BODY_MAX = 0xfff,
	DP_RECORD_EXTENDED = 15, /* first digit of an extended record: no probe number begins so */
	DP_RECORD_LONG = 15,     /* length digit: three digits of length follow */
	DP_TICK_BITS = 20,
};

/* Header of a record; the body (items, then log bytes) follows it as bytes. */
struct dp_record {
	uint8_t kind;
	uint8_t flags;
	uint8_t probe;
	uint16_t major, minor; /* with DP_RECORD_CODES */
	uint32_t ticks;        /* low DP_TICK_BITS bits of the tick count at the hit */
	uint16_t bytes;        /* of body */
	uint16_t ticks_high;   /* bits 32..47: the agent keeps them, they do not travel */
};

enum {
	DP_RECORD_HEADER_DIGITS_MAX = 24
};

/* Header as digits (each 0..15). digits: room for DP_RECORD_HEADER_DIGITS_MAX. Returns how many. */
size_t dp_record_put(const struct dp_record *record, uint8_t *digits);

/* Header from digits. Returns the digits read, or 0 when they are no record header or too few. */
size_t dp_record_get(const uint8_t *digits, size_t count, struct dp_record *record);

#endif
