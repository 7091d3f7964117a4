/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds functions by name in the symbols of an image. */
#include "code_names.h"

#include "elf_image.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum share {
	WHOLE, /* the function itself */
	COPY,  /* calls of the function come here too */
	PART,  /* no call of the function comes here */
	COLD,  /* no call at all comes here: the function jumps */
};

static const char cold[] = ".cold";

static const struct tail {
	const char *text;
	enum share share;
} tails[] = {
	{".constprop.", COPY}, {".isra.", COPY}, {".lto_priv.", COPY},
	{".llvm.", COPY},      {".part.", PART}, {cold, COLD},
};

/* Does the text go on as the compiler's tail does: nothing, a number, or another tail? */
static bool is_rest(const char *rest)
{
	rest += *rest == '.' && isdigit((unsigned char)rest[1]);
	rest += strspn(rest, "0123456789");
	return !*rest || *rest == '.';
}

static const struct tail *tail_at(const char *text)
{
	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++)
		if (strncmp(text, tails[i].text, strlen(tails[i].text)) == 0 &&
		    is_rest(text + strlen(tails[i].text)))
			return &tails[i];
	return NULL;
}

/* Return the length of the function's name in a symbol's name.
 * share: receives what the symbol is of the function. */
static size_t base_bytes(const char *name, enum share *share)
{
	size_t bytes = strlen(name);
	*share = WHOLE;
	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
		const struct tail *tail = dot > name ? tail_at(dot) : NULL;
		if (!tail)
			continue;
		if (*share == WHOLE)
			bytes = (size_t)(dot - name);
		if (tail->share > *share)
			*share = tail->share;
	}
	return bytes;
}

static enum share share_of(const struct dp_symbol *symbol)
{
	enum share share = WHOLE;
	if (symbol->kind == DP_SYMBOL_FUNCTION)
		base_bytes(symbol->name, &share);
	return share;
}

/* Is the symbol a copy or part of the function? */
static bool is_of(const struct dp_symbol *symbol, const char *name, enum share wanted)
{
	const size_t bytes = strlen(name);
	enum share share;
	return symbol->kind == DP_SYMBOL_FUNCTION && strncmp(symbol->name, name, bytes) == 0 &&
	       symbol->name[bytes] == '.' && base_bytes(symbol->name, &share) == bytes &&
	       share == wanted;
}

/* A name without a dot means no cold part: a jump there is no call. */
static bool is_named(const struct dp_symbol *symbol, const char *name)
{
	if (symbol->kind != DP_SYMBOL_FUNCTION || !*symbol->name)
		return false;
	if (is_of(symbol, name, COPY))
		return true;
	return (!*name || fnmatch(name, symbol->name, 0) == 0) &&
	       (strchr(name, '.') || share_of(symbol) != COLD);
}

size_t dph_code_named(const struct dp_image *image, const char *name, dph_code_visit *visit,
		      void *context)
{
	const struct dp_symbol *symbols = NULL, *last = NULL;
	const size_t count = image ? dp_image_symbols(image, &symbols) : 0;
	size_t found = 0;
	for (size_t i = 0; i < count; i++) {
		if ((last && last->value == symbols[i].value) || !is_named(&symbols[i], name))
			continue;
		last = &symbols[i];
		found++;
		if (visit)
			visit(context, last);
	}
	return found;
}

const char *dph_code_base(const struct dp_symbol *symbol, struct dph_pool *pool)
{
	enum share share;
	const size_t bytes = base_bytes(symbol->name, &share);
	return symbol->kind == DP_SYMBOL_FUNCTION && share == COPY
		       ? dph_pool_copy(pool, symbol->name, bytes)
		       : NULL;
}

const struct dp_symbol *dph_code_part(const struct dp_image *image, const char *name)
{
	const struct dp_symbol *symbols = NULL;
	const size_t count = image ? dp_image_symbols(image, &symbols) : 0;
	for (size_t i = 0; i < count; i++)
		if (is_of(&symbols[i], name, PART))
			return &symbols[i];
	return NULL;
}

const struct dp_symbol *dph_code_part_at(const struct dp_image *image, uint64_t address)
{
	const struct dp_symbol *symbol = dp_image_function(image, address);
	return symbol && share_of(symbol) >= PART ? symbol : NULL;
}

/* --- cold parts ---------------------------------------------------------------------------- */

/* Is it the cold part of a function with the name: "name.cold", or "name.cold.7"? */
static bool is_cold(const struct dp_symbol *symbol, const char *name)
{
	const size_t bytes = strlen(name);
	if (symbol->kind != DP_SYMBOL_FUNCTION || strncmp(symbol->name, name, bytes) != 0 ||
	    strncmp(symbol->name + bytes, cold, strlen(cold)) != 0)
		return false;
	const char *rest = symbol->name + bytes + strlen(cold);
	return is_rest(rest) && !strchr(rest + (*rest == '.'), '.');
}

static const struct dp_symbol *symbols_end(const struct dp_image *image,
					   const struct dp_symbol **symbols)
{
	const size_t count = dp_image_symbols(image, symbols);
	return *symbols + count;
}

/* Has the function this cold part, under one of the names of its address? */
static bool has_cold(const struct dp_image *image, const struct dp_symbol *function,
		     const struct dp_symbol *part)
{
	const struct dp_symbol *symbols, *alias = function;
	const struct dp_symbol *const end = symbols_end(image, &symbols);
	if (function < symbols || function >= end)
		return is_cold(part, function->name);
	while (alias > symbols && alias[-1].value == function->value)
		alias--;
	while (alias < end && alias->value == function->value && !is_cold(part, alias->name))
		alias++;
	return alias < end && alias->value == function->value;
}

const struct dp_symbol *dph_code_cold_at(const struct dp_image *image,
					 const struct dp_symbol *function, uint64_t address)
{
	const struct dp_symbol *part = dp_image_function(image, address);
	return part && share_of(part) == COLD && has_cold(image, function, part) ? part : NULL;
}

/* The only function with exactly this name; null: none, or several. */
static const struct dp_symbol *only_named(const struct dp_image *image, const char *name)
{
	const struct dp_symbol *const *list, *found = NULL;
	const size_t count = dph_image_named(image, name, strlen(name), &list);
	for (size_t i = 0; i < count; i++) {
		if (list[i]->kind != DP_SYMBOL_FUNCTION)
			continue;
		if (found)
			return NULL;
		found = list[i];
	}
	return found;
}

const struct dp_symbol *dph_code_only_cold(const struct dp_image *image,
					   const struct dp_symbol *function)
{
	char *name = dph_print("%s%s", function->name, cold);
	const struct dp_symbol *part =
		only_named(image, function->name) ? only_named(image, name) : NULL;
	free(name);
	return part;
}
