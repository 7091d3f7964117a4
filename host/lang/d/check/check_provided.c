/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of declared probes: the value of the declaration stands in the place of args[N]. */
#define _GNU_SOURCE
#include "check.h"

#include "lang/d/read/provided.h"

/* Take the number of an argument. Returns false: the error is said. */
static bool take_number(const struct dph_d_check *c, struct d_node *node, uint64_t *n)
{
	if (node->kind == D_NODE_NAME) {
		*n = (uint64_t)dph_d_argument_number(node->text);
		return true;
	}
	dph_d_check(c, node->list);
	if (dph_d_wrong(node->list))
		return false;
	*n = node->list->is.number;
	if (node->list->is.constant && !node->list->next)
		return true;
	dph_d_error(c->d, D_ARGS_IDX, node->list->place, "the index of args[] is one constant");
	return false;
}

static const struct d_node *value_of(const struct dph_d_check *c, const struct d_node *node,
				     uint64_t n)
{
	const struct d_provided *probe = c->point->provided;
	const struct d_node *value = probe->values;
	unsigned count = 0;
	for (const struct d_node *at = probe->values; at; at = at->next)
		count++;
	for (uint64_t i = 0; value && i < n; i++)
		value = value->next;
	if (!value)
		dph_d_error(c->d, D_ARGS_IDX, node->list ? node->list->place : node->place,
			    count ? "probe '%s' of provider '%s' has %u argument(s)"
				  : "probe '%s' of provider '%s' has no arguments",
			    probe->name, probe->provider, count);
	return value;
}

/* arg0 is a signed word, or a pair of words. */
static void make_word(const struct dph_d_check *c, struct d_node *node)
{
	const bool wide = dph_d_is_long(c->d, &node->is.type);
	if (dph_d_wrong(node) || !dph_d_type_scalar(&node->is.type))
		return;
	struct d_node *value = dph_pool_take(c->d->pool, sizeof(*value));
	struct d_type_name *type = dph_pool_take(c->d->pool, sizeof(*type));
	*value = *node;
	value->next = NULL;
	value->written = NULL;
	*type = (struct d_type_name){.place = node->place, .name = wide ? "long long" : "long"};
	*node = (struct d_node){.kind = D_NODE_CAST,
				.place = value->place,
				.text = "",
				.type_name = type,
				.a = value,
				.of_file = true,
				.next = node->next,
				.written = node->written};
	dph_d_check(c, node);
}

void dph_d_restore(struct d_node *node)
{
	if (!node->written)
		return;
	struct d_node *next = node->next;
	struct d_variable *kept = node->kept;
	*node = *node->written;
	node->next = next;
	node->kept = kept;
}

bool dph_d_check_provided(const struct dph_d_check *c, struct d_node *node)
{
	const bool word = node->kind == D_NODE_NAME && dph_d_argument_number(node->text) >= 0;
	uint64_t n;
	if (!c->point->provided || node->of_file || !(word || dph_d_is_args(node)))
		return false;
	dph_d_set_wrong(node);
	const struct d_node *value = take_number(c, node, &n) ? value_of(c, node, n) : NULL;
	if (!value)
		return true;
	struct d_node *written = dph_pool_take(c->d->pool, sizeof(*written)), alone = *value;
	struct d_node *next = node->next;
	*written = *node;
	alone.next = NULL;
	*node = *dph_d_copy(c->d, &alone);
	node->next = next;
	node->kept = written->kept;
	dph_d_check(c, node);
	if (word)
		make_word(c, node);
	node->written = written;
	node->place = written->place; /* records name what the program has */
	node->deferred = true;
	return true;
}
