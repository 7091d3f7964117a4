/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames: one text line each, found anywhere in a byte stream.  PROTOCOL.md section 3.
 * Shared by agent and host; freestanding; no state but the caller's structs. */
#ifndef DP_FRAME_H
#define DP_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DP_FRAME(letter, name, check, sentence) DP_FRAME_##name = (letter),
enum dp_frame_type {
	DP_FRAME_NONE = 0,
#include "frames.def"
};

#define DP_CMD(number, name, text, from_hit, right, repeatable) DP_CMD_##name = (number),
enum dp_cmd {
#include "commands.def"
};

#define DP_RIGHT(bit, name, meaning) DP_RIGHT_##name = (bit),
enum dp_right {
	DP_RIGHT_NONE = 0,
#include "rights.def"
};

enum {
	DP_PROTOCOL_VERSION = 2,
	DP_FRAME_MARK = '~',
	DP_LINE_MAX = 128,       /* characters of a line with marker and newline */
	DP_CONTROL_HEAD = 6,     /* characters of a REQUEST or ANSWER before its payload */
	DP_PAYLOAD_MAX = 56,     /* bytes of a REQUEST or ANSWER */
	DP_STREAM_NIBBLES = 118, /* hex digits of a CRC-16 frame behind type and before check */
	DP_STREAM_HEAD = 4,      /* of them, those of stream and number */
	DP_NUMBER_DIGITS = 3,    /* of the number: its low 12 bits */
	DP_OWNER_MAX = 24,       /* characters of a session's owner */
	DP_NONCE_BYTES = 8,
	DP_DATA_MAX = 48, /* bytes of program in one DATA request */
};

/* A compact line (PROTOCOL.md 4.3). */
enum {
	DP_FRAME_COMPACT = 0x20, /* added to the type letter */
	DP_COMPACT_BASE = 91,    /* of the numbers that characters make, */
	DP_COMPACT_FIRST = '#',  /* and the character of 0 */
};

/* A checked frame. REQUEST and ANSWER: seq and payload bytes. The others: digits, each 0..15,
 * exactly as they stood in the line; in a compact line, the digits that its characters spell. */
struct dp_frame_in {
	enum dp_frame_type type;
	bool compact; /* the line is a compact one */
	uint8_t seq;
	uint8_t bytes;  /* of payload, or count of digits */
	uint32_t check; /* as received; the agent recognises repeats by the check */
	uint8_t payload[DP_STREAM_NIBBLES];
};

/* Write a REQUEST or ANSWER line. line: DP_LINE_MAX characters. seed: dp_frame_seed().
 * Returns the characters written, newline included; 0 when bytes > DP_PAYLOAD_MAX. */
size_t dp_frame_put_control(char *line, enum dp_frame_type type, uint8_t seq,
			    const uint8_t *payload, size_t bytes, uint32_t seed);

/* The digits of lines. */
extern const char dp_digit[16];
/* Write the last 1 to 8 digits of a value. Returns the place behind them. */
char *dp_digits_put(char *p, uint32_t value, unsigned digits);
/* Write all 8 digits of a value, in half the time. */
void dp_eight_put(char *p, uint32_t value);

/* Stream lines (RECORDS, TIMED, PIECE, SYNC, NOTICE, NAK) grow digit by digit. The writer keeps
 * room for check and newline: dp_line_room returns how many digits still fit. */
struct dp_line {
	/* text[1], where the check begins, is at a word: dp_crc.c. C++ has no _Alignas. */
	__attribute__((aligned(4))) uint8_t padding[2];
	uint8_t used; /* characters so far */
	char text[DP_LINE_MAX];
};
void dp_line_begin(struct dp_line *line, enum dp_frame_type type);
static inline size_t dp_line_room(const struct dp_line *line)
{
	return 2u + DP_STREAM_NIBBLES - line->used;
}
/* 1 to 8 digits, most significant first. Does nothing when they do not fit. */
void dp_line_put(struct dp_line *line, uint32_t value, unsigned digits);
void dp_line_end(struct dp_line *line); /* check and newline */

