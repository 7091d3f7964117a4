/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings in expressions: constants are numbers where no other string is possible, otherwise bytes.
 */
#include "text.h"

#include "lang/d/check/hosted.h"
#include "long.h"
#include "object.h"
#include "lang/d/record/record.h"

#include <string.h>

/* --- which texts are bytes ----------------------------------------------------------------- */

/* Keys of an aggregation, a bit each. */
struct d_key_texts {
	struct d_key_texts *next;
	const char *name;
	unsigned bytes;
};

struct search {
	struct d_front *d;
	bool changed;
};

struct d_variable *dph_d_variable_of(const struct d_front *d, const struct d_node *node)
{
	if (node->kind == D_NODE_INDEX)
		return dph_d_variable_of(d, node->a);
	if (node->kind == D_NODE_SCOPED)
		return dph_d_variable_find(d, node->scope, node->text);
	return node->kind == D_NODE_NAME ? dph_d_variable_find(d, D_SCOPE_GLOBAL, node->text)
					 : NULL;
}

/* Is the text, if the node is one, computed on the target? */
static bool is_computed(const struct d_front *d, const struct d_node *node)
{
	const struct d_variable *variable = dph_d_variable_of(d, node);
	if (variable)
		return variable->bytes;
	switch (node->kind) {
	case D_NODE_NAME:
		return !dph_d_is_probe_part(node->text);
	case D_NODE_NUMBER:
	case D_NODE_STRING:
		return false;
	case D_NODE_CHOICE:
		return is_computed(d, node->b) || is_computed(d, node->c);
	case D_NODE_ASSIGN:
		return is_computed(d, node->a);
	default: /* a function, or a pointer to characters */
		return true;
	}
}

/* Variables of the node have bytes, if they are texts. */
static void make_bytes(struct search *s, const struct d_node *node)
{
	struct d_variable *variable = dph_d_variable_of(s->d, node);
	if (variable && !variable->bytes) {
		variable->bytes = true;
		s->changed = true;
	} else if (node->kind == D_NODE_CHOICE) {
		make_bytes(s, node->b);
		make_bytes(s, node->c);
	} else if (node->kind == D_NODE_ASSIGN) {
		make_bytes(s, node->a);
	}
}

/* Two places of one text. */
static void join(struct search *s, const struct d_node *a, const struct d_node *b)
{
	if (!is_computed(s->d, a) && !is_computed(s->d, b))
		return;
	make_bytes(s, a);
	make_bytes(s, b);
}

static void visit_keys(struct search *s, const struct d_node *keys, unsigned *bytes)
{
	for (unsigned bit = 1; keys; keys = keys->next, bit <<= 1) {
		if (!(*bytes & bit) && is_computed(s->d, keys)) {
			*bytes |= bit;
			s->changed = true;
		}
		if (*bytes & bit)
			make_bytes(s, keys);
	}
}

static struct d_key_texts *keys_named(struct d_front *d, const char *name)
{
	struct d_key_texts *k = d->key_texts;
	while (k && strcmp(k->name, name) != 0)
		k = k->next;
	if (k)
		return k;
	k = dph_pool_take(d->pool, sizeof(*k));
	*k = (struct d_key_texts){.next = d->key_texts, .name = name};
	return d->key_texts = k;
}

static void visit_comparison(struct search *s, const struct d_node *node)
{
	if (node->op == D_OP_EQ || node->op == D_OP_NE) {
		join(s, node->a, node->b);
	} else if (node->op == D_OP_LT || node->op == D_OP_GT || node->op == D_OP_LE ||
		   node->op == D_OP_GE) { /* numbers of texts have no order */
		make_bytes(s, node->a);
		make_bytes(s, node->b);
	}
}

static void visit(struct search *s, const struct d_node *node)
{
	for (; node; node = node->next) {
		struct d_variable *variable = dph_d_variable_of(s->d, node);
		if (node->kind == D_NODE_ASSIGN && node->op == D_OP_NONE)
			join(s, node->a, node->b);
		else if (node->kind == D_NODE_CHOICE)
			join(s, node->b, node->c);
		else if (node->kind == D_NODE_BINARY)
			visit_comparison(s, node);
		else if (node->kind == D_NODE_AGGREGATION)
			visit_keys(s, node->list, &keys_named(s->d, node->text)->bytes);
		else if (node->kind == D_NODE_INDEX && variable)
			visit_keys(s, node->list, &variable->key_bytes);
		visit(s, node->a);
		visit(s, node->b);
		visit(s, node->c);
		visit(s, node->list);
	}
}

static void visit_statements(struct search *s, const struct d_statement *list)
{
	for (; list; list = list->next) {
		visit(s, list->expression);
		visit_statements(s, list->yes);
		visit_statements(s, list->no);
	}
}

