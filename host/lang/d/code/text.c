/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings in expressions: constants are numbers where no other string is possible, otherwise bytes.
 */
#include "text.h"

#include "long.h"
#include "object.h"

#include <string.h>

/* --- constants ----------------------------------------------------------------------------- */

const char *dph_d_text_of(const struct d_lower *l, const struct d_node *node)
{
	const struct d_point *point = l->point;
	if (node->is.home != D_HOME_FIELD)
		return NULL;
	if (node->is.form == DPH_FIELD_TEXT)
		return node->is.text;
	if (node->is.form != DPH_FIELD_PROBE || node->is.part == DPH_PROBE_ID)
		return NULL;
	if (node->is.part == DPH_PROBE_WHOLE)
		return dph_pool_print(l->d->pool, "%s:%s:%s:%s", point->part[DPH_PROBE_PROVIDER],
				      point->part[DPH_PROBE_MODULE],
				      point->part[DPH_PROBE_FUNCTION], point->part[DPH_PROBE_NAME]);
	return point->part[node->is.part];
}

/* --- code ---------------------------------------------------------------------------------- */

/* A literal is there as a whole; the name of a probe may be cut, as computed texts are. */
static void check_length(const struct d_lower *l, struct d_node *node, size_t bytes)
{
	if (bytes <= l->d->key_size || node->told)
		return;
	node->told = true;
	if (node->is.form != DPH_FIELD_TEXT)
		dph_warning(l->d, node->place, "'%s' has %zu bytes here, and the target keeps %u",
			    dph_d_source_text(l->d, node), bytes, l->d->key_size);
	else if (bytes > D_KEY_SIZE_MAX)
		dph_d_error(l->d, D_STR_LONG, node->place,
			    "the string has %zu bytes, and the target keeps at most %d", bytes,
			    D_KEY_SIZE_MAX);
	else
		dph_d_error(l->d, D_STR_LONG, node->place,
			    "the string has %zu bytes, and the target keeps %u; -x keysize=%zu",
			    bytes, l->d->key_size, bytes);
}

static void push_constant(struct d_lower *l, struct d_node *node)
{
	const char *text = dph_d_text_of(l, node);
	const unsigned word = l->code->word_bytes, words = dph_d_text_words(l->d);
	size_t left = strlen(text);
	check_length(l, node, left);
	for (unsigned i = 0; i < words; i++) {
		uint64_t value = 0;
		for (unsigned n = 0; n<word; n++, left -= left> 0)
			value = value << 8 | (left > 0 ? (uint8_t)*text++ : 0);
		dph_d_push(l->code, value);
	}
}

/* a -- a, offset of the character behind a; strlen: of the NUL */
static void find(struct d_lower *l, struct d_node *node)
{
	struct d_node *what = node->list->next;
	l->depth++;
	if (what)
		dph_d_lower_word(l, what);
	else
		dph_d_push(l->code, 0);
	l->depth--;
	dph_d_emit(l->code, RPN_FIND, D_FIND_BYTES);
}

void dph_d_lower_text_address(struct d_lower *l, struct d_node *node)
{
	struct d_node *of = node->list;
	const unsigned kept = dph_d_temp(l, 0);
	if (of->is.home == D_HOME_TEXT)
		dph_d_lower_text_address(l, of);
	else
		dph_d_lower_value(l, of);
	if (strcmp(node->text, "strchr") != 0)
		return;
	dph_d_emit(l->code, RPN_MOVE_LV_N, kept);
	find(l, node);
	dph_d_emit(l->code, RPN_PUSH_LV_N, kept);
	dph_d_emit(l->code, RPN_ADD, 0);
}

/* address offset -- offset, or -1 where another byte stands there */
static void check_found(struct d_lower *l, struct d_node *what, unsigned address)
{
	dph_d_emit(l->code, RPN_DUP_N, 1);
	dph_d_emit(l->code, RPN_PUSH_LV_N, address);
	dph_d_emit(l->code, RPN_ADD, 0);
	dph_d_emit(l->code, RPN_PUSH_MEM_8, 0);
	l->depth += 2;
	dph_d_lower_word(l, what);
	l->depth -= 2;
	dph_d_emit(l->code, RPN_SUB, 0);
	dph_d_push(l->code, 0xff);
	dph_d_emit(l->code, RPN_AND, 0);
	dph_d_truth(l, true);
	dph_d_emit(l->code, RPN_NEG, 0); /* -1 without 1 */
	dph_d_add_constant(l, 1);
	dph_d_emit(l->code, RPN_OR, 0);
}

