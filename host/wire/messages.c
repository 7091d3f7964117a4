/* SPDX-License-Identifier: BSD-2-Clause */
/* The forms of all messages come from messages.def; reader and writer follow the forms. */
#include "wire/messages.h"

#include <string.h>

enum type {
	TYPE_none, /* no field */
	TYPE_u8,
	TYPE_u16,
	TYPE_u32,
	TYPE_u64,
	TYPE_address,
	TYPE_word,
	TYPE_counted,
	TYPE_text,
	TYPE_rest,
};

enum {
	FIELDS_MAX = 24
};
struct dph_form {
	struct field {
		uint8_t type;
		bool later;  /* older agents end before it: `absent` then */
		uint16_t at; /* in the struct */
		uint32_t absent;
	} field[FIELDS_MAX]; /* the rest are of TYPE_none */
};

#define DP_MESSAGE(message, kind) const struct dph_form dph_form_##message##_##kind = {{
#define DP_FIELD(message, kind, name, type, meaning)                                               \
	{TYPE_##type, false, offsetof(struct dp_##message##_##kind, name), 0},
#define DP_LATER(message, kind, name, type, absent, meaning)                                       \
	{TYPE_##type, true, offsetof(struct dp_##message##_##kind, name), absent},
#define DP_END(message, kind)                                                                      \
	}                                                                                          \
	}                                                                                          \
	;
#include "messages.def"

/* Bytes of a number on the wire; 0: the type is no number. */
static size_t number_bytes(enum type type, unsigned word_bytes)
{
	static const uint8_t bytes[] = {[TYPE_u8] = 1,  [TYPE_u16] = 2,     [TYPE_u32] = 4,
					[TYPE_u64] = 8, [TYPE_address] = 8, [TYPE_rest] = 0};

	return type == TYPE_word ? word_bytes : bytes[type];
}

/* --- reading --- */

struct dph_reader dph_stream_reader(const struct dp_frame_in *frame, uint8_t *bytes)
{
	struct dph_reader reader = {.p = bytes};
	unsigned at = DP_STREAM_HEAD;

	for (; at + 2 <= frame->bytes; at += 2)
		bytes[reader.left++] = (uint8_t)(frame->payload[at] << 4 | frame->payload[at + 1]);
	reader.cut = at != frame->bytes;
	return reader;
}

/* The next bytes of the message; null, and cut, when there are not so many. */
static const uint8_t *take(struct dph_reader *reader, size_t bytes)
{
	const uint8_t *p = reader->p;

	if (reader->left < bytes) {
		reader->cut = true;
		reader->left = 0;
		return NULL;
	}
	reader->p += bytes;
	reader->left -= bytes;
	return p;
}

static uint64_t take_number(struct dph_reader *reader, size_t bytes)
{
	const uint8_t *p = take(reader, bytes);
	uint64_t value = 0;

	while (p != NULL && bytes-- > 0)
		value = value << 8 | *p++;
	return value;
}

static void set_number(void *to, enum type type, uint64_t value)
{
	switch (type) {
	case TYPE_u8:
		*(uint8_t *)to = (uint8_t)value;
		break;
	case TYPE_u16:
		*(uint16_t *)to = (uint16_t)value;
		break;
	case TYPE_u32:
		*(uint32_t *)to = (uint32_t)value;
		break;
	default:
		*(uint64_t *)to = value;
		break;
	}
}

/* Copy the next bytes, as many as fit; returns how many. */
static size_t take_bytes(struct dph_reader *reader, size_t bytes, void *to, size_t room)
{
	const uint8_t *p = take(reader, bytes);
	size_t kept = p == NULL ? 0 : bytes < room ? bytes : room;

	if (kept > 0)
		memcpy(to, p, kept);
	return kept;
}

static void read_bytes(struct dph_reader *reader, enum type type, void *to)
{
	if (type == TYPE_counted) {
		struct dp_counted *counted = to;
		size_t bytes = (size_t)take_number(reader, 1);

		counted->count = (uint8_t)take_bytes(reader, bytes, counted->bytes, DP_COUNTED_MAX);
	} else if (type == TYPE_text) {
		char *text = to;

		text[take_bytes(reader, reader->left, text, DP_TEXT_MAX)] = '\0';
	} else {
		struct dp_rest *rest = to;

		rest->count = (uint8_t)take_bytes(reader, reader->left, rest->bytes, DP_REST_MAX);
	}
}

void dph_read(struct dph_reader *reader, const struct dph_form *form, void *to)
{
	for (unsigned i = 0; i < FIELDS_MAX && form->field[i].type != TYPE_none; i++) {
		const struct field *field = &form->field[i];
		enum type type = (enum type)field->type;
		size_t bytes = number_bytes(type, reader->word_bytes);
		void *member = (uint8_t *)to + field->at;

		if (bytes == 0)
			read_bytes(reader, type, member);
		else if (field->later && reader->left == 0)
			set_number(member, type, field->absent);
		else
			set_number(member, type, take_number(reader, bytes));
	}
}

/* --- writing --- */

static void put(struct dph_writer *writer, const void *bytes, size_t count)
{
	if (count > writer->room - writer->used)
		return;
	memcpy(writer->p + writer->used, bytes, count);
	writer->used += count;
}

static void put_number(struct dph_writer *writer, uint64_t value, size_t bytes)
{
	uint8_t big_endian[8];

	for (size_t i = 0; i < bytes; i++)
		big_endian[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
	put(writer, big_endian, bytes);
}

static uint64_t get_number(const void *from, enum type type)
{
	switch (type) {
	case TYPE_u8:
		return *(const uint8_t *)from;
	case TYPE_u16:
		return *(const uint16_t *)from;
	case TYPE_u32:
		return *(const uint32_t *)from;
	default:
		return *(const uint64_t *)from;
	}
}

static void write_bytes(struct dph_writer *writer, enum type type, const void *from)
{
	if (type == TYPE_counted) {
		const struct dp_counted *counted = from;

		put_number(writer, counted->count, 1);
		put(writer, counted->bytes, counted->count);
	} else if (type == TYPE_text) {
		put(writer, from, strlen(from));
	} else {
		const struct dp_rest *rest = from;

		put(writer, rest->bytes, rest->count);
	}
}

void dph_write(struct dph_writer *writer, const struct dph_form *form, const void *from)
{
	for (unsigned i = 0; i < FIELDS_MAX && form->field[i].type != TYPE_none; i++) {
		const struct field *field = &form->field[i];
		enum type type = (enum type)field->type;
		size_t bytes = number_bytes(type, writer->word_bytes);
		const void *member = (const uint8_t *)from + field->at;

		if (bytes == 0)
			write_bytes(writer, type, member);
		else
			put_number(writer, get_number(member, type), bytes);
	}
}
