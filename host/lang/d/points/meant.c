/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptions that match nothing: probes of other tracers, and words that name no point. */
#define _GNU_SOURCE
#include "meant.h"

#include "debuginfo/debuginfo.h"
#include "symbols/elf_image.h"

#include <ctype.h>
#include <string.h>

static const struct {
	const char *name, *form;
} foreign[] = {
#define FOREIGN(name, form) {#name, form},
#include "lang/d/read/foreign.def"
};

static const char *last_field(const char *text)
{
	const char *colon = strrchr(text, ':');
	return colon ? colon + 1 : text;
}

/* `pid123` and `pid$target` are the provider pid. */
static bool is_named(const char *text, size_t bytes, const char *name)
{
	const size_t length = strlen(name);
	if (bytes < length || strncmp(text, name, length) != 0)
		return false;
	return bytes == length || (strcmp(name, "pid") == 0 &&
				   (isdigit((unsigned char)text[length]) || text[length] == '$'));
}

/* "fbt::queue_put:entry": the last field is the function, or `function:entry` are the last two. */
static const char *filled(struct d_front *d, const char *form, const char *text)
{
	const char *place = strstr(form, "%s"), *last = last_field(text), *function = last;
	if (!place)
		return form;
	if (strcmp(last, "entry") != 0 && strcmp(last, "return") != 0)
		return dph_pool_print(d->pool, "%.*s%s%s", (int)(place - form), form, last,
				      place + 2);
	for (function -= last > text; function > text && function[-1] != ':';)
		function--;
	return dph_pool_print(d->pool, "%.*s%s", (int)(place - form), form, function);
}

static const char *of_other_tracer(struct d_front *d, const char *text)
{
	const size_t bytes = strcspn(text, ":");
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		if (is_named(text, bytes, foreign[i].name))
			return filled(d, foreign[i].form, text);
	return NULL;
}

static const char *near_function(const struct d_front *d, const char *name)
{
	const struct dp_symbol *symbols = NULL;
	const size_t count = d->image ? dp_image_symbols(d->image, &symbols) : 0;
	struct dph_closest closest = dph_closest(name, strlen(name));
	for (size_t i = 0; i < count; i++)
		if (symbols[i].kind == DP_SYMBOL_FUNCTION)
			dph_closest_try(&closest, symbols[i].name);
	return closest.best;
}

static const struct dp_symbol *symbol_named(const struct d_front *d, const char *name, size_t bytes)
{
	const struct dp_symbol *const *list;
	return d->image && dph_image_named(d->image, name, bytes, &list) ? list[0] : NULL;
}

/* "did you mean 'entry'?"; function: the name of one stands in front of the name. */
static const char *of_name(struct d_front *d, const char *name, bool function)
{
	static const char *const points[] = {"entry", "return"}, *const events[] = {"BEGIN", "END",
										    "ERROR"};
	struct dph_closest closest = dph_closest(name, strlen(name));
	for (size_t i = 0; i < 2; i++)
		dph_closest_try(&closest, points[i]);
	for (size_t i = 0; !function && i < 3; i++)
		dph_closest_try(&closest, events[i]);
	if (!closest.best || strcmp(closest.best, name) == 0)
		return NULL;
	return dph_pool_print(d->pool, "did you mean '%s'?", closest.best);
}

/* A word alone: a function, `function+0x10`, a variable, an address. */
static const char *of_word(struct d_front *d, const char *text)
{
	const size_t bytes = strcspn(text, "+");
	const struct dp_symbol *symbol = symbol_named(d, text, bytes);
	if (isdigit((unsigned char)*text))
		return dph_pool_print(d->pool, "an address is addr:::%s", text);
	if (!symbol) {
		const char *best = of_name(d, text, false) ? NULL : near_function(d, text);
		return best ? dph_pool_print(d->pool, "did you mean '%s:entry'?", best) : NULL;
	}
	const char *name = dph_pool_copy(d->pool, text, bytes);
	const char *offset = text + bytes + (text[bytes] == '+');
	if (strncmp(offset, "0x", 2) == 0)
		offset += 2;
	if (symbol->kind != DP_SYMBOL_FUNCTION)
		return dph_pool_print(d->pool,
				      "'%s' is a variable; probe the functions that use it", name);
	if (*offset)
		return dph_pool_print(d->pool, "an instruction is insn::%s:%s", name, offset);
	return dph_pool_print(d->pool, "the points of a function are %s:entry and %s:return", name,
			      name);
}

const char *dph_d_meant(struct d_front *d, const char *text)
{
	const char *const colon = strchr(text, ':'), *name = last_field(text);
	const bool function = colon && symbol_named(d, text, (size_t)(colon - text));
	const char *meant = function ? NULL : of_other_tracer(d, text);
	if (!meant && !colon)
		meant = of_word(d, text);
	if (!meant && (function || !colon))
		meant = of_name(d, name, function);
	return meant;
}
