/* SPDX-License-Identifier: BSD-2-Clause */
/* Log records on the wire: a string of hex digits.  PROTOCOL.md section 4. */
#ifndef DP_RECORD_H
#define DP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DP_ITEM(bit, name, text, bytes) DP_ITEM_##name = (bit),
enum dp_item {
#include "items.def"
	DP_ITEM_ALL = 0x3f,
};

#define DP_DERIVED(bit, name) DP_DERIVED_##name = (bit),
enum dp_derived {
#include "items.def"
	DP_DERIVED_ALL = 0xc0,
};

#define DP_RECORD_KIND(number, name, text, sentence) DP_RECORD_##name = (number),
enum dp_record_kind {
#include "record_kinds.def"
	DP_RECORD_KINDS
};

#define DP_RECORD_FLAG(bit, name, sentence) DP_RECORD_##name = (bit),
enum dp_record_flag {
#include "record_kinds.def"
/* all of them */
#define DP_RECORD_FLAG(bit, name, sentence) | (bit)
	DP_RECORD_FLAGS = 0
#include "record_kinds.def"
};

enum {
	DP_RECORD_PROBES_MAX = 240, /* probe numbers 0..239 */
	DP_RECORD_SHORT_MAX = 14,   /* body bytes that a one-digit length can say */
	DP_RECORD_BODY_MAX = 0xfff,
	DP_RECORD_LONG = 15, /* length digit: three digits of length follow */
};

/* The body of a record with DP_RECORD_FAULT begins with: u16 place, u16 exception, word parameter.
 */
enum {
	DP_FAULT_PLACE = 0,
	DP_FAULT_EXCEPTION = 2,
	DP_FAULT_PARAMETER = 4,
};

/* Digit D of a record. */
enum {
	DP_RECORD_DELTA = 0x3, /* size of the delta: DP_DELTA_DIGITS */
	DP_RECORD_SAME = 0x4,  /* the probe is that of the record before in the line */
	DP_RECORD_EXTRA = 0x8, /* a digit X follows */
};
/* Digits of a delta by its size. */
#define DP_DELTA_DIGITS(size) (0x8530u >> 4 * (size)&15u)

/* Digit X of a record. */
enum {
	DP_EXTRA_KIND = 0x1,  /* kind and flags follow */
	DP_EXTRA_CODES = 0x2, /* major and minor code follow */
	DP_EXTRA_BYTES = 0x4, /* the body has the bytes form */
	DP_EXTRA_ALL = 0x7,
};

enum {
	DP_UNIT_BYTES = 4,          /* of a unit of the words form */
	DP_UNIT_MORE = 0x8,         /* digit W: more units follow; the other bits: digits - 1 */
	DP_TIMED_DIGITS = 16,       /* of the time in a TIMED line and before a record in pieces */
	DP_RECORDS_TIME_DIGITS = 8, /* of the time in a RECORDS line */
	DP_PIECE_HEAD_DIGITS = 3,   /* last piece, index of the piece */
	/* Digits of a record alone, without delta: D, X, probe, kind and flags, codes, body. */
	DP_RECORD_DIGITS_MAX = 1 + 1 + 2 + 3 + 8 + DP_RECORD_BODY_MAX / DP_UNIT_BYTES * 9,
};

/* Header of a record; the body (items, then log bytes) follows it as bytes. */
struct dp_record {
	uint8_t kind;
	uint8_t flags;
	uint8_t probe;
	uint16_t major, minor; /* with DP_RECORD_CODES */
	uint32_t ticks;        /* low 32 bits of the tick count at the hit */
	uint16_t bytes;        /* of body */
	uint16_t ticks_high;   /* bits 32..47: the agent keeps them, they do not travel */
};

/* Reads the records of one line in order. The caller sets digits, left, time and big_endian; the
 * rest is zero. */
struct dp_record_reader {
	const uint8_t *digits; /* each 0..15: what follows the line's time */
	size_t left;
	uint64_t time;   /* of the line's first record, then of the record that was read last */
	bool big_endian; /* of the target */
	bool compact;    /* of a compact line */
	bool began;      /* a record was read */
	bool bad;        /* the digits are not records as PROTOCOL.md 4 defines them */
	uint8_t probe;   /* of the record that was read last */
	uint16_t units;  /* bytes of its body in units; 0: in bytes, or none was read */
};
/* Read one record. body: room for DP_RECORD_BODY_MAX bytes; behind the first record of a compact
 * line it still holds the record before.
 * Returns false at the end of the line, and at digits that are no record: reader->bad. */
bool dp_record_next(struct dp_record_reader *reader, struct dp_record *record, uint8_t *body);

#endif
