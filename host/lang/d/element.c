/* SPDX-License-Identifier: BSD-2-Clause */
/* A variable with keys is a map of the target. All scalars of a task are one entry of one map,
 * whose key is the task; each is a view of it. */
#include "element.h"

#include "long.h"
#include "record.h"
#include "text.h"

#include <string.h>

/* --- checks -------------------------------------------------------------------------------- */

static struct d_variable *variable_of(const struct dph_d_check *c, const struct d_node *of)
{
	if (of->kind == D_NODE_SCOPED)
		return dph_d_variable_find(c->d, of->scope, of->text);
	return of->kind == D_NODE_NAME ? dph_d_variable_find(c->d, D_SCOPE_GLOBAL, of->text) : NULL;
}

/* The first use decides how many keys there are. */
static bool check_keys(const struct dph_d_check *c, struct d_node *node,
		       struct d_variable *variable)
{
	unsigned count = 0;
	unsigned texts = 0;
	for (struct d_node *key = node->list; key; key = key->next, count++) {
		dph_d_check(c, key);
		if (!dph_d_wrong(key) && dph_d_is_text(key))
			texts |= 1u << (count & 31);
		else if (!dph_d_check_checked_scalar(c, key, D_KEY_TYPE, "the key"))
			return false;
	}
	if (!variable->key_count) {
		variable->key_count = count;
		variable->key_texts = texts;
	}
	if (variable->key_count == count && variable->key_texts == texts)
		return true;
	if (variable->key_count == count) {
		dph_d_error(c->d, D_PROTO_ARG, node->place,
			    "a key of '%s' is a string in one place, and a number elsewhere",
			    variable->name);
		return false;
	}
	dph_d_error(c->d, D_PROTO_LEN, node->place, "'%s' has %u key(s) elsewhere, not %u",
		    variable->name, variable->key_count, count);
	return false;
}

bool dph_d_check_element(const struct dph_d_check *c, struct d_node *node)
{
	struct d_variable *variable = variable_of(c, node->a);
	if (!variable || !variable->indexed)
		return false;
	dph_d_set_wrong(node);
	dph_d_check_variable(c, variable);
	if (!check_keys(c, node, variable) || !dph_d_storable(c, node, variable))
		return true;
	node->type = variable->type;
	node->home = D_HOME_ELEMENT;
	node->variable = variable;
	return true;
}

/* --- maps ---------------------------------------------------------------------------------- */

static unsigned places_of(unsigned wanted)
{
	unsigned places = 1;
	while (places < wanted)
		places *= 2;
	return places;
}

static unsigned add_map(struct d_lower *l, const struct dph_map *map)
{
	struct d_front *d = l->check.d;
	const unsigned bytes = (map->keys + map->values) * l->code->word_bytes;
	if (d->program->map_count >= DPH_MAX_MAPS || bytes > DP_MAP_ENTRY_BYTES) {
		dph_d_error(
			d, D_HERE_LIMIT, l->code->place,
			bytes > DP_MAP_ENTRY_BYTES
				? "keys and value need more than an agent's %d bytes; use fewer "
				  "keys"
				: "the program has more aggregations and arrays than an agent's %d",
			bytes > DP_MAP_ENTRY_BYTES ? (int)DP_MAP_ENTRY_BYTES : (int)DPH_MAX_MAPS);
		return 0;
	}
	return (unsigned)dph_ir_map(d->program, map);
}

/* Add the map of an array, whose name stands in the formats. */
static unsigned add_array(struct d_lower *l, const char *name, unsigned keys, unsigned values)
{
	struct d_format_table *f = l->check.d->formats;
	const struct dph_map map = {.kind = DP_MAP_ARRAY,
				    .keys = keys,
				    .values = values,
				    .places = places_of(l->check.d->dynvar_size)};
	const unsigned index = add_map(l, &map);
	f->arrays = dph_grow(f->arrays, &f->array_capacity, f->array_count, sizeof(*f->arrays));
	f->arrays[f->array_count++] = (struct dph_format_array){.name = name, .map = index};
	return index;
}