void dph_d_lower_search(struct d_lower *l, struct d_node *node)
{
	struct d_node *of = node->list;
	const unsigned address = dph_d_temp(l, 1);
	if (of->is.home == D_HOME_TEXT)
		dph_d_lower_text_address(l, of);
	else
		dph_d_lower_value(l, of);
	if (!of->next) {
		find(l, node);
		return;
	}
	dph_d_emit(l->code, RPN_MOVE_LV_N, address);
	find(l, node);
	check_found(l, of->next, address);
}

static void push_string(struct d_lower *l, struct d_node *node)
{
	const struct d_node *of = node->list;
	const unsigned word = l->code->word_bytes, words = dph_d_text_words(l->d);
	unsigned there = words;
	uint64_t bytes = 0;
	dph_d_lower_text_address(l, node);
	if (of->is.type.kind == D_TYPE_ARRAY && strcmp(node->text, "strchr") != 0 &&
	    dph_d_type_bytes(l->d, &of->is.type, &bytes) && bytes % word == 0 &&
	    bytes / word < words) /* its array ends before */
		there = (unsigned)(bytes / word);
	dph_d_emit(l->code, RPN_PUSH_STR, there);
	while (there++ < words)
		dph_d_push(l->code, 0);
}

void dph_d_lower_text(struct d_lower *l, struct d_node *node)
{
	const unsigned words = dph_d_text_words(l->d);
	if (node->is.home == D_HOME_HOST) {
		dph_d_refuse_hosted(l, node);
	} else if (node->is.home == D_HOME_FIELD) {
		push_constant(l, node);
	} else if (node->is.home == D_HOME_TEXT) {
		push_string(l, node);
	} else if (node->is.home == D_HOME_SYSTEM) {
		dph_d_emit(l->code, RPN_PUSH_NAME, words);
	} else if (node->is.home == D_HOME_VALUE && node->kind == D_NODE_CHOICE) {
		dph_d_lower_choice(l, node, true);
	} else if (node->is.home == D_HOME_VALUE && node->kind == D_NODE_CALL) {
		dph_d_lower_text(l, node->list);
	} else {
		dph_d_lower_variable(l, node);
	}
}

/* May the text be longer than what is compared? */
static bool may_be_cut(const struct d_lower *l, const struct d_node *node)
{
	const char *text = dph_d_text_of(l, node);
	return !text || strlen(text) == l->d->key_size;
}

static void warn_of_cut(const struct d_lower *l, const struct d_node *node)
{
	struct d_front *d = l->d;
	if (d->cut_told || !may_be_cut(l, node->a) || !may_be_cut(l, node->b))
		return;
	d->cut_told = true;
	dph_warning(d, node->place, "strings are compared by their first %u bytes%s", d->key_size,
		    d->key_size < D_KEY_SIZE_MAX
			    ? dph_pool_print(d->pool, "; -x keysize=%d", D_KEY_SIZE_MAX)
			    : "");
}

void dph_d_lower_text_difference(struct d_lower *l, struct d_node *node)
{
	const unsigned words = dph_d_text_words(l->d);
	const bool equality = node->op == D_OP_EQ || node->op == D_OP_NE;
	if (equality && !dph_d_is_bytes(node->a) && !dph_d_is_bytes(node->b)) {
		dph_d_lower_value(l, node->a);
		l->depth++;
		dph_d_lower_value(l, node->b);
		l->depth--;
		dph_d_emit(l->code, RPN_SUB, 0);
		return;
	}
	warn_of_cut(l, node);
	dph_d_lower_text(l, node->a);
	l->depth += words;
	dph_d_lower_text(l, node->b);
	l->depth -= words;
	dph_d_emit(l->code, RPN_CMP_STR, words);
}
