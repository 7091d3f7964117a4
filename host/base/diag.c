/* SPDX-License-Identifier: BSD-2-Clause */
/* The message list collects, bounds and prints messages, and finds the nearest word to a misspelled
 * one. */
#define _GNU_SOURCE
#include "diag.h"

#include "diag_fold.h"
#include "plain.h"
#include "pool.h"
#include "utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	WORD_MAX = 63,
	CELLS_MAX = 1000000, /* of one search: pairs of letters that it compares, */
	CELLS_LOOK = 32,     /* and as many for each candidate */
	SOURCE_MAX = 512,    /* bytes of a line that a message shows */
	SOURCE_FRONT = 256,  /* of them before the column */
	TEXT_MAX = 1024,     /* bytes of a sentence; it may quote a word of the program */
	TEXT_BACK = 256,     /* of them from its end */
};

static void free_message(struct dp_message *message)
{
	free(message->file);
	free(message->text);
	free(message->source);
}

/* The number of messages up to the last one that an error may replace. */
static size_t replaceable(const struct dp_messages *messages)
{
	size_t i = messages->count;
	while (i && messages->list[i - 1].severity == DP_ERROR)
		i--;
	return i;
}

bool dph_messages_keep(const struct dp_messages *messages, enum dp_severity severity)
{
	return messages->count < DPH_MESSAGES_MAX ||
	       (severity == DP_ERROR && replaceable(messages));
}

/* Returns false when the list is full and keeps its messages. */
static bool make_room(struct dp_messages *messages, enum dp_severity severity)
{
	if (messages->count < DPH_MESSAGES_MAX)
		return true;
	if (!dph_messages_keep(messages, severity))
		return false;
	const size_t i = replaceable(messages);
	struct dp_message *last = &messages->list[i - 1];
	free_message(last);
	memmove(last, last + 1, (messages->count - i) * sizeof *last);
	messages->count--;
	return true;
}

/* Up to the newline, or `most`. */
static size_t line_bytes(const char *line, size_t most)
{
	const size_t bytes = strnlen(line, most);
	const char *newline = memchr(line, '\n', bytes);
	return newline ? (size_t)(newline - line) : bytes;
}

static bool inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The line, or the part of a long line around the column. */
static void copy_source(struct dp_message *message, const char *line)
{
	const size_t column = message->column ? message->column - 1 : 0;
	size_t from = 0, bytes = line_bytes(line, SOURCE_MAX + 1);
	if (bytes > SOURCE_MAX) {
		const size_t at = strnlen(line, column);
		from = at > SOURCE_FRONT ? at - SOURCE_FRONT : 0;
		for (int i = 0; from && i < 3 && inside_character(line[from]); i++)
			from++;
		bytes = line_bytes(line + from, SOURCE_MAX + 1);
	}
	message->more = bytes > SOURCE_MAX;
	bytes = message->more ? SOURCE_MAX : bytes;
	for (int i = 0; message->more && i < 3 && inside_character(line[from + bytes]); i++)
		bytes--;
	if (!message->more && bytes && line[from + bytes - 1] == '\r')
		bytes--;
	message->before = (unsigned)from;
	message->source = dph_strndup(line + from, bytes);
}

/* Of a long sentence front and end. */
static void shorten(char *text)
{
	static const char gap[] = " ... ";
	size_t bytes = strlen(text), front = TEXT_MAX - TEXT_BACK, back = bytes - TEXT_BACK;
	if (bytes <= TEXT_MAX)
		return;
	for (int i = 0; i < 3 && inside_character(text[front]); i++)
		front--;
	for (int i = 0; i < 3 && inside_character(text[back]); i++)
		back++;
	memcpy(text + front, gap, sizeof gap - 1);
	memmove(text + front + sizeof gap - 1, text + back, bytes - back + 1);
}

void dph_message_v(struct dp_messages *messages, const struct dp_message *where, const char *format,
		   va_list args)
{
	if (where->severity == DP_ERROR)
		messages->errors++;
	if (!make_room(messages, where->severity))
		return;
	messages->list = dph_grow(messages->list, &messages->capacity, messages->count,
				  sizeof(*messages->list));
	struct dp_message *message = &messages->list[messages->count++];
	*message = *where;
	message->file = where->file ? dph_strdup(where->file) : NULL;
	if (where->source)
		copy_source(message, where->source);
	message->text = dph_vprint(format, args);
	shorten(message->text);
}

