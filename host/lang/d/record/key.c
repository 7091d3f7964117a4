/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys of aggregations. The target counts by numbers and by texts; the host applies the functions
 * that make a text of them. */
#include "aggregation.h"

#include "lang/d/code/text.h"

#include "format/compute.h"

#include <stdlib.h>
#include <string.h>

/* Keys in the making. */
struct keys {
	const struct dph_d_check *check;
	struct dph_format_field *fields;
	size_t count;
	struct dph_format_key_function *functions;
	size_t function_count, function_capacity;
};

/* --- texts --------------------------------------------------------------------------------- */

static bool is_constant(const struct d_node *node)
{
	return (node->is.constant && node->is.type.kind == D_TYPE_INTEGER) ||
	       (node->is.home == D_HOME_FIELD && node->is.form == DPH_FIELD_TEXT);
}

/* The operand that the target counts by: a text that is no constant, or else the first text; the
 * number of a function of numbers. Null: none. */
static struct d_node *counted_operand(const struct d_node *call, unsigned *number)
{
	struct d_node *found = NULL;
	unsigned n = 0;
	for (struct d_node *at = call->list; at; at = at->next, n++) {
		const bool number_alone = at->is.constant && at->is.type.kind == D_TYPE_INTEGER &&
					  !dph_key_function_of_number(call->is.function, n);
		const bool better = !found || (is_constant(found) && !is_constant(at));
		if (number_alone || !better || !dph_key_function_is(call->is.function, n))
			continue;
		found = at;
		*number = n;
	}
	return found;
}

/* The text or number of a function of the host, whose other operands are constants. Null: the host
 * cannot compute the function of what the target has counted. */
static struct d_node *only_operand(const struct d_node *call, struct dph_format_key_function *made)
{
	struct d_node *found = counted_operand(call, &made->text);
	for (struct d_node *at = call->list; at; at = at->next) {
		const unsigned n = made->operand_count++;
		if (n == DPH_OPERANDS_MAX || (at != found && !is_constant(at)))
			return NULL;
		if (at == found)
			continue;
		if (at->is.home == D_HOME_FIELD)
			made->operands[n].text = at->is.text;
		else
			made->operands[n].number = at->is.number;
	}
	return found;
}

/* Take the functions of the host off the key, the inner one first. Returns the text or number that
 * the target pushes. */
static struct d_node *take_functions(struct keys *keys, struct d_node *node)
{
	struct dph_format_key_function made = {.key = (uint32_t)keys->count,
					       .function = node->is.function};
	struct d_node *inner = node->is.home == D_HOME_HOST ? only_operand(node, &made) : NULL;
	if (!inner)
		return node;
	inner = take_functions(keys, inner);
	keys->functions = dph_grow(keys->functions, &keys->function_capacity, keys->function_count,
				   sizeof(*keys->functions));
	keys->functions[keys->function_count++] = made;
	return inner;
}

/* --- what the target pushes ---------------------------------------------------------------- */

/* A number. The high word of a key of 64 bits stands first on each target. */
static void lower_number(struct d_lower *l, struct d_node *value, bool wide)
{
	const struct d_type type = dph_d_type_integer(l->d, sizeof(int64_t), true);
	if (!wide) {
		dph_d_lower_word(l, value);
		return;
	}
	dph_d_lower_as(l, value, &type);
	if (l->d->program->target.big_endian)
		dph_d_emit(l->code, RPN_XCHG, 0);
}

/* A number of which the host makes a text: 64 bits, and words of 0 in the place of the text.
 * Returns false: the error is said. */
static bool lower_number_of_text(struct d_lower *l, struct d_node *value)
{
	const unsigned word = l->code->word_bytes, words = dph_d_text_words(l->d);
	const unsigned needed = sizeof(int64_t) / word;
	if (words < needed) {
		dph_d_error(l->d, D_KEY_TYPE, value->place,
			    "a number in a string needs %zu bytes of a key; write #pragma D option "
			    "keysize=%zu",
			    sizeof(int64_t), sizeof(int64_t));
		return false;
	}
	lower_number(l, value, needed > 1);
	for (unsigned i = needed; i < words; i++)
		dph_d_push(l->code, 0);
	return true;
}

/* A text: its number, or its bytes where another use of the key has computed ones. Returns false:
 * the error is said. */
static bool lower_text_key(struct d_lower *l, struct keys *keys, struct d_node *node, bool bytes)
{
	struct dph_format_field *field = &keys->fields[keys->count];
	node = take_functions(keys, node);
	if (node->is.home == D_HOME_HOST) {
		dph_d_error(l->d, D_HOST_ONLY, node->place,
			    "the host makes a string of a key from one string or number of the "
			    "target, and constants; '%s' needs more: use its operands as keys",
			    node->text);
		return false;
	}
	field->form = bytes ? DPH_FIELD_CHARACTERS : DPH_FIELD_TEXT;
	field->bytes = bytes ? l->d->key_size : 0;
	if (node->is.type.kind == D_TYPE_INTEGER)
		return lower_number_of_text(l, node);
	if (!dph_d_is_text(node)) /* a pointer to characters */
		node = dph_d_text_at(l->d, node);
	if (bytes)
		dph_d_lower_text(l, node);
	else
		dph_d_lower_value(l, node);
	return true;
}

