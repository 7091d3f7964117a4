/* SPDX-License-Identifier: BSD-2-Clause */
/* Templates: any file is read or refused with a word; any data becomes text of bounded length, of
 * the characters that may be printed, with whatever template there is. Input: u8 target (1 words of
 * 8 bytes, 2 big-endian, 4 leftover data is shown), u8 how many of the last 16-byte units are data
 * of a record; the file; the data. */
#define _GNU_SOURCE
#include <dprobes/host.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum {
	BYTES_MAX = 8192,
	HEAD = 2,
	UNIT = 16,
	CODES = 8, /* minor codes that are tried, with as many major ones */
	REMARK_MAX = 64,
};

#define REQUIRE(what) ((what) ? (void)0 : abort())

/* Bytes of the UTF-8 character that stands there, which is no C1 control. */
static size_t require_character(const char *text)
{
	const unsigned char c = (unsigned char)text[0];
	const size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

	REQUIRE(c < 0x80 || (c >= 0xc2 && c <= 0xf4));
	for (size_t i = 1; i < n; i++)
		REQUIRE(((unsigned char)text[i] & 0xc0) == 0x80);
	REQUIRE(c != 0xc2 || (unsigned char)text[1] >= 0xa0);
	return n;
}

/* What is said of a file may be printed, whatever is in the file. */
static void messages_done(struct dp_messages *messages)
{
	char *said = NULL;
	size_t bytes;
	FILE *out = open_memstream(&said, &bytes);

	REQUIRE(out);
	dp_messages_print(messages, out, false);
	fclose(out);
	for (size_t i = 0; i < bytes; i++)
		REQUIRE(said[i] == '\n' || said[i] == '\t' ||
			((unsigned char)said[i] >= 0x20 && said[i] != 0x7f));
	for (size_t i = 0; i < bytes;)
		i += require_character(said + i);
	free(said);
	for (size_t i = 0; i < messages->count; i++) {
		const struct dp_message *m = &messages->list[i];

		REQUIRE(m->line == 0 || (m->column >= 1 && m->width >= 1));
	}
	dp_messages_free(messages);
}

/* Bytes above 0x7e stand only in text of the templates. */
static void require_text(const char *text, bool ascii)
{
	REQUIRE(text != NULL);
	const size_t n = strlen(text);

	REQUIRE(n >= 1 && text[n - 1] == '\n');
	REQUIRE(n <= DP_TEMPLATE_TEXT_MAX + REMARK_MAX);
	for (size_t i = 0; i < n; i++) {
		const unsigned char c = (unsigned char)text[i];

		REQUIRE(c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f));
		REQUIRE(!ascii || c < 0x80);
	}
	for (size_t i = 0; i < n;)
		i += require_character(text + i);
}

/* What a stack trace may be; the same data may be one. */
static void trace(const struct dp_template_record *record)
{
	char *text = dp_template_trace(record);

	require_text(text, true);
	free(text);
}

static void format(const struct dp_templates *templates, const uint8_t *data, size_t bytes,
		   uint8_t target, bool ascii)
{
	struct dp_template_record record = {
		.data = data,
		.bytes = bytes,
		.word_bytes = target & 1 ? 8 : 4,
		.big_endian = target & 2,
		.leftover = target & 4,
	};

	trace(&record);
	for (unsigned code = 0; code < CODES * CODES; code++) {
		record.major = (uint16_t)(code / CODES);
		record.minor = (uint16_t)(code % CODES);
		if (code != 0 && dp_template_desc(templates, record.major, record.minor) == NULL)
			continue; /* all without a template are dumped alike */
		char *text = dp_template_text(templates, &record);
		require_text(text, ascii);
		free(text);
	}
}

/* Names from the root would be opened. All others are beside a file that is not there. */
static bool names_a_file(const char *text, size_t bytes)
{
	return memmem(text, bytes, "\"/", 2) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct dp_messages messages = {0};
	bool ascii = true;

	if (bytes < HEAD || bytes > BYTES_MAX)
		return 0;
	const char *file = (const char *)data + HEAD;
	size_t file_bytes = bytes - HEAD, data_bytes = (size_t)data[1] * UNIT;
	if (data_bytes > file_bytes)
		data_bytes = file_bytes;
	file_bytes -= data_bytes;
	if (names_a_file(file, file_bytes))
		return 0;
	for (size_t i = 0; i < file_bytes; i++)
		ascii = ascii && (unsigned char)file[i] < 0x80;
	struct dp_templates *templates =
		dp_templates_from_text(file, file_bytes, "/nowhere/fuzz.tpl", &messages);
	REQUIRE((templates == NULL) == (messages.errors > 0));
	messages_done(&messages);
	if (templates != NULL)
		REQUIRE(dp_templates_count(templates) <= file_bytes / 2);
	format(templates, data + HEAD + file_bytes, data_bytes, data[0], ascii);
	dp_templates_free(templates);
	return 0;
}
