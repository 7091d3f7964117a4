/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "lex.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool word_begins(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '.';
}

static bool word_goes_on(char c)
{
	return word_begins(c) || isdigit((unsigned char)c) || c == '$';
}

static size_t string_bytes(const char *text)
{
	const char *end = strchr(text + 1, '"');
	return end ? (size_t)(end - text) + 1 : strlen(text);
}

struct dph_token dph_lex(const char **at)
{
	const char *text = *at;
	while (*text && isspace((unsigned char)*text))
		text++;
	struct dph_token token = {DPH_TOKEN_END, text, 0};
	if (!*text || (text[0] == '/' && text[1] == '/')) {
		*at = text;
		return token;
	}
	token.bytes = 1;
	if (*text == '"') {
		token.kind = DPH_TOKEN_STRING;
		token.bytes = string_bytes(text);
	} else if (word_begins(*text) || isdigit((unsigned char)*text)) {
		token.kind = word_begins(*text) ? DPH_TOKEN_WORD : DPH_TOKEN_NUMBER;
		while (word_goes_on(text[token.bytes]))
			token.bytes++;
	} else {
		token.kind = DPH_TOKEN_SIGN;
	}
	*at = text + token.bytes;
	return token;
}

bool dph_token_is(const struct dph_token *token, const char *word)
{
	return token->kind == DPH_TOKEN_WORD && strlen(word) == token->bytes &&
	       strncasecmp(token->text, word, token->bytes) == 0;
}

bool dph_token_sign(const struct dph_token *token, char sign)
{
	return token->kind == DPH_TOKEN_SIGN && *token->text == sign;
}

static int digit_value(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

enum dph_number_state dph_number(const char *text, size_t bytes, uint64_t *value)
{
	unsigned base = 10;
	size_t i = 0;
	if (bytes > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		i = 2;
	}
	enum dph_number_state state =
		base == 10 && bytes > 1 && text[0] == '0' ? DPH_NUMBER_ZEROS : DPH_NUMBER_GOOD;
	uint64_t n = 0;
	for (; i < bytes; i++) {
		unsigned digit = (unsigned)digit_value(text[i]);
		if (digit >= base)
			return DPH_NUMBER_BAD;
		if (n > (UINT64_MAX - digit) / base)
			state = DPH_NUMBER_TOO_LARGE;
		n = n * base + digit;
	}
	*value = n;
	return bytes ? state : DPH_NUMBER_BAD;
}
