/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of source places reads a place in the firmware's source as an address: `queue.c:43`,
 * `net/queue.c:helper`, `"my file.c":7`. */
#define _GNU_SOURCE
#include "cursor.h"

#include "base/source_path.h"
#include "debuginfo/debuginfo.h"
#include "symbols/elf_image.h"

#include <ctype.h>
#include <string.h>

/* A folder's name may have '$' besides. */
static bool in_path(char c)
{
	return dph_in_path(c) || c == '$';
}

/* Return the colon between file and line, or null: the text is no place. A name with a dot or
 * a folder before the colon is a file, unless the name is a symbol. */
static const char *find_colon(const struct dph_token *token)
{
	const char *at = token->text, *slash = at, *dot = NULL;
	if (token->kind == DPH_TOKEN_STRING)
		at += token->bytes;
	else
		at += dph_drive_bytes(at);
	for (; token->kind != DPH_TOKEN_STRING && in_path(*at); at++) {
		if (at[0] == '/' && at[1] == '/')
			return NULL;
		slash = *at == '/' || *at == '\\' ? at : slash;
		dot = *at == '.' ? at : dot;
	}
	bool file = token->kind == DPH_TOKEN_STRING || slash > token->text || (dot && dot >= slash);
	bool goes_on = at[0] == ':' && (isalnum((unsigned char)at[1]) || at[1] == '_');
	return file && goes_on ? at : NULL;
}

static bool is_symbol(const struct dph_cursor *c, const struct dph_token *token)
{
	const struct dp_symbol *const *list;
	return c->lookup && dph_image_named(c->lookup, token->text, token->bytes, &list);
}

/* `memcpy-v7.S:20` is a line of that file, and not a difference, where the firmware has the file.
 */
static bool is_file(struct dph_cursor *c, const struct dph_token *token, const char *colon)
{
	struct dp_debuginfo *debug = dph_debug_of(c);
	return debug && dph_has_file(debug, dph_pool_copy(c->pool, token->text,
							  (size_t)(colon - token->text)));
}

bool dph_at_source_place(struct dph_cursor *c, const struct dph_token *token)
{
	bool begins = token->kind == DPH_TOKEN_WORD || token->kind == DPH_TOKEN_STRING;
	const char *colon = begins ? find_colon(token) : NULL;
	return colon && (!is_symbol(c, token) || is_file(c, token, colon));
}

/* The end of the name of a C++ function, `net::Queue::put` or "net::most<int>"; null: the text has
 * no such name. */
static const char *printed_end(const struct dph_token *token)
{
	const char *at = token->text;
	if (token->kind == DPH_TOKEN_STRING)
		return memmem(at, token->bytes, "::", 2) ? at + token->bytes : NULL;
	if (token->kind != DPH_TOKEN_WORD || strncmp(at + token->bytes, "::", 2) != 0)
		return NULL;
	while (isalnum((unsigned char)*at) || *at == '_' || *at == '~' ||
	       (at[0] == ':' && at[1] == ':'))
		at += *at == ':' ? 2 : 1;
	return at;
}

bool dph_at_printed(const struct dph_cursor *c, const struct dph_token *token)
{
	return c->of_code && printed_end(token);
}

/* The functions of one name. */
struct printed {
	struct dp_debuginfo *debug;
	const char *list; /* of their addresses */
	uint64_t address;
	size_t count;
	struct dph_closest closest;
};

static void take_printed(void *context, uint64_t address, const char *name)
{
	struct printed *printed = context;
	(void)name;
	printed->list = dph_why(printed->debug, "%s%s0x%llx", printed->list,
				printed->count++ ? ", " : "", (unsigned long long)address);
	printed->address = address;
}

static void try_printed(void *context, uint64_t address, const char *name)
{
	struct printed *printed = context;
	(void)address;
	dph_closest_try(&printed->closest, name);
}

/* Is the name of C++ one that needs no quotes? */
static bool is_word(const char *name)
{
	while (isalnum((unsigned char)*name) || *name == '_' || *name == '~' || *name == ':')
		name++;
	return !*name;
}

