/* SPDX-License-Identifier: BSD-2-Clause */
/* The writer of captures. Each line goes to the file when it is complete: a process that is killed
 * leaves whole lines. */
#define _GNU_SOURCE
#include "capture.h"

#include "base64.h"
#include "base/pool.h"
#include "dp_crc.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TEXT_MAX = 256 /* bytes of the console in a line */
};

struct dph_capture {
	FILE *file;
	int error;
	uint64_t began_us;
	uint64_t now_us, last_us; /* of the next entry; of the entry before */
	struct dph_bytes line;    /* under construction */
	uint8_t text[TEXT_MAX];   /* of the console, not yet written */
	size_t text_count;
	uint64_t text_us; /* when the first of these bytes came */
	/* for the end line */
	uint64_t lines, texts, events;
};

static uint64_t clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* --- lines of the file --- */

static void fail(struct dph_capture *capture)
{
	if (capture->error == 0)
		capture->error = errno != 0 ? errno : EIO;
}

static void put_line(struct dph_capture *capture)
{
	dph_bytes_add(&capture->line, "\n", 1);
	errno = 0;
	if (capture->error == 0 && (fwrite(capture->line.data, 1, capture->line.count,
					   capture->file) != capture->line.count ||
				    fflush(capture->file) != 0))
		fail(capture);
	capture->line.count = 0;
}

static void add(struct dph_capture *capture, const char *text)
{
	dph_bytes_add(&capture->line, text, strlen(text));
}

static void add_time(struct dph_capture *capture, uint64_t us)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRIu64 ".%06" PRIu64 " ", us / 1000000, us % 1000000);
	add(capture, text);
}

static void add_check(struct dph_capture *capture)
{
	char text[DPH_CAPTURE_CRC_CHARS + 1];

	snprintf(text, sizeof text, " ;%08" PRIx32,
		 dp_crc32(0, capture->line.data, capture->line.count));
	add(capture, text);
}

static void add_printed(struct dph_capture *capture, const char *format, va_list arguments)
{
	char *text = dph_vprint(format, arguments);

	for (char *at = text; *at != '\0'; at++)
		if (*at == '\n')
			*at = ' ';
	add(capture, text);
	free(text);
}

/* --- console --- */

/* Characters that are not printed in ASCII, and the backslash, become \xNN or a letter. */
static void add_character(struct dph_capture *capture, uint8_t byte)
{
	char text[8] = {(char)byte};

	if (byte == '\n')
		strcpy(text, "\\n");
	else if (byte == '\r')
		strcpy(text, "\\r");
	else if (byte == '\\')
		strcpy(text, "\\\\");
	else if (byte < ' ' || byte > '~')
		snprintf(text, sizeof text, "\\x%02x", byte);
	add(capture, text);
}

static void put_text(struct dph_capture *capture)
{
	if (capture->text_count == 0)
		return;
	add(capture, "C");
	add_time(capture, capture->text_us);
	for (size_t i = 0; i < capture->text_count; i++)
		add_character(capture, capture->text[i]);
	capture->text_count = 0;
	capture->last_us = capture->text_us;
	capture->texts++;
	put_line(capture);
}

/* --- time --- */

static void take_time(struct dph_capture *capture)
{
	const uint64_t now = clock_us() - capture->began_us;
	const uint64_t before = capture->text_count > 0 ? capture->text_us : capture->last_us;

	capture->now_us = now > before ? now : before + 1;
}

uint64_t dph_capture_now(struct dph_capture *capture)
{
	take_time(capture);
	return capture->now_us / 1000;
}

/* Begin an entry with the time that was taken. Returns its milliseconds. */
static uint64_t begin(struct dph_capture *capture, const char *sort)
{
	put_text(capture);
	if (capture->now_us <= capture->last_us)
		take_time(capture);
	add(capture, sort);
	add_time(capture, capture->now_us);
	capture->last_us = capture->now_us;
	return capture->now_us / 1000;
}