void dph_message(struct dp_messages *messages, const struct dp_message *where, const char *format,
		 ...)
{
	va_list args;
	va_start(args, format);
	dph_message_v(messages, where, format, args);
	va_end(args);
}

void dph_file_error(struct dp_messages *messages, const char *file, const char *format, ...)
{
	struct dp_message where = {.severity = DP_ERROR, .file = (char *)file};
	va_list args;
	va_start(args, format);
	dph_message_v(messages, &where, format, args);
	va_end(args);
}

bool dph_messages_full(struct dp_messages *messages, const char *file)
{
	if (messages->errors < DPH_ERRORS_MAX)
		return false;
	if (messages->errors == DPH_ERRORS_MAX)
		dph_file_error(messages, file,
			       "%d errors are enough; correct them first, the rest was not checked",
			       DPH_ERRORS_MAX);
	return true;
}

void dp_messages_free(struct dp_messages *messages)
{
	for (size_t i = 0; i < messages->count; i++)
		free_message(&messages->list[i]);
	free(messages->list);
	*messages = (struct dp_messages){0};
}

void dph_messages_soften(struct dp_messages *messages)
{
	for (size_t i = 0; i < messages->count; i++)
		if (messages->list[i].severity == DP_ERROR)
			messages->list[i].severity = DP_WARNING;
	messages->errors = 0;
}

void dph_messages_drop_warnings(struct dp_messages *messages)
{
	size_t kept = 0;
	for (size_t i = 0; i < messages->count; i++)
		if (messages->list[i].severity == DP_WARNING)
			free_message(&messages->list[i]);
		else
			messages->list[kept++] = messages->list[i];
	messages->count = kept;
}

void dph_messages_move(struct dp_messages *to, struct dp_messages *from)
{
	for (size_t i = 0; i < from->count; i++) {
		to->list = dph_grow(to->list, &to->capacity, to->count, sizeof(*to->list));
		to->list[to->count++] = from->list[i];
	}
	to->errors += from->errors;
	free(from->list);
	*from = (struct dp_messages){0};
}

static const char *severity_text(enum dp_severity severity)
{
	static const char *const text[] = {"note", "warning", "error"};
	return text[severity];
}

static const char *severity_color(enum dp_severity severity)
{
	static const char *const color[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};
	return color[severity];
}

static void print_place(const struct dp_message *message, FILE *out)
{
	fprintf(out, "%s:", message->file ? message->file : "dprobes");
	if (message->file && message->line) {
		fprintf(out, "%u:", message->line);
		if (message->column)
			fprintf(out, "%u:", message->column);
	}
	putc(' ', out);
}

/* A tab goes under a tab, so that the caret is at the column that the reader sees. */
static void print_source(const struct dp_message *message, FILE *out, bool color)
{
	const char *front = message->before ? "..." : "", *text = message->source;
	bool plain;
	fputs(front, out);
	dph_plain_print(text, out);
	fputs(message->more ? "...\n" : "\n", out);
	if (!message->column)
		return;
	const size_t length = strlen(text), column = message->column - 1 - message->before;
	const size_t end = column + message->width < length ? column + message->width : length;
	fprintf(out, "%*s", (int)strlen(front), "");
	size_t i = 0;
	while (i < column && i < length) {
		putc(text[i] == '\t' ? '\t' : ' ', out);
		i += dph_plain_character(text + i, &plain);
	}
	for (; i < column; i++)
		putc(' ', out);
	fputs(color ? "\033[1;32m^" : "^", out);
	for (i += i < end ? dph_plain_character(text + i, &plain) : 0; i < end;
	     i += dph_plain_character(text + i, &plain))
		putc('~', out);
	fputs(color ? "\033[0m\n" : "\n", out);
}

/* more: of the messages behind it, those that are alike.
 * least: there may be more than those. */
static void print_message(const struct dp_message *message, size_t more, bool least, FILE *out,
			  bool color)
{
	if (color)
		fputs("\033[1m", out);
	print_place(message, out);
	if (color)
		fprintf(out, "%s%s:\033[0m ", severity_color(message->severity),
			severity_text(message->severity));
	else
		fprintf(out, "%s: ", severity_text(message->severity));
	dph_plain_print(message->text, out);
	if (more)
		fprintf(out, " (and %s%zu more %ss of this kind)", least ? "at least " : "", more,
			severity_text(message->severity));
	putc('\n', out);
	if (message->source)
		print_source(message, out, color);
}