/* One more word of the entry that each task has. */
static unsigned add_view(struct d_lower *l, unsigned words)
{
	struct d_front *d = l->check.d;
	if (!d->thread_map)
		d->thread_map = 1 + add_array(l, "self->", 1, 0);
	struct dph_map *array = &d->program->maps[d->thread_map - 1];
	if ((1 + words + array->values) * l->code->word_bytes > DP_MAP_ENTRY_BYTES) {
		dph_d_error(d, D_HERE_LIMIT, l->code->place,
			    "there are more variables of a task than an agent holds: %u",
			    array->values);
		return 0;
	}
	const struct dph_map view = {.kind = DP_MAP_VIEW,
				     .keys = 1,
				     .values = words,
				     .of = d->thread_map - 1,
				     .at = array->values};
	array->values += words;
	return add_map(l, &view);
}

static const char *name_of(struct d_lower *l, const struct d_variable *variable)
{
	return variable->scope == D_SCOPE_THREAD
		       ? dph_pool_print(l->check.d->pool, "self->%s", variable->name)
		       : variable->name;
}

static unsigned key_words(const struct d_lower *l, const struct d_variable *variable)
{
	unsigned words = variable->key_count;
	for (unsigned i = 0; i < variable->key_count && i < 32; i++)
		if (variable->key_texts & variable->key_bytes & 1u << i)
			words += dph_d_text_words(l->check.d) - 1;
	return words;
}

static unsigned map_of(struct d_lower *l, struct d_variable *variable)
{
	const bool thread = variable->scope == D_SCOPE_THREAD;
	const unsigned words = dph_d_variable_words(&l->check, variable);
	if (variable->placed)
		return variable->index;
	variable->placed = true;
	if (variable->indexed)
		variable->index =
			add_array(l, name_of(l, variable), key_words(l, variable) + thread, words);
	else
		variable->index = add_view(l, words);
	return variable->index;
}

/* --- code ---------------------------------------------------------------------------------- */

/* Push the keys; they are needed until the map takes them. */
static void push_keys(struct d_lower *l, const struct d_node *node)
{
	if (node->variable->scope == D_SCOPE_THREAD) {
		dph_d_emit(l->code, RPN_PUSH_TASK, 0);
		l->depth++;
	}
	if (node->kind != D_NODE_INDEX)
		return;
	unsigned bytes = node->variable->key_bytes;
	for (struct d_node *key = node->list; key; key = key->next, bytes >>= 1)
		if (dph_d_is_text(key) && (bytes & 1)) {
			dph_d_lower_text(l, key);
			l->depth += dph_d_text_words(l->check.d);
		} else {
			dph_d_lower_word(l, key);
			l->depth++;
		}
}

void dph_d_lower_element(struct d_lower *l, struct d_node *node)
{
	const unsigned depth = l->depth, map = map_of(l, node->variable);
	push_keys(l, node);
	dph_d_emit(l->code, RPN_PUSH_MAP, map);
	l->depth = depth;
}

/* keys value -- ; with used: -- value */
static void store(struct d_lower *l, struct d_node *node, unsigned map, bool used)
{
	if (dph_d_value_words(&l->check, node) > 1) {
		dph_d_emit(l->code, RPN_POP_MAP, map);
		if (used)
			dph_d_lower_element(l, node);
		return;
	}
	const unsigned kept = used ? dph_d_temp(l, 0) : 0;
	if (used)
		dph_d_emit(l->code, RPN_MOVE_LV_N, kept);
	dph_d_emit(l->code, RPN_POP_MAP, map);
	if (used)
		dph_d_emit(l->code, RPN_PUSH_LV_N, kept);
}

void dph_d_lower_element_assign(struct d_lower *l, struct d_node *node, bool used)
{
	const unsigned depth = l->depth, map = map_of(l, node->a->variable);
	push_keys(l, node->a);
	dph_d_lower_new_value(l, node);
	l->depth = depth;
	store(l, node->a, map, used);
}

void dph_d_lower_element_step(struct d_lower *l, struct d_node *node, bool used)
{
	const unsigned depth = l->depth, map = map_of(l, node->a->variable);
	const bool before = used && node->postfix;
	if (before) {
		dph_d_lower_element(l, node->a);
		l->depth += dph_d_is_long(&l->check, &node->a->type) ? 2 : 1;
	}
	push_keys(l, node->a);
	dph_d_lower_element(l, node->a);
	dph_d_lower_step_value(l, node);
	l->depth = depth;
	store(l, node->a, map, used && !before);
}