/* --- entries --- */

void dph_capture_fact(struct dph_capture *capture, const char *key, const char *format, ...)
{
	va_list arguments;

	put_text(capture);
	add(capture, "# ");
	add(capture, key);
	add(capture, " ");
	va_start(arguments, format);
	add_printed(capture, format, arguments);
	va_end(arguments);
	add_check(capture);
	put_line(capture);
}

uint64_t dph_capture_line(struct dph_capture *capture, const char *text, size_t count)
{
	uint64_t ms;

	take_time(capture);
	ms = begin(capture, "");
	dph_bytes_add(&capture->line, text, count);
	capture->lines++;
	put_line(capture);
	return ms;
}

void dph_capture_text(struct dph_capture *capture, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (capture->text_count == 0) {
			take_time(capture);
			capture->text_us = capture->now_us;
		}
		capture->text[capture->text_count++] = bytes[i];
		if (bytes[i] == '\n' || capture->text_count == TEXT_MAX)
			put_text(capture);
	}
}

void dph_capture_pause(struct dph_capture *capture)
{
	const uint64_t now = clock_us() - capture->began_us;

	if (capture->text_count > 0 && now - capture->text_us > DPH_CAPTURE_TEXT_MS * 1000)
		put_text(capture);
}

uint64_t dph_capture_event(struct dph_capture *capture, const char *format, ...)
{
	const uint64_t ms = begin(capture, "! ");
	va_list arguments;

	va_start(arguments, format);
	add_printed(capture, format, arguments);
	va_end(arguments);
	add_check(capture);
	capture->events++;
	put_line(capture);
	return ms;
}

void dph_capture_words(struct dph_capture *capture, const uint64_t *words, size_t count,
		       const char *format, ...)
{
	va_list arguments;
	char text[20];

	begin(capture, "! ");
	va_start(arguments, format);
	add_printed(capture, format, arguments);
	va_end(arguments);
	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof text, " %" PRIx64, words[i]);
		add(capture, text);
	}
	add_check(capture);
	capture->events++;
	put_line(capture);
}

void dph_capture_object(struct dph_capture *capture, const char *name, const uint8_t *bytes,
			size_t count)
{
	char text[DPH_BASE64_CHARS + 1];

	put_text(capture);
	add(capture, "%object ");
	add(capture, name);
	put_line(capture);
	for (size_t i = 0; i < count; i += DPH_BASE64_BYTES) {
		dph_base64_line(bytes + i,
				count - i < DPH_BASE64_BYTES ? count - i : DPH_BASE64_BYTES, text);
		add(capture, text);
		put_line(capture);
	}
	add(capture, "%end");
	snprintf(text, sizeof text, " ;%08" PRIx32,
		 dp_crc32(dp_crc32(0, name, strlen(name)), bytes, count));
	add(capture, text);
	put_line(capture);
}

/* --- life --- */

struct dph_capture *dph_capture_create(const char *path)
{
	struct dph_capture *capture = dph_malloc(sizeof *capture);

	*capture = (struct dph_capture){.file = fopen(path, "we")};
	if (capture->file == NULL) {
		free(capture);
		return NULL;
	}
	capture->began_us = clock_us() / 1000 * 1000;
	add(capture, DPH_CAPTURE_FIRST);
	put_line(capture);
	return capture;
}

int dph_capture_error(const struct dph_capture *capture)
{
	return capture->error;
}

bool dph_capture_close(struct dph_capture *capture)
{
	bool good;

	put_text(capture);
	take_time(capture);
	dph_capture_event(capture, "end lines %" PRIu64 " texts %" PRIu64 " events %" PRIu64,
			  capture->lines, capture->texts, capture->events);
	if (fclose(capture->file) != 0)
		fail(capture);
	good = capture->error == 0;
	free(capture->line.data);
	free(capture);
	return good;
}