static bool find_printed(struct dph_cursor *c, const char *name, uint64_t *address,
			 const char **why)
{
	struct printed printed = {.debug = dph_debug_of(c), .list = ""};
	printed.closest = dph_closest(name, strlen(name));
	*why = "no firmware is given; use --elf FILE";
	if (!printed.debug)
		return false;
	if (dph_functions_printed(printed.debug, name, take_printed, &printed) == 1) {
		*address = printed.address;
		return true;
	}
	dph_functions_printed(printed.debug, "*", try_printed, &printed);
	if (printed.count)
		*why = dph_why(printed.debug, "'%s' is ambiguous: %s; give the address", name,
			       printed.list);
	else if (dp_debuginfo_missing(printed.debug))
		*why = dp_debuginfo_missing(printed.debug);
	else if (printed.closest.best)
		*why = dph_why(printed.debug,
			       is_word(printed.closest.best)
				       ? "no function '%s'; did you mean '%s'?"
				       : "no function '%s'; did you mean \"%s\"?",
			       name, printed.closest.best);
	else
		*why = dph_why(printed.debug, "the firmware has no function '%s'", name);
	return false;
}

const struct dp_symbol *dph_printed_symbol(struct dph_cursor *c, const char *name)
{
	uint64_t address;
	const char *why;
	return find_printed(c, name, &address, &why) ? dp_image_function(c->lookup, address) : NULL;
}

bool dph_printed(struct dph_cursor *c, const struct dph_token *token, uint64_t *address,
		 const struct dp_symbol **symbol)
{
	const size_t first = (size_t)(token - c->token);
	const char *end = printed_end(token), *why;
	const size_t quote = token->kind == DPH_TOKEN_STRING;
	const char *name = dph_pool_copy(c->pool, token->text + quote,
					 (size_t)(end - token->text) - 2 * quote);
	while (dph_peek(c, 0)->kind != DPH_TOKEN_END && dph_peek(c, 0)->text < end)
		dph_next(c);
	if (!find_printed(c, name, address, &why)) {
		dph_error(c, dph_place_since(c, first), "%s", why);
		return false;
	}
	*symbol = dp_image_function(c->lookup, *address);
	return true;
}

/* A path with other characters has quotes. */
static const char *spelled(struct dp_debuginfo *debug, const char *file, const char *what)
{
	const char *at = file;
	while (in_path(*at))
		at++;
	return dph_why(debug, *at ? "\"%s\":%s" : "%s:%s", file, what);
}

struct dp_debuginfo *dph_debug_of(struct dph_cursor *c)
{
	if (c->debug && c->debug_lookup != c->lookup) {
		dp_debuginfo_close(c->debug);
		c->debug = NULL;
	}
	if (!c->debug && c->lookup)
		c->debug = dph_debuginfo_for(c->images, c->lookup);
	if (c->debug)
		c->debug->spelled = spelled;
	c->debug_lookup = c->lookup;
	return c->debug;
}

static bool find(struct dph_cursor *c, const char *file, const struct dph_token *what,
		 uint64_t *address, const char **why)
{
	uint64_t line;
	struct dp_debuginfo *debug = dph_debug_of(c);
	if (!debug) {
		*why = "no firmware is given; use --elf FILE";
		return false;
	}
	if (what->kind != DPH_TOKEN_NUMBER)
		return dp_debuginfo_function(debug, file, dph_token_text(c, what), address, why);
	if (dph_number(what->text, what->bytes, &line) > DPH_NUMBER_ZEROS || line > UINT32_MAX) {
		*why = dph_why(debug, "'%.*s' is no line number; write FILE:NUMBER",
			       (int)what->bytes, what->text);
		return false;
	}
	return dp_debuginfo_place(debug, file, (unsigned)line, address, why);
}

bool dph_source_place(struct dph_cursor *c, const struct dph_token *token, uint64_t *address,
		      const struct dp_symbol **symbol)
{
	size_t first = (size_t)(token - c->token);
	const char *colon = find_colon(token), *why = NULL;
	size_t quote = token->kind == DPH_TOKEN_STRING;
	const char *file = dph_pool_copy(c->pool, token->text + quote,
					 (size_t)(colon - token->text) - 2 * quote);
	const struct dph_token *what = dph_next(c);
	while (what->kind != DPH_TOKEN_END && what->text <= colon)
		what = dph_next(c);
	if (!find(c, file, what, address, &why)) {
		dph_error(c, dph_place_since(c, first), "%s", why);
		return false;
	}
	*symbol = dp_image_function(c->lookup, *address);
	if (*symbol || c->file.modtype == DP_MODULE_KERNEL)
		return true;
	why = dph_why(c->debug, "0x%llx is in no function of the module",
		      (unsigned long long)*address);
	dph_error(c, dph_place_since(c, first), "%s", why);
	return false;
}
