/* SPDX-License-Identifier: BSD-2-Clause */
/* This file puts dots in place of characters that steer a terminal. */
#include "plain.h"

#include "utf8.h"

#include <string.h>

#define NAMES   "\t"
#define LINES   "\t\n"
#define CONSOLE "\t\n\r\b\a"

/* kept: control characters that are plain here. */
static unsigned character(const char *text, const char *kept, bool *plain)
{
	uint32_t value;
	const unsigned bytes = dph_utf8(text, &value);

	*plain = bytes > 0 && (!dph_is_control(value) ||
			       (value > 0 && value < 0x20 && strchr(kept, (int)value) != NULL));
	return bytes > 0 ? bytes : 1;
}

unsigned dph_plain_character(const char *text, bool *plain)
{
	return character(text, NAMES, plain);
}

static void print(const char *text, const char *kept, FILE *out)
{
	while (*text != '\0') {
		bool plain;
		const unsigned bytes = character(text, kept, &plain);

		if (plain)
			fwrite(text, 1, bytes, out);
		else
			putc('.', out);
		text += bytes;
	}
}

void dph_plain_replace(char *name)
{
	char *to = name;

	while (*name != '\0') {
		bool plain;
		const unsigned bytes = character(name, NAMES, &plain);

		if (plain)
			memmove(to, name, bytes);
		else
			*to = '.';
		to += plain ? bytes : 1;
		name += bytes;
	}
	*to = '\0';
}

void dph_plain_print(const char *name, FILE *out)
{
	print(name, NAMES, out);
}

void dph_plain_print_lines(const char *text, FILE *out)
{
	print(text, LINES, out);
}

/* May the held bytes still become a character? */
static bool is_begun(const struct dph_plain_filter *filter)
{
	const unsigned char first = (unsigned char)filter->held[0];
	const size_t bytes = first < 0xc0 || first > 0xf7 ? 1
			     : first < 0xe0               ? 2
			     : first < 0xf0               ? 3
							  : 4;

	for (size_t i = 1; i < filter->count; i++)
		if (((unsigned char)filter->held[i] & 0xc0) != 0x80)
			return false;
	return filter->count < bytes;
}

/* Put the characters that the held bytes make. Returns the bytes put. */
static size_t put_held(struct dph_plain_filter *filter, uint8_t *out)
{
	size_t used = 0;

	while (filter->count > 0 && !is_begun(filter)) {
		bool plain;
		unsigned taken;

		filter->held[filter->count] = '\0';
		taken = character(filter->held, CONSOLE, &plain);
		if (plain)
			memcpy(out + used, filter->held, taken);
		else
			out[used] = '.';
		used += plain ? taken : 1;
		filter->count -= taken;
		memmove(filter->held, filter->held + taken, filter->count);
	}
	return used;
}

static size_t put_text(struct dph_plain_filter *filter, uint8_t byte, uint8_t *out)
{
	filter->held[filter->count++] = (char)byte;
	return put_held(filter, out);
}

/* ESC [ m and ESC [ 0 m set all back. */
static bool sets_color(const uint8_t *sequence, size_t bytes)
{
	return bytes > 3 && !(bytes == 4 && sequence[2] == '0');
}

/* The sequence has ended with a colour: the terminal may have it. */
static size_t put_color(struct dph_plain_filter *filter, uint8_t *out)
{
	memcpy(out, filter->sequence, filter->sequence_bytes);
	filter->colored = sets_color(filter->sequence, filter->sequence_bytes);
	return filter->sequence_bytes;
}

size_t dph_plain_filter(struct dph_plain_filter *filter, const uint8_t *bytes, size_t count,
			uint8_t *out)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		const enum dph_escape_part part = dph_escape_next(&filter->escape, bytes[i]);

		if (part == DPH_ESCAPE_NONE) {
			used += put_text(filter, bytes[i], out + used);
			continue;
		}
		if (filter->escape.bytes == 1)
			filter->sequence_bytes = 0;
		filter->sequence[filter->sequence_bytes++] = bytes[i];
		if (part == DPH_ESCAPE_COLOR)
			used += put_color(filter, out + used);
	}
	return used;
}
