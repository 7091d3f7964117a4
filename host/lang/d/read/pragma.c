/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads pragmas: options, and words that D accepts. */
#define _GNU_SOURCE
#include "pragma.h"

#include "provider.h"
#include "words.h"

#include "dp_object.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum use {
	USE_NONE,
	USE_FLAG,
	USE_NUMBER,
	USE_WORD,
	USE_TIME,
	USE_TEXT,
	USE_FOLDER,
	USE_LATER
};

static const struct {
	const char *name;
	enum use use;
	const char *text;
} options[] = {
#define OPTION(name, use, text) {#name, USE_##use, text},
#include "options.def"
};

static const struct number {
	const char *name;
	size_t member;
	unsigned least, most;
} numbers[] = {
#define NUMBER(name, member, least, most) {#name, offsetof(struct d_front, member), least, most},
#include "options.def"
};

static const struct word {
	const char *name;
	size_t member;
	const char *word;
	bool value;
} words[] = {
#define WORD(name, member, word, value) {#name, offsetof(struct d_front, member), word, value},
#include "options.def"
};

/* in milliseconds */
static const struct number times[] = {
#define TIME(name, member, least, most) {#name, offsetof(struct d_front, member), least, most},
#include "options.def"
};

/* A unit of time as a number of milliseconds, or as many in a second. */
static const struct unit {
	const char *name;
	unsigned ms;
	bool rate;
} units[] = {{"ms", 1, false},     {"msec", 1, false},  {"s", 1000, false},
	     {"sec", 1000, false}, {"m", 60000, false}, {"hz", 1000, true}};

static const struct text {
	const char *name;
	size_t member;
} texts[] = {
#define TEXT(name, member) {#name, offsetof(struct d_front, member)},
#include "options.def"
};

static const struct flag {
	const char *name;
	size_t member;
} flags[] = {
#define FLAG(name, member) {#name, offsetof(struct d_front, member)},
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

/* at: "=on", "=off", or empty */
static void set_flag(struct d_front *d, struct dph_place place, const char *name, const char *at)
{
	static const char *const words[] = {"0", "off", "no", "false", "1", "on", "yes", "true"};
	const size_t off = 4, count = sizeof(words) / sizeof(*words);
	at += strspn(at, " \t=");
	const size_t bytes = strcspn(at, " \t\r");
	size_t i = 0;
	while (i < count && (strlen(words[i]) != bytes || strncmp(words[i], at, bytes) != 0))
		i++;
	if (at[bytes + strspn(at + bytes, " \t\r")] || (bytes && i == count))
		dph_d_error(d, D_PRAGMA_OPTSET, place, "'%s' takes no value, =on or =off", name);
	else
		*flag_named(d, name) = !bytes || i >= off;
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

static const struct unit *unit_named(const char *at)
{
	const size_t bytes = strcspn(at, " \t\r");
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strlen(units[i].name) == bytes && strncmp(units[i].name, at, bytes) == 0 &&
		    !at[bytes + strspn(at + bytes, " \t\r")])
			return &units[i];
	return NULL;
}

/* at: "=500ms", "=4hz" */
static void set_time(struct d_front *d, struct dph_place place, const char *name, const char *at)
{
	const struct number *time = times;
	char *end = NULL;
	while (strcmp(time->name, name) != 0)
		time++;
	at += strspn(at, " \t=");
	const unsigned long value = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
	const struct unit *unit = end ? unit_named(end) : NULL;
	unsigned long ms = 0;
	if (unit && unit->rate)
		ms = value ? unit->ms / value : 0;
	else if (unit && value <= time->most / unit->ms)
		ms = value * unit->ms;
	if (unit && ms >= time->least && ms <= time->most)
		*number_at(d, time) = (unsigned)ms;
	else
		dph_d_error(d, D_PRAGMA_OPTSET, place,
			    "'%s' needs a time with a unit from %u ms to %u s: %s=500ms, %s=2s, "
			    "%s=4hz",
			    name, time->least, time->most / 1000, name, name, name);
}

/* "lines=first, lines=all" */
static const char *words_of(struct d_front *d, const char *name)
{
	const char *list = "";
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i].name, name) == 0)
			list = dph_pool_print(d->pool, "%s%s%s=%s", list, *list ? ", " : "", name,
					      words[i].word);
	return list;
}

/* at: "=WORD" */
static void set_word(struct d_front *d, struct dph_place place, const char *name, const char *at)
{
	at += strspn(at, " \t=");
	const size_t bytes = strcspn(at, " \t\r");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i].name, name) == 0 && strlen(words[i].word) == bytes &&
		    strncmp(at, words[i].word, bytes) == 0 &&
		    !at[bytes + strspn(at + bytes, " \t\r")]) {
			*(bool *)(void *)((char *)d + words[i].member) = words[i].value;
			return;
		}
	dph_d_error(d, D_PRAGMA_OPTSET, place, "'%s' takes: %s", name, words_of(d, name));
}

/* at: "=TEXT", which may stand in quotes. Null: there is none, and the error is said. */
static const char *read_text(struct d_front *d, struct dph_place place, const char *name,
			     const char *at)
{
	static const char quotes[] = " \t\r\"'";
	at += strspn(at, " \t=");
	at += strspn(at, quotes);
	size_t bytes = strlen(at);
	while (bytes > 0 && strchr(quotes, at[bytes - 1]))
		bytes--;
	if (bytes)
		return dph_pool_copy(d->pool, at, bytes);
	dph_d_error(d, D_PRAGMA_OPTSET, place, "'%s' needs a value: %s=...", name, name);
	return NULL;
}

