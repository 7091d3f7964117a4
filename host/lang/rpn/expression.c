/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of expressions reads numbers and symbol expressions: `queue_put + 0x10`, `-4`, `(table
 * - 8) + 2`, `sensor_queue + offsetof(struct queue, count)`. */
#define _GNU_SOURCE
#include "cursor.h"

#include "debuginfo/debuginfo.h"

#include "symbols/code_names.h"
#include "symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = 16
};
#define VALUE_MIN (-((__int128)1 << 63))
#define VALUE_MAX ((__int128)UINT64_MAX)

/* --- numbers ------------------------------------------------------------------------------- */

static bool number(struct dph_cursor *c, const struct dph_token *token, uint64_t *value)
{
	struct dph_place place = dph_place_of(c, token);
	int bytes = (int)token->bytes;
	switch (dph_number(token->text, token->bytes, value)) {
	case DPH_NUMBER_GOOD:
		return true;
	case DPH_NUMBER_ZEROS:
		dph_warning(c, place, "'%.*s' is decimal, not octal; drop the leading zeros", bytes,
			    token->text);
		return true;
	case DPH_NUMBER_BAD:
		dph_error(c, place, "bad number '%.*s'; use decimal, or 0x and hexadecimal digits",
			  bytes, token->text);
		return false;
	case DPH_NUMBER_TOO_LARGE:
		break;
	}
	dph_error(c, place,
		  "%.*s does not fit a 64-bit word; use -9223372036854775808..18446744073709551615",
		  bytes, token->text);
	return false;
}

static void out_of_range(struct dph_cursor *c, const struct dph_range *range, size_t first)
{
	struct dph_place place = dph_place_since(c, first);
	dph_error(c, place, "'%s' cannot be %.*s; use %s", range->name, (int)place.bytes,
		  place.line->text + place.start, range->range);
}

bool dph_plain_number(struct dph_cursor *c, const struct dph_range *range, uint64_t *value)
{
	size_t first = c->at;
	const struct dph_token *token = dph_next(c);
	*value = 0;
	if (token->kind == DPH_TOKEN_NUMBER) {
		uint64_t ignored;
		if (dph_number(token->text, token->bytes, &ignored) != DPH_NUMBER_TOO_LARGE &&
		    !number(c, token, value))
			return false;
		if (dph_number(token->text, token->bytes, value) != DPH_NUMBER_TOO_LARGE &&
		    *value <= range->max)
			return true;
		*value = 0;
		out_of_range(c, range, first);
	} else if (token->kind == DPH_TOKEN_END) {
		dph_error(c, dph_statement(c), "'%s' needs %s; use %s", range->name, range->needs,
			  range->range);
	} else if (dph_token_sign(token, '-') && dph_peek(c, 0)->kind == DPH_TOKEN_NUMBER) {
		dph_next(c);
		out_of_range(c, range, first);
	} else {
		dph_error(c, dph_place_of(c, token), "expected a number, found '%.*s'",
			  (int)token->bytes, token->text);
	}
	return false;
}

/* --- symbols ------------------------------------------------------------------------------- */

/* With link-time optimisation the file of a symbol is empty. */
static bool has_file(const struct dp_symbol *symbol)
{
	return symbol->file && *symbol->file;
}

static void say_ambiguous(struct dph_cursor *c, const struct dph_token *token,
			  const struct dp_symbol *a, const struct dp_symbol *b)
{
	struct dp_image_info info;
	const int bytes = (int)token->bytes;
	char choice[160] = "give the address";
	struct dp_debuginfo *debug = dph_debug_of(c);
	const bool functions = a->kind == DP_SYMBOL_FUNCTION && b->kind == DP_SYMBOL_FUNCTION;
	char *path = debug && functions ? dph_file_apart(debug, a->value, b->value) : NULL;
	dp_image_info(c->lookup, &info);
	if (path)
		snprintf(choice, sizeof choice, "write %s, or the address",
			 debug->spelled(debug, path, dph_token_text(c, token)));
	else if (has_file(a) && has_file(b) && strcmp(a->file, b->file) != 0)
		snprintf(choice, sizeof choice, "write %s:%.*s, or the address", a->file, bytes,
			 token->text);
	dph_error(c, dph_place_of(c, token),
		  "symbol '%.*s' is ambiguous: 0x%llx in %s and 0x%llx in %s; %s", bytes,
		  token->text, (unsigned long long)a->value, has_file(a) ? a->file : info.path,
		  (unsigned long long)b->value, has_file(b) ? b->file : info.path, choice);
	free(path);
}