/* The sentence of dph_messages_full is no error of the program, and is among the hidden ones.
 * told: errors that were printed, or that a printed one stands for. */
static void print_hidden(size_t errors, size_t told, FILE *out, bool color)
{
	const bool full = errors >= DPH_ERRORS_MAX;
	const size_t more = (errors == DPH_ERRORS_MAX + 1 ? DPH_ERRORS_MAX : errors) - told;
	char text[128];
	snprintf(text, sizeof(text), "%s%zu more errors; correct the first %d, then look again%s",
		 full ? "at least " : "", more, DPH_ERRORS_SHOWN,
		 full ? "; the rest was not checked" : "");
	print_message(&(struct dp_message){.severity = DP_ERROR, .text = text}, 0, false, out,
		      color);
}

void dp_messages_print(const struct dp_messages *messages, FILE *out, bool color)
{
	const bool full = messages->count >= DPH_MESSAGES_MAX;
	size_t more, shown = 0, told = 0;
	bool hidden = false;
	for (size_t i = 0; i < messages->count; i++) {
		const bool error = messages->list[i].severity == DP_ERROR;
		if (!dph_message_shown(messages, i, &more))
			continue;
		if (error && !messages->list[i].alone) {
			hidden |= shown == DPH_ERRORS_SHOWN;
			if (hidden)
				continue;
			shown++;
		}
		told += error ? 1 + more : 0;
		print_message(&messages->list[i], more, full, out, color);
	}
	if (hidden)
		print_hidden(messages->errors, told, out, color);
}

/* --- the nearest word ---------------------------------------------------------------------- */

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;
	return m < c ? m : c;
}

static int lower(char c)
{
	return tolower((unsigned char)c);
}

/* Edits that make one word of the other; a swap of neighbours is one. */
static unsigned distance(const char *a, size_t an, const char *b, size_t bn)
{
	unsigned rows[3][WORD_MAX + 1]; /* row i stands in rows[i % 3] */
	for (size_t j = 0; j <= bn; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= an; i++) {
		unsigned *now = rows[i % 3];
		const unsigned *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
		now[0] = (unsigned)i;
		for (size_t j = 1; j <= bn; j++) {
			bool same = lower(a[i - 1]) == lower(b[j - 1]);
			now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + !same);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]))
				now[j] = least(now[j], before[j - 2] + 1, now[j]);
		}
	}
	return rows[an % 3][bn];
}

/* A bit for each letter of the word. */
static uint32_t letters_of(const char *word, size_t bytes)
{
	uint32_t letters = 0;
	for (size_t i = 0; i < bytes; i++)
		letters |= (uint32_t)1 << (lower(word[i]) & 31);
	return letters;
}

struct dph_closest dph_closest(const char *word, size_t bytes)
{
	struct dph_closest closest = {.word = word, .word_bytes = bytes, .cells = CELLS_MAX};
	closest.letters = bytes <= WORD_MAX ? letters_of(word, bytes) : 0;
	/* A third of the word may be wrong; of two letters none is too many. */
	closest.distance = bytes <= 2 ? 2 : (unsigned)(bytes + 1) / 3 + 1;
	return closest;
}

/* An edit changes the length by one at most, and removes one letter at most. */
static bool may_be_nearer(const struct dph_closest *closest, const char *candidate, size_t bytes)
{
	const size_t a = closest->word_bytes;
	if ((a > bytes ? a - bytes : bytes - a) >= closest->distance)
		return false;
	const uint32_t letters = letters_of(candidate, bytes);
	return (unsigned)__builtin_popcount(letters & ~closest->letters) < closest->distance &&
	       (unsigned)__builtin_popcount(closest->letters & ~letters) < closest->distance &&
	       a * bytes <= closest->cells;
}

void dph_closest_try(struct dph_closest *closest, const char *candidate)
{
	if (closest->cells < CELLS_LOOK || closest->word_bytes > WORD_MAX)
		return;
	closest->cells -= CELLS_LOOK;
	size_t bytes = strnlen(candidate, WORD_MAX + 1);
	if (bytes > WORD_MAX || !may_be_nearer(closest, candidate, bytes))
		return;
	closest->cells -= bytes * closest->word_bytes;
	unsigned d = distance(closest->word, closest->word_bytes, candidate, bytes);
	if (d < closest->distance && d < bytes) {
		closest->distance = d;
		closest->best = candidate;
	}
}