/* CRC-32 start value of a session's control frames: the CRC of u8 version, u32 session, and u64
 * nonce as HELLO answers it. */
uint32_t dp_frame_seed(uint8_t version, uint32_t session, uint64_t nonce);
/* The seed of HELLO and its answer: the CRC of five zero bytes; test_frame.c. Every version has
 * this seed, so that any version can refuse any other. */
#define DP_HELLO_SEED 0xc622f71du

/* Splitter: separates frames from all other bytes. PROTOCOL.md 3.1. Feed every received byte.
 * Bytes outside valid frames leave through `console`, in order, unchanged. The splitter holds
 * bytes that may still become a frame (at most DP_LINE_MAX). */
struct dp_splitter {
	uint8_t used;
	uint8_t held[DP_LINE_MAX];
};
enum dp_split {
	DP_SPLIT_HELD,    /* byte kept: it may belong to a frame */
	DP_SPLIT_CONSOLE, /* the first *n bytes of console[] are text, not frame */
	DP_SPLIT_FRAME,   /* a complete line is in held[0..used); check it with dp_frame_check, then
			   * dp_splitter_take it or dp_splitter_flush it to the console */
};
/* The same without a copy: the first *text bytes of held are text, until the next call. wanted: the
 * letters as bits, DP_FRAME_LETTER of each. */
#define DP_FRAME_LETTER(letter) (1u << ((letter) - 'A'))
enum dp_split dp_splitter_next(struct dp_splitter *s, uint8_t byte, uint32_t wanted, size_t *text);
/* wanted: the types this side listens to, as a string of letters ("Q" on the agent, the others on
 * the host; lower case: compact lines). console: room for DP_LINE_MAX bytes. */
enum dp_split dp_splitter_feed(struct dp_splitter *s, uint8_t byte, const char *wanted,
			       uint8_t *console, size_t *n);
/* Write the held bytes out as console text, after a time-out or a line with a wrong check.
 * console: room for DP_LINE_MAX bytes.
 * Returns the number of bytes. */
size_t dp_splitter_flush(struct dp_splitter *s, uint8_t *console);
static inline void dp_splitter_take(struct dp_splitter *s)
{
	s->used = 0;
}

/* A REQUEST or ANSWER line is checked and decoded while its characters come, so that its end does
 * not take the whole line apart. line: from the marker on, as dp_splitter_next holds it. used: its
 * characters so far, the newline excluded. */

/* Advance the check by the character that now cannot be one of the check's digits.
 * crc: the seed before the tenth character. returns: the same for the next character; at the end,
 * the check that the line must have. */
uint32_t dp_control_crc(uint32_t crc, const uint8_t *line, size_t used);

/* Shift the last digit into its byte of payload. payload: DP_PAYLOAD_MAX bytes, not cleared before.
 * Digits of the check are stored behind the payload, where they fit. */
void dp_control_payload(uint8_t *payload, const uint8_t *line, size_t used);

/* Head and check of a complete line. */
struct dp_control {
	uint8_t seq;
	uint8_t bytes; /* of payload */
	uint32_t check;
};
/* bytes: characters of the line, the newline included. The function does not look at marker, type,
 * digits and newline again. returns: false when the line is not as long as its head says. */
bool dp_control_read(const uint8_t *line, size_t bytes, struct dp_control *control);

/* Return the value of a digit as frames have digits, lower case excluded; 16: no digit. */
uint8_t dp_hex_digit(uint8_t c);
/* Return the number that 1 to 8 digits make. Each of them is a digit. */
uint32_t dp_hex_number(const uint8_t *p, unsigned digits);

/* Check a complete line (marker to newline) and take it apart. seed is used for CRC-32 types.
 * Returns false when length, digits or check are wrong. Then out->type is NONE, unless only the
 * check was wrong: then type and seq are as received (a damaged REQUEST is answered with a NAK). */
bool dp_frame_check(const uint8_t *line, size_t bytes, uint32_t seed, struct dp_frame_in *out);

#endif