/* Of the symbols that are local, or are not, the first one, and one at another address. */
static const struct dp_symbol *choose(const struct dp_symbol *const *list, size_t count, bool local,
				      const struct dp_symbol **other)
{
	const struct dp_symbol *first = NULL;
	*other = NULL;
	for (size_t i = 0; i < count && !*other; i++) {
		if (list[i]->local != local)
			continue;
		if (!first)
			first = list[i];
		else if (list[i]->value != first->value)
			*other = list[i];
	}
	return first;
}

/* Copies of a function, and functions of C++, which have no symbol of the name. */
struct copies {
	const struct dp_symbol *first, *other;
};

static void take_copy(void *context, const struct dp_symbol *symbol)
{
	struct copies *copies = context;
	if (!copies->first)
		copies->first = symbol;
	else if (!copies->other)
		copies->other = symbol;
}

/* The function among several symbols of one name; null: none, or several. */
static const struct dp_symbol *only_function(const struct dp_symbol *const *list, size_t count)
{
	const struct dp_symbol *found = NULL;
	for (size_t i = 0; i < count; i++) {
		if (list[i]->kind != DP_SYMBOL_FUNCTION)
			continue;
		if (found && found->value != list[i]->value)
			return NULL;
		found = list[i];
	}
	return found;
}

static const struct dp_symbol *find_copy(struct dph_cursor *c, const struct dph_token *token,
					 bool *ambiguous)
{
	struct copies copies = {NULL, NULL};
	dph_code_named(c->lookup, dph_token_text(c, token), take_copy, &copies);
	*ambiguous = copies.other != NULL;
	if (copies.other)
		say_ambiguous(c, token, copies.first, copies.other);
	if (copies.first || !dph_debug_of(c))
		return copies.other ? NULL : copies.first;
	return dph_printed_symbol(c, dph_token_text(c, token));
}

const struct dp_symbol *dph_find_symbol(struct dph_cursor *c, const struct dph_token *token,
					bool *ambiguous)
{
	const struct dp_symbol *const *list, *found, *other;
	const size_t count =
		c->lookup ? dph_image_named(c->lookup, token->text, token->bytes, &list) : 0;
	*ambiguous = false;
	if (!count && c->of_code)
		return find_copy(c, token, ambiguous);
	if (!count)
		return NULL;
	if (c->of_code && (found = only_function(list, count)))
		return found;
	found = choose(list, count, false, &other);
	if (!found)
		found = choose(list, count, true, &other);
	if (!other)
		return found;
	say_ambiguous(c, token, found, other);
	*ambiguous = true;
	return NULL;
}

static void unknown_symbol(struct dph_cursor *c, const struct dph_token *token)
{
	struct dph_place place = dph_place_of(c, token);
	int bytes = (int)token->bytes;
	if (!c->lookup) {
		dph_error(
			c, place,
			"unknown symbol '%.*s': no firmware is given; use --elf FILE or --sym FILE",
			bytes, token->text);
		return;
	}
	const struct dp_symbol *symbols;
	size_t count = dp_image_symbols(c->lookup, &symbols);
	const char *absent =
		count ? dph_absent_function(dph_debug_of(c), dph_token_text(c, token)) : NULL;
	struct dp_image_info info;
	dp_image_info(c->lookup, &info);
	struct dph_closest closest = dph_closest(token->text, token->bytes);
	for (size_t i = 0; i < count; i++) {
		const char *base = c->of_code ? dph_code_base(&symbols[i], c->pool) : NULL;
		dph_closest_try(&closest, base ? base : symbols[i].name);
	}
	if (absent)
		dph_error(c, place, "unknown symbol '%.*s': %s", bytes, token->text, absent);
	else if (!count)
		dph_error(c, place,
			  "unknown symbol '%.*s': %s is stripped and has no symbols; use the file "
			  "before strip, or an address",
			  bytes, token->text, info.path);
	else if (closest.best)
		dph_error(c, place, "unknown symbol '%.*s'; did you mean '%s'?", bytes, token->text,
			  closest.best);
	else
		dph_error(c, place, "unknown symbol '%.*s'; 'dprobes symbols' lists those of %s",
			  bytes, token->text, info.path);
}

/* --- expressions --------------------------------------------------------------------------- */

struct sum {
	__int128 value;
	const struct dp_symbol *symbol;
};

static bool sum(struct dph_cursor *c, struct sum *out, unsigned depth);

