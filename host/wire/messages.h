/* SPDX-License-Identifier: BSD-2-Clause */
/* Reader and writer translate each message of messages.def between bytes and a struct. */
#ifndef DPH_MESSAGES_H
#define DPH_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_frame.h"
#include "dp_messages.h"

/* A message, or its unread rest. */
struct dph_reader {
	const uint8_t *p;
	size_t left;
	unsigned word_bytes; /* of the target, 4 or 8, for fields of type word */
	bool cut;            /* it ended within a field, or before one that every agent sends */
};

enum {
	DPH_STREAM_BYTES_MAX = DP_STREAM_NIBBLES / 2
};
/* Forms of lines of records: of LOG. */
enum {
	DPH_FORM_HEX = 0,
	DPH_FORM_COMPACT = 1,
};
/* The digits of a stream line behind its stream and line number, as bytes, to be read. They are
 * put into bytes, DPH_STREAM_BYTES_MAX. An odd number of digits is cut. */
struct dph_reader dph_stream_reader(const struct dp_frame_in *frame, uint8_t *bytes);

/* A message under construction. */
struct dph_writer {
	uint8_t *p;
	size_t room, used;
	unsigned word_bytes;
};

struct dph_form; /* the fields of one message */
#define DP_MESSAGE(message, kind) extern const struct dph_form dph_form_##message##_##kind;
#include "messages.def"

/* A message's form and struct, for the functions below: DPH_OF(hello_answer, &target). Does not
 * compile when the pointer is to another struct. */
#define DPH_OF(message, pointer)                                                                   \
	&dph_form_##message, (struct dp_##message *)                                               \
	{                                                                                          \
		pointer                                                                            \
	}
#define DPH_OF_CONST(message, pointer)                                                             \
	&dph_form_##message, (const struct dp_##message *)                                         \
	{                                                                                          \
		pointer                                                                            \
	}

/* Read a message into all members of *to. A field that the message ends before reads as its row
 * says (LATER), else as 0, and the reader is cut. */
void dph_read(struct dph_reader *reader, const struct dph_form *form, void *to);

/* Append the message. A field that does not fit is left out. */
void dph_write(struct dph_writer *writer, const struct dph_form *form, const void *from);

#endif
