/* SPDX-License-Identifier: BSD-2-Clause */
/* The formatter of stack traces prints them as text.  RPN.md section 9. Only stack traces have
 * tokens 2 and 3. Every printed element uses data: the bytes of the trace bound the text. */
#define _GNU_SOURCE
#include <dprobes/templates.h>

#include <dprobes/errors.h>
#include <dprobes/host.h>
#include "base/pool.h"

#include "dp_rpn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trace {
	const struct dp_template_record *record;
	FILE *out;
	size_t at;      /* next byte */
	const char *no; /* why the reader stops; null: the reader continues */
};

static const uint8_t *take(struct trace *t, size_t bytes)
{
	const uint8_t *data = t->record->data + t->at;
	if (t->no)
		return NULL;
	if (t->record->bytes - t->at < bytes) {
		t->no = "<end of data>";
		return NULL;
	}
	t->at += bytes;
	return data;
}

/* 0 where the trace cannot be read. */
static uint64_t number(struct trace *t, size_t bytes)
{
	const uint8_t *data = take(t, bytes);
	uint64_t value = 0;
	for (size_t i = 0; data && i < bytes; i++)
		value = value << 8 | data[t->record->big_endian ? i : bytes - 1 - i];
	return value;
}

static uint64_t word(struct trace *t)
{
	return number(t, t->record->word_bytes);
}

/* The length under this token. */
static unsigned count(struct trace *t, unsigned token)
{
	const size_t from = t->at;
	if (number(t, 1) != token && !t->no) {
		t->at = from;
		t->no = "<bad prefix>";
	}
	return (unsigned)number(t, 2);
}

/* An address of the firmware, with its name. */
static void print_address(struct trace *t, uint64_t address)
{
	char text[DP_NAME_ROOM];
	fprintf(t->out, "0x%" PRIx64, address);
	if (dp_image_name(t->record->names, address, text))
		fprintf(t->out, " (%s)", text);
}

/* A code offset, with the source line of the instruction there. */
static void print_code(struct trace *t, uint64_t offset, uint64_t insn)
{
	const struct dp_object_file *object = t->record->object;
	const char *file;
	unsigned line;
	fprintf(t->out, "0x%" PRIx64, offset);
	if (object && insn <= UINT32_MAX && dp_object_line(object, (uint32_t)insn, &file, &line))
		fprintf(t->out, " (%s:%u)", file, line);
}

/* A word of the target: a name or a hexadecimal number. */
static void print_word(struct trace *t, uint64_t value)
{
	char text[DP_NAME_ROOM];
	if (dp_image_word_named(t->record->names, value))
		fputs(dp_image_word(t->record->names, value, text), t->out);
	else
		fprintf(t->out, "0x%" PRIx64, value);
}

static void print_head(struct trace *t)
{
	const unsigned bytes = count(t, RPN_TOKEN_STRING);
	const uint8_t *name = take(t, bytes);
	const uint64_t place = number(t, 8), id = number(t, 4);
	const uint64_t major = number(t, 2), minor = number(t, 2);
	if (t->no) {
		t->at = 0;
		return;
	}
	fputs("stack trace of ", t->out);
	for (unsigned i = 0; i < bytes; i++)
		putc(name[i] >= 0x20 && name[i] <= 0x7e ? name[i] : '.', t->out);
	fprintf(t->out, ", id %" PRIu64 ", codes %" PRIu64 ",%" PRIu64 ", probe at ", id, major,
		minor);
	print_address(t, place);
	putc('\n', t->out);
}

static void print_values(struct trace *t, const char *title, unsigned token)
{
	const unsigned values = count(t, token);
	if (t->no || !values)
		return;
	fprintf(t->out, "    %s", title);
	for (unsigned i = 0; i < values && !t->no; i++) {
		const uint64_t value = word(t);
		if (!t->no)
			putc(' ', t->out);
		if (!t->no)
			print_word(t, value);
	}
	putc('\n', t->out);
}

static void print_frame(struct trace *t)
{
	const uint64_t procedure = word(t), back = word(t);
	if (t->no)
		return;
	fputs("  procedure at ", t->out);
	print_code(t, procedure, procedure);
	fputs(", returns to ", t->out);
	print_code(t, back, back ? back - 1 : back); /* the call stands before */
	putc('\n', t->out);
	print_values(t, "stack", RPN_TOKEN_STACK);
	print_values(t, "lv", RPN_TOKEN_LV);
	print_values(t, "gv", RPN_TOKEN_GV);
}

static void print_record(struct trace *t)
{
	const uint64_t none = UINT64_MAX >> (64 - 8 * t->record->word_bytes);
	const uint64_t code = word(t), handler = word(t), parm1 = word(t), parm2 = word(t);
	const unsigned frames = count(t, RPN_TOKEN_FRAMES);
	if (t->no)
		return;
	if (code) {
		fprintf(t->out, "exception %s (", dp_exception_name((unsigned)code & 0xffff));
		print_word(t, parm1);
		fputs(", ", t->out);
		print_word(t, parm2);
		putc(')', t->out);
	} else {
		fputs("no exception", t->out);
	}
	if (handler != none) {
		fputs(", handler at ", t->out);
		print_code(t, handler, handler);
	}
	putc('\n', t->out);
	for (unsigned i = 0; i < frames && !t->no; i++)
		print_frame(t);
}

/* The part that could not be read. */
static void print_rest(struct trace *t)
{
	struct dp_template_record rest = *t->record;
	rest.data += t->at;
	rest.bytes -= t->at;
	if (rest.bytes == 0 && !t->no)
		return;
	fprintf(t->out, "%s\n", t->no ? t->no : "<bytes behind the trace>");
	if (rest.bytes == 0)
		return;
	char *text = dp_template_text(NULL, &rest);
	fputs(text, t->out);
	free(text);
}

char *dp_template_trace(const struct dp_template_record *record)
{
	struct trace t = {.record = record};
	char *text = NULL;
	size_t bytes;
	if (record->bytes)
		t.out = open_memstream(&text, &bytes);
	if (!t.out)
		return dph_strdup("\n");
	print_head(&t);
	const unsigned records = count(&t, RPN_TOKEN_TRACE);
	for (unsigned i = 0; i < records && !t.no; i++)
		print_record(&t);
	print_rest(&t);
	fclose(t.out);
	return text;
}
