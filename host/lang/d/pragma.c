/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads pragmas: options, and words that D accepts. */
#define _GNU_SOURCE
#include "pragma.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum use {
	USE_NONE,
	USE_FLAG,
	USE_NUMBER,
	USE_WORD
};

static const struct {
	const char *name;
	enum use use;
} options[] = {
#define OPTION(name, use, text) {#name, USE_##use},
#define FLAG(name, member)
#define NUMBER(name, member, least, most)
#define WORD(name, member, word)
#include "options.def"
};

static const struct number {
	const char *name;
	size_t member;
	unsigned least, most;
} numbers[] = {
#define OPTION(name, use, text)
#define FLAG(name, member)
#define NUMBER(name, member, least, most) {#name, offsetof(struct d_front, member), least, most},
#define WORD(name, member, word)
#include "options.def"
};

static const struct word {
	const char *name;
	size_t member;
	const char *word;
} words[] = {
#define OPTION(name, use, text)
#define FLAG(name, member)
#define NUMBER(name, member, least, most)
#define WORD(name, member, word) {#name, offsetof(struct d_front, member), word},
#include "options.def"
};

static const struct flag {
	const char *name;
	size_t member;
} flags[] = {
#define OPTION(name, use, text)
#define FLAG(name, member) {#name, offsetof(struct d_front, member)},
#define NUMBER(name, member, least, most)
#define WORD(name, member, word)
#include "options.def"
};

static bool *flag_named(struct d_front *d, const char *name)
{
	const struct flag *flag = flags;
	while (strcmp(flag->name, name) != 0)
		flag++;
	return (bool *)(void *)((char *)d + flag->member);
}

static unsigned *number_at(struct d_front *d, const struct number *number)
{
	return (unsigned *)(void *)((char *)d + number->member);
}

static const char *next_word(const char **at, const char *stops)
{
	*at += strspn(*at, " \t");
	const char *word = *at;
	*at += strcspn(*at, stops);
	return word;
}

/* at: "=VALUE", or empty */
static void set_number(struct d_front *d, struct dph_place place, const char *name, const char *at)
{
	const struct number *number = numbers;
	char *end = NULL;
	while (strcmp(number->name, name) != 0)
		number++;
	at += strspn(at, " \t=");
	const unsigned long value = *at >= '0' && *at <= '9' ? strtoul(at, &end, 0) : 0;
	if (end && !end[strspn(end, " \t\r")] && value >= number->least && value <= number->most)
		*number_at(d, number) = (unsigned)value;
	else
		dph_d_error(d, D_PRAGMA_OPTSET, place, "'%s' needs a number from %u to %u: %s=%u",
			    name, number->least, number->most, name, *number_at(d, number));
}

/* at: "=WORD" */
static void set_word(struct d_front *d, struct dph_place place, const char *name, const char *at)
{
	const struct word *row = words;
	while (strcmp(row->name, name) != 0)
		row++;
	at += strspn(at, " \t=");
	if (strncmp(at, row->word, strlen(row->word)) == 0 &&
	    !at[strlen(row->word) + strspn(at + strlen(row->word), " \t\r")])
		*(bool *)(void *)((char *)d + row->member) = true;
	else
		dph_d_error(d, D_PRAGMA_OPTSET, place, "'%s' takes one word: %s=%s", name, name,
			    row->word);
}

static void set_option(struct d_front *d, struct dph_place place, const char *at)
{
	const char *word = next_word(&at, " \t=\r");
	const char *name = dph_pool_copy(d->pool, word, (size_t)(at - word));
	struct dph_closest closest = dph_closest(name, strlen(name));
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		dph_closest_try(&closest, options[i].name);
		if (strcmp(options[i].name, name) != 0)
			continue;
		if (options[i].use == USE_FLAG)
			*flag_named(d, name) = true;
		else if (options[i].use == USE_NUMBER)
			set_number(d, place, name, at);
		else if (options[i].use == USE_WORD)
			set_word(d, place, name, at);
		return;
	}
	place.start += (size_t)(word - (place.line->text + place.start));
	place.bytes = strlen(name);
	if (closest.best)
		dph_d_error(d, D_PRAGMA_OPTSET, place, "unknown option '%s'; did you mean '%s'?",
			    name, closest.best);
	else
		dph_d_error(d, D_PRAGMA_OPTSET, place, "unknown option '%s'", name);
}

