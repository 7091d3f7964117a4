/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptions that match nothing: probes of other tracers, and words that name no point. */
#define _GNU_SOURCE
#include "meant.h"

#include "timer.h"

#include "debuginfo/debuginfo.h"
#include "symbols/code_names.h"
#include "symbols/elf_image.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

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

/* A search for a name like one that no function has. */
struct likely {
	struct dph_closest closest;
	const char *part; /* of a mangled name of C++: "3put" for put */
	const char *mangled;
	struct dph_pool *pool;
};

static void try_name(struct likely *likely, const struct dp_symbol *symbol)
{
	const char *base = dph_code_base(symbol, likely->pool);
	dph_closest_try(&likely->closest, base ? base : symbol->name);
	if (!likely->mangled && strncmp(symbol->name, "_Z", 2) == 0 &&
	    strstr(symbol->name, likely->part))
		likely->mangled = symbol->name;
}

static void try_printed(void *context, uint64_t address, const char *name)
{
	(void)address;
	dph_closest_try(context, name);
}

/* Try every name of each function, but of no part. */
static void try_names(struct likely *likely, const struct dp_image *image)
{
	const struct dp_symbol *symbols = NULL;
	const size_t count = image ? dp_image_symbols(image, &symbols) : 0;
	for (size_t i = 0; i < count; i++)
		if (symbols[i].kind == DP_SYMBOL_FUNCTION &&
		    !dph_code_part_at(image, symbols[i].value))
			try_name(likely, &symbols[i]);
}

const char *dph_d_likely(struct d_front *d, const char *name)
{
	struct likely likely = {
		.closest = dph_closest(name, strlen(name)),
		.part = dph_pool_print(d->pool, "%zu%s", strlen(name), name),
		.pool = d->pool,
	};
	if (strstr(name, "::") && d->debug)
		dph_functions_printed(d->debug, "*", try_printed, &likely.closest);
	else
		try_names(&likely, d->image);
	return likely.mangled ? likely.mangled : likely.closest.best;
}

/* The field in front of the last one; empty: there is none. */
static const char *field_before(struct d_front *d, const char *text)
{
	const char *last = last_field(text), *at = last - (last > text);
	const char *end = at;
	while (at > text && at[-1] != ':')
		at--;
	return dph_pool_copy(d->pool, at, (size_t)(end - at));
}

static bool is_function(const struct d_front *d, const char *name)
{
	return *name && dph_code_named(d->image, name, NULL, NULL);
}

/* Fill in a function that the firmware has, and say so where it has another one than the author
 * wrote. */
static const char *filled_with(struct d_front *d, const char *form, const char *function)
{
	const char *place = strstr(form, "%s");
	const bool known = !d->image || !*function || is_function(d, function);
	const char *best = known ? function : dph_d_likely(d, function);
	return dph_pool_print(
		d->pool, "%.*s%s%s%s", (int)(place - form), form, best ? best : "FUNCTION",
		place + 2,
		known ? ""
		      : dph_pool_print(d->pool, "; the firmware has no function '%s'", function));
}

/* "fbt::queue_put:entry": the last field is the function, or `function:entry` are the last two. */
static const char *filled(struct d_front *d, const char *form, const char *text)
{
	const char *last = last_field(text), *function = field_before(d, text);
	if (!strstr(form, "%s"))
		return form;
	if (strcmp(last, "entry") != 0 && strcmp(last, "return") != 0)
		return filled_with(d, form, last);
	return filled_with(
		d,
		dph_pool_print(d->pool, "%.*s%%s:%s", (int)(strstr(form, "%s") - form), form, last),
		function);
}

const char *dph_d_of_tracer(struct d_front *d, const char *text)
{
	const size_t bytes = strcspn(text, ":");
	const char *timer = text[bytes] ? dph_d_timer_meant(d, text) : NULL;
	if (timer)
		return timer;
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		if (is_named(text, bytes, foreign[i].name))
			return filled(d, foreign[i].form, text);
	return NULL;
}

static void take_first(void *context, const struct dp_symbol *symbol)
{
	const struct dp_symbol **first = context;
	*first = *first ? *first : symbol;
}

/* A symbol of this name, or a copy of the function; null: none. */
static const struct dp_symbol *symbol_named(const struct d_front *d, const char *name, size_t bytes)
{
	const struct dp_symbol *const *list, *found = NULL;
	if (d->image && dph_image_named(d->image, name, bytes, &list))
		return list[0];
	const char *word = dph_pool_copy(d->pool, name, bytes);
	if (bytes && !strpbrk(word, "*?[\\"))
		dph_code_named(d->image, word, take_first, &found);
	return found;
}

/* "did you mean 'entry'?"; function: one stands in front of the name, which may then be the
 * beginning of a word. */
static const char *of_name(struct d_front *d, const char *name, bool function)
{
	static const char *const points[] = {"entry", "return"}, *const events[] = {"BEGIN", "END",
										    "ERROR"};
	struct dph_closest closest = dph_closest(name, strlen(name));
	for (size_t i = 0; i < 2; i++)
		dph_closest_try(&closest, points[i]);
	for (size_t i = 0; !function && i < 3; i++)
		dph_closest_try(&closest, events[i]);
	for (size_t i = 0; function && i < 2 && !closest.best; i++)
		if (strncasecmp(name, points[i], 2) == 0)
			closest.best = points[i];
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
	if (!symbol && dph_d_timer_meant(d, text))
		return dph_d_timer_meant(d, text);
	if (!symbol) {
		const char *best = of_name(d, text, false) ? NULL : dph_d_likely(d, text);
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
	const char *const before = field_before(d, text);
	const bool function = is_function(d, before);
	const bool first = function && colon == strrchr(text, ':');
	const char *meant = first ? NULL : dph_d_of_tracer(d, text);
	if (!meant && !colon)
		meant = of_word(d, text);
	if (!meant && (function || !*before))
		meant = of_name(d, name, function);
	return meant;
}
