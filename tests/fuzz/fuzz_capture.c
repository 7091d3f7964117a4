/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures from any bytes, with the checks of facts and events made right so that what is behind
 * them is reached. */
#define _GNU_SOURCE
#include "capture/capture.h"
#include "dp_crc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define REQUIRE(what) ((what) ? (void)0 : abort())

enum {
	INPUT_MAX = 65536
};

/* Make the check of a line right. */
static void repair(char *line, size_t count)
{
	char text[DPH_CAPTURE_CRC_CHARS + 1];

	if (count < DPH_CAPTURE_CRC_CHARS || (*line != '#' && *line != '!'))
		return;
	count -= DPH_CAPTURE_CRC_CHARS;
	snprintf(text, sizeof text, " ;%08" PRIx32, dp_crc32(0, line, count));
	memcpy(line + count, text, DPH_CAPTURE_CRC_CHARS);
}

static void repair_lines(char *text, size_t bytes)
{
	for (size_t at = 0; at < bytes;) {
		const char *end = memchr(text + at, '\n', bytes - at);
		const size_t count = end != NULL ? (size_t)(end - text) - at : bytes - at;

		repair(text + at, count);
		at += count + 1;
	}
}

/* What a reader of events does with their text. */
static void take_words(char *text)
{
	uint64_t value;

	for (unsigned base = 16; *text != '\0'; base ^= 16 ^ 10)
		dph_capture_number(&text, base, &value);
}

/* What capture.h says of an entry. */
static void require(const struct dph_captured_entry *entry, unsigned long number)
{
	REQUIRE(entry->number > number && entry->text[entry->count] == '\0');
	switch (entry->kind) {
	case DPH_CAPTURED_LINE:
		REQUIRE(entry->text[entry->count - 1] == '\n');
		break;
	case DPH_CAPTURED_FACT:
	case DPH_CAPTURED_EVENT:
		REQUIRE(strlen(entry->text) == entry->count);
		take_words(entry->text);
		break;
	case DPH_CAPTURED_OBJECT:
		REQUIRE(entry->name != NULL);
		break;
	default:
		break;
	}
}

static void read_all(const char *path)
{
	struct dph_capture_reader *reader = dph_capture_open(path, NULL);
	struct dph_captured_entry entry;
	unsigned long number = 1;

	if (reader == NULL)
		return;
	for (;;) {
		dph_capture_read(reader, &entry);
		if (entry.kind == DPH_CAPTURED_END)
			break;
		require(&entry, number);
		number = entry.number;
	}
	dph_capture_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char path[32], *copy;
	int file;

	if (bytes > INPUT_MAX)
		return 0;
	file = memfd_create("capture", MFD_CLOEXEC);
	copy = malloc(bytes + 1);
	REQUIRE(file >= 0 && copy != NULL);
	memcpy(copy, data, bytes);
	repair_lines(copy, bytes);
	REQUIRE(write(file, copy, bytes) == (ssize_t)bytes);
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	read_all(path);
	close(file);
	free(copy);
	return 0;
}
