/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of captures takes a file from anywhere: each line is checked before it counts. */
#define _GNU_SOURCE
#include "capture.h"

#include "base64.h"
#include "base/pool.h"
#include "dp_crc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dph_capture_reader {
	FILE *file;
	char *line;
	size_t room;
	size_t count; /* of the line, without the newline */
	unsigned long number;
	uint64_t last_us, before_us; /* the two latest times */
	bool timed;                  /* there was one */
	struct dph_bytes object;
	char *name;
};

/* --- lines --- */

/* Read a line with its newline: a line without it was cut. Returns false at the end. */
static bool next_line(struct dph_capture_reader *reader)
{
	const ssize_t count = getline(&reader->line, &reader->room, reader->file);

	if (count <= 0 || reader->line[count - 1] != '\n')
		return false;
	reader->number++;
	reader->count = (size_t)count - 1;
	return true;
}

/* Take the line that was read and all behind it. */
static void take_all(const struct dph_capture_reader *reader, struct dph_bytes *bytes)
{
	char part[BUFSIZ];
	size_t count = reader->number > 0 ? reader->count + 1 : 0;

	dph_bytes_add(bytes, reader->line, count);
	while ((count = fread(part, 1, sizeof part, reader->file)) > 0)
		dph_bytes_add(bytes, part, count);
}

struct dph_capture_reader *dph_capture_open(const char *path, struct dph_bytes *other)
{
	struct dph_capture_reader *reader = dph_malloc(sizeof *reader);

	*reader = (struct dph_capture_reader){0};
	reader->file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	errno = reader->file == NULL ? errno : 0;
	if (reader->file != NULL && next_line(reader) &&
	    strcmp(reader->line, DPH_CAPTURE_FIRST "\n") == 0)
		return reader;
	if (reader->file != NULL && other != NULL)
		take_all(reader, other);
	dph_capture_reader_free(reader);
	return NULL;
}

void dph_capture_reader_free(struct dph_capture_reader *reader)
{
	const int error = errno;

	if (reader == NULL)
		return;
	if (reader->file != NULL && reader->file != stdin)
		fclose(reader->file);
	free(reader->line);
	free(reader->object.data);
	free(reader->name);
	free(reader);
	errno = error;
}

/* --- words --- */

char *dph_capture_word(char **text)
{
	char *word = *text + strspn(*text, " ");

	*text = word + strcspn(word, " ");
	if (**text != '\0')
		*(*text)++ = '\0';
	return word;
}

static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

bool dph_capture_number(char **text, unsigned base, uint64_t *value)
{
	const char *word = dph_capture_word(text);

	*value = 0;
	if (*word == '\0')
		return false;
	for (; *word != '\0'; word++) {
		const unsigned digit = digit_of(*word);

		if (digit >= base)
			return false;
		*value = *value * base + digit;
	}
	return true;
}

/* --- checks --- */

/* Remove the check from the end of the line. False: it is not right. */
static bool take_check(struct dph_capture_reader *reader)
{
	char text[DPH_CAPTURE_CRC_CHARS + 1];
	const size_t left = reader->count - DPH_CAPTURE_CRC_CHARS;

	if (reader->count < DPH_CAPTURE_CRC_CHARS)
		return false;
	snprintf(text, sizeof text, " ;%08x", (unsigned)dp_crc32(0, reader->line, left));
	if (memcmp(reader->line + left, text, DPH_CAPTURE_CRC_CHARS) != 0 ||
	    memchr(reader->line, '\0', left) != NULL)
		return false;
	reader->line[left] = '\0';
	reader->count = left;
	return true;
}

/* Take "T.TTTTTT " off. */
static bool read_time(char **text, uint64_t *us)
{
	uint64_t value = 0;
	char *at = *text;
	unsigned digits = 0;

	for (; digit_of(*at) < 10 && digits < 12; digits++)
		value = value * 10 + digit_of(*at++);
	if (digits == 0 || *at++ != '.')
		return false;
	for (digits = 0; digits < 6 && digit_of(*at) < 10; digits++)
		value = value * 10 + digit_of(*at++);
	if (digits < 6 || *at++ != ' ')
		return false;
	*us = value;
	*text = at;
	return true;
}

/* Times grow. One time may be damaged: then the next one is behind the time before. */
static bool fits(struct dph_capture_reader *reader, uint64_t us)
{
	if (reader->timed && us <= reader->last_us &&
	    (us == reader->last_us || us <= reader->before_us))
		return false;
	reader->before_us = us > reader->last_us ? reader->last_us : reader->before_us;
	reader->last_us = us;
	reader->timed = true;
	return true;
}

/* --- entries --- */

static void damaged(struct dph_captured_entry *entry, const char *sentence)
{
	entry->kind = DPH_CAPTURED_DAMAGED;
	entry->text = (char *)(uintptr_t)sentence;
	entry->count = strlen(sentence);
}

static void read_fact(struct dph_capture_reader *reader, struct dph_captured_entry *entry)
{
	entry->kind = DPH_CAPTURED_FACT;
	if (!take_check(reader)) {
		damaged(entry, "a wrong check");
		entry->decides = true;
		return;
	}
	entry->text = reader->line + strspn(reader->line, "# ");
	entry->count = strlen(entry->text);
}

