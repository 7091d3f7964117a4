/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads `sizeof(struct queue)` and `offsetof(struct queue, readers.first)`: numbers that
 * the debug information of the firmware has. */
#include "cursor.h"

#include "debuginfo/debuginfo.h"
#include "debuginfo/type.h"
#include "base/diag.h"

#include <string.h>

bool dph_at_type_value(struct dph_cursor *c, const struct dph_token *token)
{
	return (dph_token_is(token, "sizeof") || dph_token_is(token, "offsetof")) &&
	       dph_token_sign(dph_peek(c, 0), '(');
}

/* The characters from..to without blanks around them. */
static char *trimmed(struct dph_cursor *c, const char *from, const char *to)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): tokens have a text */
	size_t bytes = (size_t)(to - from), blanks = strspn(from, " \t");
	blanks = blanks < bytes ? blanks : bytes;
	from += blanks;
	bytes -= blanks;
	while (bytes && strchr(" \t", from[bytes - 1]))
		bytes--;
	return dph_pool_copy(c->pool, from, bytes);
}

/* The text in the parentheses. */
struct words {
	char *type;
	char *member; /* null: none */
	bool closed;  /* its ')' is there */
};

static struct words read_words(struct dph_cursor *c)
{
	const struct dph_token *token = dph_next(c); /* the parenthesis */
	const char *from = token->text + 1, *comma = NULL;
	while (token->kind != DPH_TOKEN_END && !dph_token_sign(token, ')')) {
		if (!comma && dph_token_sign(token, ','))
			comma = token->text;
		token = dph_next(c);
	}
	return (struct words){
		.type = trimmed(c, from, comma ? comma : token->text),
		.member = comma ? trimmed(c, comma + 1, token->text) : NULL,
		.closed = token->kind != DPH_TOKEN_END,
	};
}

/* Null: they will do. */
static const char *shape(const struct words *words, bool offset)
{
	if (words->closed && *words->type && (words->member != NULL) == offset &&
	    (!offset || *words->member))
		return NULL;
	return offset ? "write 'offsetof(TYPE, MEMBER)', as in offsetof(struct queue, count)"
		      : "write 'sizeof(TYPE)', as in sizeof(struct queue)";
}

static const char *no_member(struct dp_debuginfo *debug, const struct dph_type *type,
			     const struct words *words)
{
	struct dph_closest closest = dph_closest(words->member, strlen(words->member));
	const struct dph_member *members;
	type = dph_type_plain(type);
	const size_t count = type->kind == DPH_TYPE_STRUCT || type->kind == DPH_TYPE_UNION
				     ? dph_type_members(type, &members)
				     : 0;
	for (size_t i = 0; i < count; i++)
		if (members[i].name && !members[i].bits)
			dph_closest_try(&closest, members[i].name);
	if (closest.best)
		return dph_why(debug, "'%s' has no member '%s'; did you mean '%s'?", words->type,
			       words->member, closest.best);
	return dph_why(debug, "'%s' has no member '%s' with an offset", words->type, words->member);
}

static const char *measure(struct dph_cursor *c, const struct words *words, uint64_t *value)
{
	struct dp_debuginfo *debug = dph_debug_of(c);
	const char *why = NULL;
	if (!debug)
		return "no firmware is given; use --elf FILE";
	const struct dph_within within = {0, NULL};
	struct dph_meanings meanings;
	const struct dph_type *type = dph_type_named(debug, words->type, &within, &meanings, &why);
	if (!type)
		return why;
	if (meanings.other)
		return dph_why(debug, "%s and %s define types '%s' that differ; write the number",
			       meanings.file, meanings.other, words->type);
	if (!words->member && !dph_type_bytes(type, value))
		return dph_why(debug, "'%s' has no size: it is void, a function, or only declared",
			       words->type);
	if (words->member && !dph_type_offset(type, words->member, value))
		return no_member(debug, type, words);
	return NULL;
}

bool dph_type_value(struct dph_cursor *c, const struct dph_token *token, uint64_t *value)
{
	const size_t first = (size_t)(token - c->token);
	const bool offset = dph_token_is(token, "offsetof");
	const struct words words = read_words(c);
	const char *why = shape(&words, offset);
	if (!why)
		why = measure(c, &words, value);
	if (why)
		dph_error(c, dph_place_since(c, first), "%s", why);
	return !why;
}