static bool symbol_term(struct dph_cursor *c, const struct dph_token *token, struct sum *out)
{
	bool ambiguous;
	const struct dp_symbol *symbol = dph_find_symbol(c, token, &ambiguous);
	if (!symbol) {
		if (!ambiguous)
			unknown_symbol(c, token);
		return false;
	}
	out->value = symbol->value;
	out->symbol = symbol;
	return true;
}

static void missing_term(struct dph_cursor *c, const struct dph_token *token)
{
	const struct dph_token *before = token > c->token ? token - 1 : token;
	if (token->kind == DPH_TOKEN_SIGN && !strchr(",:=+-()#", *token->text))
		dph_unexpected(c, token);
	else if (token->kind != DPH_TOKEN_END)
		dph_error(c, dph_place_of(c, token), "expected a number or a symbol, found '%.*s'",
			  (int)token->bytes, token->text);
	else if (before->kind == DPH_TOKEN_SIGN && strchr("+-(", *before->text))
		dph_error(c, dph_place_of(c, before), "expected a number or a symbol after '%c'",
			  *before->text);
	else
		dph_error(c, dph_statement(c), "'%.*s' needs a value; use a number or a symbol",
			  (int)c->token[c->first].bytes, c->token[c->first].text);
}

static bool term(struct dph_cursor *c, struct sum *out, unsigned depth)
{
	const struct dph_token *token = dph_next(c);
	uint64_t value = 0;
	out->symbol = NULL;
	if (token->kind == DPH_TOKEN_NUMBER) {
		if (!number(c, token, &value))
			return false;
		out->value = value;
		return true;
	}
	if (dph_at_source_place(c, token)) {
		if (!dph_source_place(c, token, &value, &out->symbol))
			return false;
		out->value = value;
		return true;
	}
	if (dph_at_printed(c, token)) {
		if (!dph_printed(c, token, &value, &out->symbol))
			return false;
		out->value = value;
		return true;
	}
	if (dph_at_type_value(c, token)) {
		if (!dph_type_value(c, token, &value))
			return false;
		out->value = value;
		return true;
	}
	if (token->kind == DPH_TOKEN_WORD)
		return symbol_term(c, token, out);
	if (dph_token_sign(token, '-') && depth < DEPTH_MAX) {
		if (!term(c, out, depth + 1))
			return false;
		out->value = -out->value;
		return true;
	}
	if (dph_token_sign(token, '(') && depth < DEPTH_MAX) {
		if (!sum(c, out, depth + 1))
			return false;
		token = dph_peek(c, 0);
		if (dph_token_sign(token, ')')) {
			dph_next(c);
			return true;
		}
		dph_error(c, dph_place_of(c, token),
			  "a ')' is missing; write it here, or remove the '('");
		return false;
	}
	missing_term(c, token);
	return false;
}

static bool sum(struct dph_cursor *c, struct sum *out, unsigned depth)
{
	if (!term(c, out, depth))
		return false;
	for (;;) {
		const struct dph_token *token = dph_peek(c, 0);
		bool minus = dph_token_sign(token, '-');
		if (!minus && !dph_token_sign(token, '+'))
			return true;
		dph_next(c);
		struct sum right;
		if (!term(c, &right, depth))
			return false;
		out->value += minus ? -right.value : right.value;
		if (!out->symbol)
			out->symbol = right.symbol;
	}
}

bool dph_expression(struct dph_cursor *c, struct dph_value *value)
{
	struct sum result;
	size_t first = c->at;
	if (!sum(c, &result, 0)) {
		dph_skip(c);
		return false;
	}
	value->place = dph_place_since(c, first);
	if (result.value < VALUE_MIN || result.value > VALUE_MAX) {
		dph_error(c, value->place,
			  "%.*s does not fit a 64-bit word; use "
			  "-9223372036854775808..18446744073709551615",
			  (int)value->place.bytes, value->place.line->text + value->place.start);
		return false;
	}
	value->negative = result.value < 0;
	value->value = (uint64_t)result.value;
	value->symbol = result.symbol;
	return true;
}

bool dph_fits_word(struct dph_cursor *c, const struct dph_value *value)
{
	if (c->target.word_bytes == 8)
		return true;
	bool fits =
		value->negative ? (int64_t)value->value >= INT32_MIN : value->value <= UINT32_MAX;
	if (!fits)
		dph_error(c, value->place,
			  "%.*s does not fit a 32-bit word; use -2147483648..4294967295",
			  (int)value->place.bytes, value->place.line->text + value->place.start);
	return fits;
}