void dph_d_texts(struct d_front *d)
{
	struct search s = {.d = d};
	do {
		s.changed = false;
		for (const struct d_clause *c = d->clauses; c; c = c->next) {
			visit(&s, c->predicate);
			visit_statements(&s, c->body);
		}
	} while (s.changed);
}

/* --- what a node is ------------------------------------------------------------------------ */

bool dph_d_is_text(const struct d_node *node)
{
	return node->type.kind == D_TYPE_STRING;
}

bool dph_d_is_bytes(const struct d_node *node)
{
	if (!dph_d_is_text(node) || node->home == D_HOME_FIELD)
		return false;
	if (node->home == D_HOME_VARIABLE || node->home == D_HOME_ELEMENT)
		return node->variable->bytes;
	if (node->home != D_HOME_VALUE)
		return true;
	if (node->kind == D_NODE_CHOICE)
		return dph_d_is_bytes(node->b) || dph_d_is_bytes(node->c);
	return dph_d_is_bytes(node->kind == D_NODE_CALL ? node->list : node->a);
}

bool dph_d_key_is_bytes(const struct d_front *d, const char *aggregation, unsigned n)
{
	for (const struct d_key_texts *k = d->key_texts; k; k = k->next)
		if (strcmp(k->name, aggregation) == 0)
			return k->bytes >> n & 1;
	return false;
}

unsigned dph_d_text_words(const struct d_front *d)
{
	const unsigned word = d->program->target.word_bytes;
	return (d->key_size + word - 1) / word;
}

unsigned dph_d_variable_words(const struct dph_d_check *c, const struct d_variable *variable)
{
	if (variable->type.kind == D_TYPE_STRING)
		return variable->bytes ? dph_d_text_words(c->d) : 1;
	if (variable->type.kind == D_TYPE_STRUCT)
		return dph_d_object_words(c->d, &variable->type);
	return dph_d_is_long(c, &variable->type) ? 2 : 1;
}

unsigned dph_d_value_words(const struct dph_d_check *c, const struct d_node *node)
{
	if (dph_d_is_bytes(node))
		return dph_d_text_words(c->d);
	return dph_d_is_long(c, &node->type) ? 2 : 1;
}

/* --- constants ----------------------------------------------------------------------------- */

uint32_t dph_d_text_number(struct d_front *d, const char *text)
{
	struct d_format_table *f = d->formats;
	if (!f->text_count && *text)
		dph_d_text_number(d, ""); /* 0: of a variable that was never assigned to */
	for (size_t i = 0; i < f->text_count; i++)
		if (strcmp(f->texts[i], text) == 0)
			return (uint32_t)i;
	f->texts = dph_grow(f->texts, &f->text_capacity, f->text_count, sizeof(*f->texts));
	f->texts[f->text_count] = text;
	return (uint32_t)f->text_count++;
}

const char *dph_d_text_of(const struct dph_d_check *c, const struct d_node *node)
{
	const struct d_point *point = c->point;
	if (node->home != D_HOME_FIELD)
		return NULL;
	if (node->form == DPH_FIELD_TEXT)
		return node->other;
	if (node->form != DPH_FIELD_PROBE || node->part == DPH_PROBE_ID)
		return NULL;
	if (node->part == DPH_PROBE_WHOLE)
		return dph_pool_print(c->d->pool, "%s:%s:%s:%s", point->part[DPH_PROBE_PROVIDER],
				      point->part[DPH_PROBE_MODULE],
				      point->part[DPH_PROBE_FUNCTION], point->part[DPH_PROBE_NAME]);
	return point->part[node->part];
}

/* --- checks -------------------------------------------------------------------------------- */

/* The size of copyinstr is of use where the string is recorded. */
static bool check_size(const struct dph_d_check *c, struct d_node *bytes)
{
	dph_d_check(c, bytes);
	if (dph_d_wrong(bytes))
		return false;
	if (bytes->constant && bytes->number >= c->d->key_size)
		return true;
	dph_d_error(c->d, D_PROTO_ARG, bytes->place,
		    "a string that is computed with has keysize bytes, %u; a smaller size can only "
		    "be recorded",
		    c->d->key_size);
	return false;
}

struct d_node *dph_d_text_at(const struct d_front *d, struct d_node *node)
{
	struct d_node *made = dph_pool_take(d->pool, sizeof(*made));
	*made = (struct d_node){.kind = D_NODE_CALL,
				.place = node->place,
				.text = "stringof",
				.list = node,
				.home = D_HOME_TEXT,
				.type = {.kind = D_TYPE_STRING}};
	return made;
}

