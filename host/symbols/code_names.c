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
};

static const struct tail {
	const char *text;
	enum share share;
} tails[] = {
	{".constprop.", COPY}, {".isra.", COPY}, {".lto_priv.", COPY},
	{".llvm.", COPY},      {".part.", PART}, {".cold", PART},
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

/* Is the symbol a copy or part of the function? */
static bool is_of(const struct dp_symbol *symbol, const char *name, enum share wanted)
{
	const size_t bytes = strlen(name);
	enum share share;
	return symbol->kind == DP_SYMBOL_FUNCTION && strncmp(symbol->name, name, bytes) == 0 &&
	       symbol->name[bytes] == '.' && base_bytes(symbol->name, &share) == bytes &&
	       share == wanted;
}

static bool is_named(const struct dp_symbol *symbol, const char *name)
{
	return symbol->kind == DP_SYMBOL_FUNCTION && *symbol->name &&
	       (!*name || fnmatch(name, symbol->name, 0) == 0 || is_of(symbol, name, COPY));
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

bool dph_code_is_part(const struct dp_image *image, uint64_t address)
{
	const struct dp_symbol *symbol = dp_image_function(image, address);
	enum share share = WHOLE;
	if (symbol && symbol->value == address)
		base_bytes(symbol->name, &share);
	return share == PART;
}

const struct dp_symbol *dph_code_cold(const struct dp_image *image,
				      const struct dp_symbol *function)
{
	const struct dp_symbol *const *list;
	char *name = dph_print("%s.cold", function->name);
	const size_t count = dph_image_named(image, name, strlen(name), &list);
	free(name);
	for (size_t i = 0; i < count; i++)
		if (list[i]->kind == DP_SYMBOL_FUNCTION)
			return list[i];
	return NULL;
}