/* The first use of a key has decided its width. Returns false: the error is said. */
static bool key_width(const struct dph_d_check *c, const struct d_node *value,
		      const struct dph_format_field *first, bool *wide)
{
	const unsigned word = c->d->program->target.word_bytes;
	*wide = dph_d_is_long(c->d, &value->is.type);
	if (!first || first->form != DPH_FIELD_WORDS)
		return true;
	const bool there = first->bytes > word;
	if (*wide && !there && !value->is.constant) {
		dph_d_error(c->d, D_KEY_TYPE, value->place,
			    "this key has 64 bits here, and fewer where it is used first; cast it "
			    "to uint32_t here, or to uint64_t there");
		return false;
	}
	/* A narrow type becomes int where another key needs it. */
	struct d_type type = first->bytes < 4
				     ? dph_d_type_int(c->d)
				     : dph_d_type_integer(c->d, first->bytes, first->is_signed);
	if (*wide && !there && !dph_d_constant_fits(value, &type)) {
		dph_d_error(c->d, D_KEY_TYPE, value->place,
			    "the key %s does not fit %s, the type where it is used first; cast it "
			    "to %s there",
			    dph_d_constant_text(c->d, value), dph_d_type_text(c->d, &type),
			    value->is.type.is_signed ? "int64_t" : "uint64_t");
		return false;
	}
	*wide = there;
	return true;
}

/* How a number is printed that another use prints as `first`: as the type of C for both, where the
 * first one is narrower. */
static void join_types(const struct dph_d_check *c, const struct d_node *value,
		       const struct dph_format_field *first, struct dph_format_field *made)
{
	if (!first || first->form != DPH_FIELD_WORDS || made->form != DPH_FIELD_WORDS)
		return;
	const struct d_type there = dph_d_type_integer(c->d, first->bytes, first->is_signed);
	const struct d_type joined = dph_d_key_type(c->d, &there, value);
	if (joined.bytes == there.bytes && joined.is_signed == there.is_signed) {
		*made = *first;
		return;
	}
	made->bytes = joined.bytes;
	made->is_signed = joined.is_signed;
	made->type = dph_d_format_type(c->d, &joined);
}

/* --- keys ---------------------------------------------------------------------------------- */

/* first: the same key where the aggregation is used first; null: here. */
static bool lower_key(struct d_lower *l, struct keys *keys, struct d_node *node, bool bytes,
		      const struct dph_format_field *first)
{
	struct dph_format_field *field = &keys->fields[keys->count];
	struct d_front *d = l->d;
	bool string = false;
	struct d_node *address = dph_d_wrapped(node, &string);
	struct d_node *value = address && !string ? address : node;
	*field = (struct dph_format_field){.form = DPH_FIELD_WORDS,
					   .type = DPH_FORMAT_NO_TYPE,
					   .text = dph_d_source_text(d, node)};
	dph_d_check(keys->check, value);
	if (!dph_d_wrong(value) && dph_d_is_text(value))
		return lower_text_key(l, keys, value, bytes);
	bool wide;
	if (!dph_d_check_checked_number(keys->check, value, D_KEY_TYPE, "the key") ||
	    !key_width(keys->check, value, first, &wide))
		return false;
	const bool code =
		value != node || (value->kind == D_NODE_NAME && strcmp(value->text, "caller") == 0);
	field->bytes = wide                   ? sizeof(int64_t)
		       : value->is.type.bytes ? value->is.type.bytes
					      : l->code->word_bytes;
	field->is_signed = value->is.type.is_signed && !code;
	if (value->is.type.kind == D_TYPE_POINTER && dph_d_is_string(l->d, value))
		field->form = DPH_FIELD_POINTED;
	field->type = code ? dph_d_format_address(d, dph_d_address_kind(node))
			   : dph_d_format_type(d, &value->is.type);
	join_types(keys->check, value, first, field);
	lower_number(l, value, wide);
	return true;
}

/* Returns false: the error is said. */
static bool lower_keys(struct d_lower *l, const struct d_node *aggregation,
		       const struct dph_format_aggregation *there, struct keys *keys)
{
	struct d_front *d = l->d;
	for (struct d_node *key = aggregation->list; key; key = key->next) {
		if (keys->count == DP_MAP_KEYS_MAX) {
			dph_d_error(d, D_KEY_TYPE, key->place, "an aggregation has at most %d keys",
				    DP_MAP_KEYS_MAX);
			return false;
		}
		const bool bytes = dph_d_key_is_bytes(d, aggregation->text, (unsigned)keys->count);
		const struct dph_format_field *first =
			there && keys->count < there->key_count ? &there->keys[keys->count] : NULL;
		if (!lower_key(l, keys, key, bytes, first))
			return false;
		l->depth += dph_format_key_words(&keys->fields[keys->count], l->code->word_bytes);
		keys->count++;
	}
	return true;
}

bool dph_d_lower_keys(struct d_record *record, const struct d_node *aggregation,
		      const struct dph_format_aggregation *there,
		      struct dph_format_aggregation *made)
{
	struct dph_pool *pool = record->check->d->pool;
	struct keys keys = {.check = record->check,
			    .fields = dph_pool_take(pool, DP_MAP_KEYS_MAX * sizeof(*keys.fields))};
	const bool good = lower_keys(record->lower, aggregation, there, &keys);
	const size_t bytes = keys.function_count * sizeof(*keys.functions);
	struct dph_format_key_function *functions = dph_pool_take(pool, bytes + 1);
	if (bytes)
		memcpy(functions, keys.functions, bytes);
	free(keys.functions);
	made->keys = keys.fields;
	made->key_count = keys.count;
	made->key_functions = functions;
	made->key_function_count = keys.function_count;
	return good;
}
