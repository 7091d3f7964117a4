/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for variables and keys whose texts are bytes on the target. A text that can only be a
 * constant or a part of the probe's name is a number. */
#define _GNU_SOURCE
#include "texts.h"

#include "check.h"

#include <string.h>

struct search {
	struct d_front *d;
	bool changed;
};

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

/* printa joins the keys of its aggregations: where one has bytes, all have. */
static void visit_printa(struct search *s, const struct d_node *node)
{
	unsigned bytes = 0;
	for (const struct d_node *of = node->list; of; of = of->next)
		if (of->kind == D_NODE_AGGREGATION)
			bytes |= keys_named(s->d, of->text)->bytes;
	for (const struct d_node *of = node->list; of; of = of->next)
		if (of->kind == D_NODE_AGGREGATION && keys_named(s->d, of->text)->bytes != bytes) {
			keys_named(s->d, of->text)->bytes = bytes;
			s->changed = true;
		}
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
		else if (node->kind == D_NODE_CALL && strcmp(node->text, "printa") == 0)
			visit_printa(s, node);
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
			if (c->entered)
				visit_statements(&s, c->entered->keep->body);
		}
	} while (s.changed);
}