static void set_text(struct d_front *d, struct dph_place place, const char *name, const char *at)
{
	const struct text *row = texts;
	const char *text = read_text(d, place, name, at);
	while (strcmp(row->name, name) != 0)
		row++;
	if (text)
		*(const char **)(void *)((char *)d + row->member) = text;
}

/* The folder stands behind those that were given before. */
static void add_folder(struct d_front *d, struct dph_place place, const char *name, const char *at)
{
	struct d_folder **end = &d->libs;
	const char *path = read_text(d, place, name, at);
	while (*end)
		end = &(*end)->next;
	if (!path)
		return;
	*end = dph_pool_take(d->pool, sizeof(**end));
	(*end)->path = path;
}

static const char *option_names(struct d_front *d)
{
	const char *list = "";
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].use != USE_LATER && options[i].use != USE_NONE)
			list = dph_pool_print(d->pool, "%s%s%s", list, *list ? ", " : "",
					      options[i].name);
	return list;
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
			set_flag(d, place, name, at);
		else if (options[i].use == USE_NUMBER)
			set_number(d, place, name, at);
		else if (options[i].use == USE_WORD)
			set_word(d, place, name, at);
		else if (options[i].use == USE_TIME)
			set_time(d, place, name, at);
		else if (options[i].use == USE_TEXT)
			set_text(d, place, name, at);
		else if (options[i].use == USE_FOLDER)
			add_folder(d, place, name, at);
		else if (options[i].use == USE_LATER)
			dph_d_error(d, D_HERE_STEP, place, "'%s': %s", name, options[i].text);
		return;
	}
	place.start += (size_t)(word - (place.line->text + place.start));
	place.bytes = strlen(name);
	if (closest.best)
		dph_d_error(d, D_PRAGMA_OPTSET, place, "unknown option '%s'; did you mean '%s'?",
			    name, closest.best);
	else
		dph_d_error(d, D_PRAGMA_OPTSET, place, "unknown option '%s'; there are: %s", name,
			    option_names(d));
}

static bool word_is(const char *word, const char *end, const char *wanted)
{
	return (size_t)(end - word) == strlen(wanted) && strncmp(word, wanted, strlen(wanted)) == 0;
}

/* Of `#pragma D aggsize @name 256`, the part behind the word. */
static void set_places(struct d_front *d, struct dph_place place, const char *at)
{
	const char *word = next_word(&at, " \t\r");
	const char *name = dph_pool_copy(d->pool, word, (size_t)(at - word));
	char *end = NULL;
	at += strspn(at, " \t");
	const unsigned long value = *at >= '0' && *at <= '9' ? strtoul(at, &end, 0) : 0;
	if (*name != '@' || !end || end[strspn(end, " \t\r")] || value < 1 ||
	    value > DP_MAP_PLACES_MAX) {
		dph_d_error(d, D_PRAGMA_MALFORM, place,
			    "'aggsize' takes an aggregation and a number from 1 to %d: "
			    "#pragma D aggsize @name 256",
			    DP_MAP_PLACES_MAX);
		return;
	}
	struct d_places *made = dph_pool_take(d->pool, sizeof(*made));
	*made = (struct d_places){d->places, name + 1, (unsigned)value};
	d->places = made;
}

/* The rest of the line, without blanks around it. */
static const char *rest_of(struct d_front *d, const char *at)
{
	at += strspn(at, " \t");
	size_t bytes = strlen(at);
	while (bytes > 0 && strchr(" \t\r", at[bytes - 1]))
		bytes--;
	return dph_pool_copy(d->pool, at, bytes);
}

/* Of `#pragma D depends_on provider fbt`, the part behind the second word. */
static void check_dependence(struct d_front *d, struct dph_place place, const char *at)
{
	const char *kind = next_word(&at, " \t\r");
	const bool provider = word_is(kind, at, "provider"), module = word_is(kind, at, "module");
	const bool library = word_is(kind, at, "library");
	const char *name = rest_of(d, at);
	if ((!provider && !module && !library) || !*name)
		dph_d_error(d, D_PRAGMA_MALFORM, place,
			    "'depends_on' takes provider, module or library, and a name");
	else if (provider ? !dph_d_has_provider(name)
			  : module && d->image && strcmp(name, dph_d_module_name(d)) != 0)
		dph_d_error(d, D_PRAGMA_DEPEND, place, "the program needs the %s '%s'",
			    provider ? "provider" : "module", name);
}

/* `#pragma D option quiet` */
static void read_pragma(struct d_front *d, struct dph_place place)
{
	const char *at = place.line->text + place.start + 1;
	const char *word = next_word(&at, " \t\r");
	if (!word_is(word, at, "pragma"))
		return;
	word = next_word(&at, " \t\r");
	const bool ours = word_is(word, at, "D");
	if (ours)
		word = next_word(&at, " \t\r");
	if (word_is(word, at, "error"))
		dph_d_error(d, D_PRAGERR, place, "#error: %s", rest_of(d, at));
	else if (!ours)
		return; /* of another tool */
	else if (word_is(word, at, "depends_on"))
		check_dependence(d, place, at);
	else if (word_is(word, at, "option"))
		set_option(d, place, at);
	else if (word_is(word, at, "aggsize"))
		set_places(d, place, at);
	else if (!word_is(word, at, "attributes") && !word_is(word, at, "binding"))
		dph_d_error(d, D_PRAGMA_INVAL, place,
			    "unknown pragma '%.*s'; there are: option, aggsize, depends_on, error, "
			    "attributes, binding",
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
