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

enum dp_record_kind {
	DP_RECORD_LOG = 0,      /* items and user log bytes of one hit */
	DP_RECORD_TRACE = 1,    /* stack trace buffer of one hit; codes (0,0) */
	DP_RECORD_WITHDRAW = 2, /* the LOG record of this probe with these ticks is void: its
				 * instruction faulted after the record was released */
};

enum dp_record_flag {
	DP_RECORD_EXCEPTION = 0x01, /* the handler ended by an exception */
	DP_RECORD_BUDGET = 0x02,    /* the handler ended by the step budget */
	DP_RECORD_CODES = 0x04,     /* setmaj/setmin: major and minor follow */
	DP_RECORD_FAULTED = 0x08,   /* logonfault: the probed instruction faulted; never set in
				     * synchronous mode, which sends before it can know */
	DP_RECORD_TRUNCATED = 0x10, /* TRACE: records did not fit and are missing */
	DP_RECORD_FLAGS = 0x1f,
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
