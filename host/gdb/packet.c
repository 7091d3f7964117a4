/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of gdb's remote protocol. */
#include "packet.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
	ESCAPE = '}',
	ESCAPE_BIT = 0x20,
	PRINT_ROOM = 512
};

static const char digits[] = "0123456789abcdef";

/* The value of a hexadecimal digit; -1: it is none. */
static int digit_of(int character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	if (character >= 'a' && character <= 'f')
		return character - 'a' + 10;
	if (character >= 'A' && character <= 'F')
		return character - 'A' + 10;
	return -1;
}

/* --- reading --------------------------------------------------------------------------------- */

static void begin(struct dph_gdb_reader *reader)
{
	reader->state = DPH_GDB_TEXT;
	reader->sum = reader->told = 0;
	reader->is_sum = true;
	reader->bytes = 0;
}

static void keep(struct dph_gdb_reader *reader, uint8_t byte)
{
	if (reader->bytes < DPH_GDB_TEXT_MAX)
		reader->text[reader->bytes] = byte;
	if (reader->bytes <= DPH_GDB_TEXT_MAX)
		reader->bytes++;
}

static enum dph_gdb_event read_between(struct dph_gdb_reader *reader, uint8_t byte)
{
	switch (byte) {
	case '$':
		begin(reader);
		return DPH_GDB_NOTHING;
	case '+':
		return DPH_GDB_ACK;
	case '-':
		return DPH_GDB_NAK;
	case DPH_GDB_BREAK_BYTE:
		return DPH_GDB_BREAK;
	default:
		return DPH_GDB_NOTHING;
	}
}

/* A '$' begins a new packet: the end of the last one was lost. */
static void read_text(struct dph_gdb_reader *reader, uint8_t byte)
{
	if (byte == '$') {
		begin(reader);
		return;
	}
	if (byte == '#') {
		reader->state = DPH_GDB_SUM_HIGH;
		return;
	}
	reader->sum = (uint8_t)(reader->sum + byte);
	if (reader->state == DPH_GDB_TEXT && byte == ESCAPE) {
		reader->state = DPH_GDB_ESCAPED;
		return;
	}
	keep(reader, reader->state == DPH_GDB_ESCAPED ? byte ^ ESCAPE_BIT : byte);
	reader->state = DPH_GDB_TEXT;
}

static void read_sum(struct dph_gdb_reader *reader, uint8_t byte)
{
	const int digit = digit_of(byte);

	reader->is_sum = reader->is_sum && digit >= 0;
	reader->told = (uint8_t)(reader->told << 4 | (digit & 0x0f));
}

static enum dph_gdb_event finish(struct dph_gdb_reader *reader)
{
	reader->state = DPH_GDB_BETWEEN;
	if (!reader->is_sum || reader->told != reader->sum)
		return DPH_GDB_DAMAGED;
	if (reader->bytes > DPH_GDB_TEXT_MAX)
		return DPH_GDB_LONG;
	reader->text[reader->bytes] = '\0';
	return DPH_GDB_PACKET;
}

bool dph_gdb_begins(uint8_t byte)
{
	return byte == '+' || byte == '-' || byte == '$' || byte == DPH_GDB_BREAK_BYTE;
}

enum dph_gdb_event dph_gdb_read(struct dph_gdb_reader *reader, uint8_t byte)
{
	switch (reader->state) {
	case DPH_GDB_BETWEEN:
		return read_between(reader, byte);
	case DPH_GDB_TEXT:
	case DPH_GDB_ESCAPED:
		read_text(reader, byte);
		return DPH_GDB_NOTHING;
	case DPH_GDB_SUM_HIGH:
		read_sum(reader, byte);
		reader->state = DPH_GDB_SUM_LOW;
		return DPH_GDB_NOTHING;
	case DPH_GDB_SUM_LOW:
		read_sum(reader, byte);
		return finish(reader);
	}
	return DPH_GDB_NOTHING;
}

/* --- writing --------------------------------------------------------------------------------- */

void dph_gdb_begin(struct dph_gdb_text *text)
{
	text->line[0] = '$';
	text->bytes = 1;
	text->cut = false;
}

static bool is_special(uint8_t byte)
{
	return byte == '#' || byte == '$' || byte == ESCAPE || byte == '*';
}

bool dph_gdb_add(struct dph_gdb_text *text, uint8_t byte)
{
	const bool special = is_special(byte);

	if (text->bytes + (special ? 2 : 1) > DPH_GDB_TEXT_MAX + 1) {
		text->cut = true;
		return false;
	}
	if (special)
		text->line[text->bytes++] = ESCAPE;
	text->line[text->bytes++] = special ? byte ^ ESCAPE_BIT : byte;
	return true;
}

void dph_gdb_add_text(struct dph_gdb_text *text, const char *added)
{
	while (*added != '\0' && dph_gdb_add(text, (uint8_t)*added))
		added++;
}

void dph_gdb_add_hex(struct dph_gdb_text *text, const void *bytes, size_t count)
{
	const uint8_t *byte = bytes;

	for (size_t i = 0; i < count; i++) {
		dph_gdb_add(text, (uint8_t)digits[byte[i] >> 4]);
		dph_gdb_add(text, (uint8_t)digits[byte[i] & 0x0f]);
	}
}

void dph_gdb_print(struct dph_gdb_text *text, const char *format, ...)
{
	char printed[PRINT_ROOM];
	va_list args;

	va_start(args, format);
	if (vsnprintf(printed, sizeof printed, format, args) >= (int)sizeof printed)
		text->cut = true;
	va_end(args);
	dph_gdb_add_text(text, printed);
}

void dph_gdb_end(struct dph_gdb_text *text)
{
	uint8_t sum = 0;

	for (size_t i = 1; i < text->bytes; i++)
		sum = (uint8_t)(sum + text->line[i]);
	text->line[text->bytes++] = '#';
	text->line[text->bytes++] = (uint8_t)digits[sum >> 4];
	text->line[text->bytes++] = (uint8_t)digits[sum & 0x0f];
}

/* --- numbers --------------------------------------------------------------------------------- */

bool dph_gdb_number(const char **text, uint64_t *value)
{
	const char *at = *text;

	*value = 0;
	for (int digit; (digit = digit_of(*at)) >= 0; at++) {
		if (*value >> 60 != 0)
			return false;
		*value = *value << 4 | (unsigned)digit;
	}
	if (at == *text)
		return false;
	*text = at;
	return true;
}

bool dph_gdb_number_and(const char **text, uint64_t *value, char behind)
{
	if (!dph_gdb_number(text, value) || **text != behind)
		return false;
	++*text;
	return true;
}

size_t dph_gdb_bytes(const char **text, uint8_t *bytes, size_t room)
{
	size_t count = 0;

	for (; digit_of((*text)[0]) >= 0; *text += 2, count++) {
		const int low = digit_of((*text)[1]);

		if (low < 0 || count == room)
			return SIZE_MAX;
		bytes[count] = (uint8_t)(digit_of((*text)[0]) << 4 | low);
	}
	return count;
}