/* The text of an entry with a time begins at `at`. */
static void read_timed(struct dph_capture_reader *reader, struct dph_captured_entry *entry,
		       char *at)
{
	uint64_t us;

	if (!read_time(&at, &us)) {
		damaged(entry, "no time");
	} else if (!fits(reader, us)) {
		damaged(entry, "a time that is not behind the time before");
	} else {
		entry->ms = us / 1000;
		entry->text = at;
		entry->count = reader->count - (size_t)(at - reader->line);
	}
}

/* Replace \n, \r, \\ and \xNN by their bytes. False: another character behind a backslash. */
static bool plain_text(struct dph_captured_entry *entry)
{
	const char *from = entry->text;
	const char *end = from + entry->count;
	char *to = entry->text;

	while (from < end) {
		unsigned high, low;

		if (*from < ' ' || *from > '~')
			return false;
		if (*from != '\\') {
			*to++ = *from++;
			continue;
		}
		if (from[1] == 'n' || from[1] == 'r' || from[1] == '\\') {
			*to++ = from[1] == 'n' ? '\n' : from[1] == 'r' ? '\r' : '\\';
			from += 2;
			continue;
		}
		high = from[1] == 'x' ? digit_of(from[2]) : 16;
		low = high < 16 ? digit_of(from[3]) : 16;
		if (low > 15)
			return false;
		*to++ = (char)(high << 4 | low);
		from += 4;
	}
	*to = '\0';
	entry->count = (size_t)(to - entry->text);
	return true;
}

static void read_text(struct dph_capture_reader *reader, struct dph_captured_entry *entry)
{
	entry->kind = DPH_CAPTURED_TEXT;
	reader->line[reader->count] = '\0';
	read_timed(reader, entry, reader->line + 1);
	if (entry->kind == DPH_CAPTURED_TEXT && !plain_text(entry))
		damaged(entry, "a character that no console text has");
}

static void read_event(struct dph_capture_reader *reader, struct dph_captured_entry *entry)
{
	entry->kind = DPH_CAPTURED_EVENT;
	if (!take_check(reader) || reader->line[1] != ' ')
		damaged(entry, "a wrong check");
	else
		read_timed(reader, entry, reader->line + 2);
}

static void read_wire(struct dph_capture_reader *reader, struct dph_captured_entry *entry)
{
	entry->kind = DPH_CAPTURED_LINE;
	read_timed(reader, entry, reader->line);
	if (entry->kind == DPH_CAPTURED_LINE)
		entry->count++; /* the newline */
}

/* --- objects --- */

/* Add a line of an object. */
static bool add_object_line(struct dph_capture_reader *reader)
{
	uint8_t bytes[DPH_BASE64_BYTES];
	size_t count;

	if (reader->count > DPH_BASE64_CHARS || reader->object.count > DPH_CAPTURE_OBJECT_MAX ||
	    !dph_base64_read(reader->line, reader->count, bytes, &count))
		return false;
	dph_bytes_add(&reader->object, bytes, count);
	return true;
}

static void end_object(struct dph_capture_reader *reader, struct dph_captured_entry *entry,
		       bool good)
{
	char text[32];
	const uint32_t crc = dp_crc32(dp_crc32(0, reader->name, strlen(reader->name)),
				      reader->object.data, reader->object.count);

	snprintf(text, sizeof text, "%%end ;%08x\n", (unsigned)crc);
	entry->number = reader->number;
	if (!good || strcmp(reader->line, text) != 0) {
		damaged(entry, "the end of a damaged object");
		entry->decides = true;
		return;
	}
	entry->kind = DPH_CAPTURED_OBJECT;
	entry->name = reader->name;
	entry->count = reader->object.count;
	dph_bytes_add(&reader->object, "", 1);
	entry->text = (char *)reader->object.data;
}

static void read_object(struct dph_capture_reader *reader, struct dph_captured_entry *entry)
{
	static const char begin[] = "%object ";
	bool good = true;

	reader->line[reader->count] = '\0';
	if (strncmp(reader->line, begin, sizeof begin - 1) != 0) {
		damaged(entry, "no entry of a capture");
		return;
	}
	free(reader->name);
	reader->name = dph_strdup(reader->line + sizeof begin - 1);
	reader->object.count = 0;
	while (next_line(reader)) {
		if (reader->line[0] == '%') {
			end_object(reader, entry, good);
			return;
		}
		good = good && add_object_line(reader);
	}
	entry->kind = DPH_CAPTURED_END;
}

void dph_capture_read(struct dph_capture_reader *reader, struct dph_captured_entry *entry)
{
	*entry =
		(struct dph_captured_entry){.kind = DPH_CAPTURED_END, .ms = reader->last_us / 1000};
	if (!next_line(reader))
		return;
	entry->number = reader->number;
	switch (reader->line[0]) {
	case '#':
		read_fact(reader, entry);
		break;
	case '!':
		read_event(reader, entry);
		break;
	case 'C':
		read_text(reader, entry);
		break;
	case '%':
		read_object(reader, entry);
		break;
	default:
		read_wire(reader, entry);
		break;
	}
}