static bool word_is(const char *word, const char *end, const char *wanted)
{
	return (size_t)(end - word) == strlen(wanted) && strncmp(word, wanted, strlen(wanted)) == 0;
}

/* `#pragma D option quiet` */
static void read_pragma(struct d_front *d, struct dph_place place)
{
	const char *at = place.line->text + place.start + 1;
	const char *word = next_word(&at, " \t\r");
	if (!word_is(word, at, "pragma"))
		return;
	word = next_word(&at, " \t\r");
	if (!word_is(word, at, "D"))
		return; /* of another tool */
	word = next_word(&at, " \t\r");
	if (word_is(word, at, "option"))
		set_option(d, place, at);
	else if (!word_is(word, at, "attributes") && !word_is(word, at, "binding"))
		dph_d_error(d, D_PRAGMA_INVAL, place, "unknown pragma '%.*s'; there are: option",
			    (int)(at - word), word);
}

/* Does a comment that began in or before this text go on behind it? */
static bool in_comment(const char *text, size_t bytes, bool inside)
{
	char quote = '\0';
	for (size_t i = 0; i < bytes; i++) {
		const char next = i + 1 < bytes ? text[i + 1] : '\0';
		if (inside) {
			inside = text[i] != '*' || next != '/';
			i += !inside;
		} else if (quote) {
			i += text[i] == '\\';
			quote = i < bytes && text[i] == quote ? '\0' : quote;
		} else if (text[i] == '/' && next == '/') {
			return false;
		} else if (text[i] == '/' && next == '*') {
			inside = true;
			i++;
		} else if (text[i] == '"' || text[i] == '\'') {
			quote = text[i];
		}
	}
	return inside;
}

/* An option of the command line is a line of its own in messages. */
static void command_line_option(struct d_front *d, const char *text)
{
	struct dph_line *line = dph_pool_take(d->pool, sizeof(*line));
	*line = (struct dph_line){.text = text, .file = "-x", .number = 1};
	set_option(d, (struct dph_place){line, 0, strlen(text)}, text);
}

void dph_d_options(struct d_front *d, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		command_line_option(d, list[i]);
}

void dph_d_pragmas(struct d_front *d)
{
	const struct dph_source_file *file = &d->source->files[0];
	bool comment = false;
	unsigned number = 1;
	for (const char *at = file->text; *at; number++) {
		const size_t bytes = strcspn(at, "\n"), blank = strspn(at, " \t");
		if (at[blank] == '#' && !comment) {
			const bool cut = bytes && at[bytes - 1] == '\r';
			struct dph_line *line = dph_pool_take(d->pool, sizeof(*line));
			*line = (struct dph_line){.text = dph_pool_copy(d->pool, at, bytes - cut),
						  .file = file->name,
						  .number = number};
			read_pragma(d, (struct dph_place){line, blank, bytes - cut - blank});
		}
		comment = in_comment(at, bytes, comment);
		at += bytes + (at[bytes] == '\n');
	}
}

void dph_d_directive(struct d_front *d, struct dph_place place, bool first)
{
	const char *at = place.line->text + place.start + 1;
	if ((first && *at == '!') || d->directive_line > (size_t)(place.line - d->source->lines))
		return;
	d->directive_line = (size_t)(place.line - d->source->lines) + 1;
	const char *word = next_word(&at, " \t\r");
	if (!word_is(word, at, "pragma") && !word_is(word, at, "line") &&
	    !word_is(word, at, "ident"))
		dph_d_error(d, D_SYNTAX, place,
			    "'#%.*s' is no directive; there are #include, #define, #if and #pragma",
			    (int)(at - word), word);
}
