/* SPDX-License-Identifier: BSD-2-Clause */
/* The lexer splits one line of a program into tokens. */
#define _GNU_SOURCE
#include "lex.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct {
	uint32_t first, last;
	const char *name, *write;
} signs[] = {
#define SIGN(first, last, name, write) {first, last, name, write},
#include "signs.def"
};

struct sign {
	const char *name, *write; /* null: nothing special is known */
};

static struct sign sign_of(uint32_t value)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (value >= signs[i].first && value <= signs[i].last)
			return (struct sign){signs[i].name, signs[i].write};
	return (struct sign){0};
}

/* Bytes of the letter beyond ASCII that the text begins with; 0: no letter. Blocks of
 * punctuation, arrows and mathematics have no letters. */
static unsigned wide_letter(const char *text)
{
	uint32_t value;
	const unsigned bytes = (unsigned char)*text < 0x80 ? 0 : dph_utf8(text, &value);
	if (!bytes || (value < 0xc0 && value != 0xb5) || (value >= 0x2000 && value < 0x2c00) ||
	    (value >= 0x3000 && value < 0x3040) || sign_of(value).name)
		return 0;
	return bytes;
}

/* The number of bytes of a word at the place; 0: no word. */
static unsigned word_begins(const char *text)
{
	if (isalpha((unsigned char)*text) || *text == '_' || *text == '.')
		return 1;
	return wide_letter(text);
}

static unsigned word_goes_on(const char *text)
{
	if (isalnum((unsigned char)*text) || *text == '_' || *text == '.' || *text == '$')
		return 1;
	return wide_letter(text);
}

bool dph_looks_like_other(const char *text)
{
	uint32_t value;
	return (unsigned char)*text >= 0x80 && dph_utf8(text, &value) && sign_of(value).name;
}

const char *dph_odd_character(struct dph_pool *pool, const char *text, size_t *bytes)
{
	uint32_t value;
	const unsigned length = dph_utf8(text, &value);
	*bytes = length ? length : 1;
	const struct sign sign = length ? sign_of(value) : (struct sign){0};
	if (sign.name)
		return dph_pool_print(pool, "this is %s (U+%04X); write %s", sign.name,
				      (unsigned)value, sign.write);
	if (length)
		return dph_pool_print(pool, "unexpected character '%.*s' (U+%04X)", (int)length,
				      text, (unsigned)value);
	return dph_pool_print(pool, "byte 0x%02x is no UTF-8; save the file as UTF-8",
			      (unsigned char)*text);
}

bool dph_token_plain(const struct dph_token *token)
{
	for (size_t i = 0; i < token->bytes; i++)
		if ((unsigned char)token->text[i] >= 0x80)
			return false;
	return true;
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
	token.bytes = 0;
	if (*text == '"') {
		token.kind = DPH_TOKEN_STRING;
		token.bytes = string_bytes(text);
	} else if (isdigit((unsigned char)*text) || word_begins(text)) {
		token.kind = isdigit((unsigned char)*text) ? DPH_TOKEN_NUMBER : DPH_TOKEN_WORD;
		for (size_t more = word_goes_on(text); more;
		     more = word_goes_on(text + token.bytes))
			token.bytes += more;
	} else {
		uint32_t value;
		token.kind = DPH_TOKEN_SIGN;
		token.bytes = dph_utf8(text, &value) ? dph_utf8(text, &value) : 1;
	}
	*at = text + token.bytes;
	return token;
}

bool dph_token_is(const struct dph_token *token, const char *word)
{
	return token->kind == DPH_TOKEN_WORD && strlen(word) == token->bytes &&
	       strncasecmp(token->text, word, token->bytes) == 0;
}

bool dph_token_begins(const struct dph_token *token, char letter)
{
	return token->bytes &&
	       tolower((unsigned char)*token->text) == tolower((unsigned char)letter);
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