/* stringof(e) is a text where the address points, or the text itself. */
void dph_d_check_stringof(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *of = node->list;
	dph_d_check(c, of);
	dph_d_set_wrong(node);
	if (dph_d_wrong(of) || (of->next && !check_size(c, of->next)))
		return;
	if (!dph_d_is_text(of) && !dph_d_type_pointed(&of->type)) {
		dph_d_error(c->d, D_STRINGOF_TYPE, of->place,
			    "%s is no string; stringof takes a pointer",
			    dph_d_type_text(c->d, &of->type));
		return;
	}
	node->type = (struct d_type){.kind = D_TYPE_STRING};
	node->home = dph_d_is_text(of) ? D_HOME_VALUE : D_HOME_TEXT;
	if (of->home != D_HOME_FIELD)
		return;
	node->home = D_HOME_FIELD;
	node->form = of->form;
	node->part = of->part;
	node->other = of->other;
}

/* The string of the firmware that is searched: a pointer to characters, or stringof(p). */
static bool is_searched(const struct dph_d_check *c, const struct d_node *of)
{
	return of->home == D_HOME_TEXT ||
	       (dph_d_type_pointed(&of->type) && dph_d_is_string(c, of) &&
		of->home != D_HOME_FIELD && of->home != D_HOME_HOST);
}

/* The target looks for a constant number, or a constant string of one character. */
static bool is_character(const struct dph_d_check *c, struct d_node *what)
{
	if (what->kind == D_NODE_STRING && what->bytes == 1) {
		dph_d_set_constant(c->d, what, (uint8_t)what->text[0], false);
		return true;
	}
	return what->constant;
}

/* The target or the host searches. */
void dph_d_check_search(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *of = node->list, *what = of->next;
	dph_d_set_wrong(node);
	dph_d_check(c, of);
	if (what)
		dph_d_check(c, what);
	if (dph_d_wrong(of) || (what && dph_d_wrong(what)))
		return;
	if (!is_searched(c, of) || (what && (!is_character(c, what) || what->next))) {
		dph_d_check_hosted(c, node);
	} else if (strcmp(node->text, "strchr") == 0) {
		node->type = (struct d_type){.kind = D_TYPE_STRING};
		node->home = D_HOME_TEXT;
	} else {
		dph_d_set_value(node, dph_d_type_int(c->d));
	}
}

/* --- code ---------------------------------------------------------------------------------- */

static void push_constant(struct d_lower *l, const char *text)
{
	const unsigned word = l->code->word_bytes, words = dph_d_text_words(l->check.d);
	size_t left = strlen(text);
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
	if (of->home == D_HOME_TEXT)
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
	if (of->home == D_HOME_TEXT)
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
	const unsigned word = l->code->word_bytes, words = dph_d_text_words(l->check.d);
	unsigned there = words;
	uint64_t bytes = 0;
	dph_d_lower_text_address(l, node);
	if (of->type.kind == D_TYPE_ARRAY && strcmp(node->text, "strchr") != 0 &&
	    dph_d_type_bytes(l->check.d, &of->type, &bytes) && bytes % word == 0 &&
	    bytes / word < words) /* its array ends before */
		there = (unsigned)(bytes / word);
	dph_d_emit(l->code, RPN_PUSH_STR, there);
	while (there++ < words)
		dph_d_push(l->code, 0);
}

void dph_d_lower_text(struct d_lower *l, struct d_node *node)
{
	const unsigned words = dph_d_text_words(l->check.d);
	if (node->home == D_HOME_HOST) {
		dph_d_refuse_hosted(&l->check, node);
	} else if (node->home == D_HOME_FIELD) {
		push_constant(l, dph_d_text_of(&l->check, node));
	} else if (node->home == D_HOME_TEXT) {
		push_string(l, node);
	} else if (node->home == D_HOME_SYSTEM) {
		dph_d_emit(l->code, RPN_PUSH_NAME, words);
	} else if (node->home == D_HOME_VALUE && node->kind == D_NODE_CHOICE) {
		dph_d_lower_choice(l, node, true);
	} else if (node->home == D_HOME_VALUE && node->kind == D_NODE_CALL) {
		dph_d_lower_text(l, node->list);
	} else {
		dph_d_lower_variable(l, node);
	}
}

void dph_d_lower_text_difference(struct d_lower *l, struct d_node *node)
{
	const unsigned words = dph_d_text_words(l->check.d);
	const bool equality = node->op == D_OP_EQ || node->op == D_OP_NE;
	if (equality && !dph_d_is_bytes(node->a) && !dph_d_is_bytes(node->b)) {
		dph_d_lower_value(l, node->a);
		l->depth++;
		dph_d_lower_value(l, node->b);
		l->depth--;
		dph_d_emit(l->code, RPN_SUB, 0);
		return;
	}
	dph_d_lower_text(l, node->a);
	l->depth += words;
	dph_d_lower_text(l, node->b);
	l->depth -= words;
	dph_d_emit(l->code, RPN_CMP_STR, words);
}
