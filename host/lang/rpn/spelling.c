/* SPDX-License-Identifier: BSD-2-Clause */
/* The spelling search finds the instruction of a line among the rows of protocol/rpn_ops.def. The
 * longest text at the start of the line wins. An operand after the text chooses between the rows of
 * that text. */
#define _GNU_SOURCE
#include "parse_code.h"

#include <string.h>
#include <strings.h>

/* The number of tokens of the line that match the text; 0: no match. */
size_t dph_match(const struct dph_cursor *c, const char *text)
{
	size_t n = 0;
	if (!dph_token_begins(dph_peek(c, 0), *text))
		return 0;
	for (;;) {
		struct dph_token want = dph_lex(&text);
		const struct dph_token *have = dph_peek(c, n);
		if (want.kind == DPH_TOKEN_END)
			return n;
		if (have->kind != want.kind || have->bytes != want.bytes ||
		    strncasecmp(have->text, want.text, want.bytes) != 0)
			return 0;
		n++;
	}
}

static void add_row(struct dph_spelling *s, const struct dph_op *op)
{
	if (op->operand == RPN_ARG_NONE)
		s->plain = op;
	else if (!s->operand)
		s->operand = op;
}

struct dph_spelling dph_find_spelling(const struct dph_cursor *c)
{
	struct dph_spelling best = {0};
	for (size_t i = 0; i < dph_op_count; i++) {
		size_t n = dph_ops[i].text[0] ? dph_match(c, dph_ops[i].text) : 0;
		if (n > best.tokens)
			best = (struct dph_spelling){.text = dph_ops[i].text, .tokens = n};
		if (n && n == best.tokens)
			add_row(&best, &dph_ops[i]);
	}
	return best;
}

/* "str, mrf, lv, gv or st": the words that may follow the first word, or the first two words. */
char *dph_continuations(struct dph_cursor *c, const char *first, size_t bytes)
{
	const char *seen[32];
	size_t count = 0;
	for (size_t i = 0; i < dph_op_count; i++) {
		const char *text = dph_ops[i].text;
		if (!bytes || strncasecmp(text, first, bytes) != 0 ||
		    (text[bytes] != ' ' && text[bytes] != ','))
			continue;
		const char *rest = text + bytes + strspn(text + bytes, ", ");
		size_t word = strcspn(rest, ", "), j = 0;
		while (j < count &&
		       (strcspn(seen[j], ", ") != word || memcmp(seen[j], rest, word) != 0))
			j++;
		if (j == count && count < sizeof(seen) / sizeof(*seen))
			seen[count++] = rest;
	}
	char *list = dph_pool_copy(c->pool, "", 0);
	for (size_t i = 0; i < count; i++)
		list = dph_pool_print(c->pool, "%s%s%.*s", list,
				      !i               ? ""
				      : i + 1 == count ? " or "
						       : ", ",
				      (int)strcspn(seen[i], ", "), seen[i]);
	return list;
}

/* Is it the second word of an instruction that begins with `first`? */
bool dph_is_second_word(const char *first, const struct dph_token *token)
{
	size_t bytes = strlen(first);
	for (size_t i = 0; i < dph_op_count; i++) {
		const char *text = dph_ops[i].text;
		if (*text != *first || strncmp(text, first, bytes) != 0 || text[bytes] != ' ')
			continue;
		size_t word = strcspn(text + bytes + 1, ", ");
		if (token->bytes == word && strncasecmp(token->text, text + bytes + 1, word) == 0)
			return true;
	}
	return false;
}
