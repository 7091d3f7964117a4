/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads pragmas: options, and words that D accepts. */
#define _GNU_SOURCE
#include "pragma.h"

#include <string.h>

enum use {
	USE_NONE,
	USE_FLAG
};

static const struct {
	const char *name;
	enum use use;
} options[] = {
#define OPTION(name, use, text) {#name, USE_##use},
#include "options.def"
};

static bool *flag_named(struct d_front *d, const char *name)
{
	return strcmp(name, "quiet") == 0     ? &d->quiet
	       : strcmp(name, "errtags") == 0 ? &d->errtags
					      : &d->zdefs;
}

static const char *next_word(const char **at, const char *stops)
{
	*at += strspn(*at, " \t");
	const char *word = *at;
	*at += strcspn(*at, stops);
	return word;
}

static void set_option(struct d_front *d, struct dph_place place, const char *at)
{
	const char *word = next_word(&at, " \t=");
	const char *name = dph_pool_copy(d->pool, word, (size_t)(at - word));
	struct dph_closest closest = dph_closest(name, strlen(name));
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		dph_closest_try(&closest, options[i].name);
		if (strcmp(options[i].name, name) != 0)
			continue;
		if (options[i].use == USE_FLAG)
			*flag_named(d, name) = true;
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

void dph_d_pragmas(struct d_front *d)
{
	const struct dph_source_file *file = &d->source->files[0];
	unsigned number = 1;
	for (const char *at = file->text; *at; number++) {
		const size_t bytes = strcspn(at, "\n"), blank = strspn(at, " \t");
		if (at[blank] == '#') {
			struct dph_line *line = dph_pool_take(d->pool, sizeof(*line));
			*line = (struct dph_line){.text = dph_pool_copy(d->pool, at, bytes),
						  .file = file->name,
						  .number = number};
			read_pragma(d, (struct dph_place){line, blank, bytes - blank});
		}
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
