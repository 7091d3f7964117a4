/* SPDX-License-Identifier: BSD-2-Clause */
/* A variable with keys is a map of the target. All scalars of a task are one entry of one map,
 * whose key is the task; each is a view of it. */
#include "element.h"

#include "formats.h"
#include "lang/d/read/functions.h"
#include "long.h"
#include "text.h"

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
	struct d_front *d = l->d;
	const unsigned bytes = (map->keys + map->values) * l->code->word_bytes;
	if (bytes > DP_MAP_ENTRY_BYTES || map->keys > DP_MAP_KEYS_MAX)
		dph_d_error(d, D_HERE_LIMIT, l->code->place,
			    "keys and value have %u bytes, the keys %u words; an agent has %d "
			    "bytes and %d words; use fewer keys",
			    bytes, map->keys, (int)DP_MAP_ENTRY_BYTES, (int)DP_MAP_KEYS_MAX);
	else if (d->program->map_count >= DPH_MAX_MAPS)
		dph_d_error(d, D_HERE_LIMIT, l->code->place,
			    "the program has more aggregations and arrays than an agent's %d",
			    (int)DPH_MAX_MAPS);
	else
		return (unsigned)dph_ir_map(d->program, map);
	return 0;
}

/* Add the map of an array, whose name stands in the formats. */
static unsigned add_array(struct d_lower *l, const char *name, unsigned keys, unsigned values,
			  unsigned places)
{
	const struct dph_map map = {
		.kind = DP_MAP_ARRAY, .keys = keys, .values = values, .places = places_of(places)};
	const unsigned index = add_map(l, &map);
	dph_d_name_array(l->d, name, index);
	return index;
}

/* One more word of the entry that each task has. */
static unsigned add_view(struct d_lower *l, unsigned words)
{
	struct d_front *d = l->d;
	if (!d->thread_map)
		d->thread_map = 1 + add_array(l, "self->", 1, 0, d->dynvar_size);
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
	return variable->scope == D_SCOPE_THREAD && !variable->hidden
		       ? dph_pool_print(l->d->pool, "self->%s", variable->name)
		       : variable->name;
}

static bool is_bytes(const struct d_variable *variable, unsigned key)
{
	return key < 32 && (variable->key_texts & variable->key_bytes & 1u << key) != 0;
}

/* Words of the keys of an entry; the task is one more key of a variable of a task. */
static unsigned key_words(const struct d_lower *l, const struct d_variable *variable)
{
	unsigned words = variable->key_count + (variable->scope == D_SCOPE_THREAD);
	for (unsigned key = 0; key < variable->key_count; key++) {
		words += dph_d_key_is_wide(variable, key);
		words += is_bytes(variable, key) ? dph_d_text_words(l->d) - 1 : 0;
	}
	return words;
}

static unsigned map_of(struct d_lower *l, struct d_variable *variable)
{
	const unsigned words = dph_d_variable_words(l->d, variable);
	if (variable->placed)
		return variable->index;
	variable->placed = true;
	/* A map has a place for each new key while it is at most three quarters full. */
	const unsigned places =
		variable->bound ? variable->bound + variable->bound / 3 + 1 : l->d->dynvar_size;
	if (variable->indexed)
		variable->index =
			add_array(l, name_of(l, variable), key_words(l, variable), words, places);
	else
		variable->index = add_view(l, words);
	return variable->index;
}

/* --- code ---------------------------------------------------------------------------------- */

/* v -- v ; an index that is negative or not below the bound is an invalid address. */
static void check_bound(struct d_lower *l, unsigned bound)
{
	const size_t good = dph_d_label(l->code);
	const unsigned kept = dph_d_temp(l, 0);
	dph_d_emit(l->code, RPN_MOVE_LV_N, kept);
	dph_d_emit(l->code, RPN_DUP_N, 2);
	dph_d_push(l->code, bound - 1);
	dph_d_emit(l->code, RPN_SUB, 0);
	dph_d_emit(l->code, RPN_OR, 0); /* bound - 1 - v | v: negative outside of the bound */
	dph_d_emit(l->code, RPN_JGE, good);
	dph_d_push(l->code, 0);
	dph_d_emit(l->code, RPN_PUSH_LV_N, kept);
	dph_d_push(l->code, RPN_X_INVALID_ADDR);
	dph_d_emit(l->code, RPN_RX, 0);
	dph_d_emit(l->code, RPN_ROS_N, 3); /* not reached; the verifier counts words */
	dph_d_put(l->code, good);
	dph_d_emit(l->code, RPN_ROS_N, 1);
}

/* Push a key of one word. A declared narrow key has the value that C converts it to. */
static void push_word(struct d_lower *l, const struct d_variable *array, struct d_node *key,
		      unsigned n)
{
	const struct d_type *type = &array->key_types[n];
	if (array->declared && type->kind == D_TYPE_INTEGER && type->bytes < l->code->word_bytes)
		dph_d_lower_as(l, key, type);
	else
		dph_d_lower_word(l, key);
}

/* Push the keys; they are needed until the map takes them. */
static void push_keys(struct d_lower *l, const struct d_node *node)
{
	if (node->is.variable->scope == D_SCOPE_THREAD) {
		dph_d_emit(l->code, RPN_PUSH_TASK, 0);
		l->depth++;
	}
	if (node->kind != D_NODE_INDEX)
		return;
	unsigned n = 0;
	const struct d_type wide = dph_d_type_integer(l->d, sizeof(int64_t), true);
	for (struct d_node *key = node->list; key; key = key->next, n++) {
		if (dph_d_key_is_wide(node->is.variable, n)) {
			dph_d_lower_as(l, key, &wide);
			l->depth += 2;
		} else if (is_bytes(node->is.variable, n)) {
			dph_d_lower_text(l, key);
			l->depth += dph_d_text_words(l->d);
		} else {
			push_word(l, node->is.variable, key, n);
			if (node->is.variable->bound && !key->is.constant)
				check_bound(l, node->is.variable->bound);
			l->depth++;
		}
	}
}

void dph_d_lower_element(struct d_lower *l, struct d_node *node)
{
	const unsigned depth = l->depth, map = map_of(l, node->is.variable);
	push_keys(l, node);
	dph_d_emit(l->code, RPN_PUSH_MAP, map);
	l->depth = depth;
}

/* keys value -- ; with used: -- value */
static void store(struct d_lower *l, struct d_node *node, unsigned map, bool used)
{
	const unsigned words = used ? dph_d_value_words(l->d, node) : 0;
	if (words > 2) { /* a text, whose keys are kept */
		dph_d_emit(l->code, RPN_POP_MAP, map);
		dph_d_lower_element(l, node);
		return;
	}
	for (unsigned i = 0; i < words; i++) {
		dph_d_emit(l->code, RPN_MOVE_LV_N, dph_d_temp(l, i));
		if (words > 1)
			dph_d_emit(l->code, RPN_XCHG, 0);
	}
	dph_d_emit(l->code, RPN_POP_MAP, map);
	for (unsigned i = words; i-- > 0;)
		dph_d_emit(l->code, RPN_PUSH_LV_N, dph_d_temp(l, i));
}

/* --- keys that are evaluated once ----------------------------------------------------------- */

/* Evaluate key n into program variables. Returns a node that reads them. */
static struct d_node *kept_key(struct d_lower *l, const struct d_variable *array,
			       struct d_node *key, unsigned n)
{
	struct d_front *d = l->d;
	const unsigned word = l->code->word_bytes;
	const bool bytes = is_bytes(array, n);
	const struct d_type type =
		dph_d_type_integer(d, dph_d_key_is_wide(array, n) ? sizeof(int64_t) : word, false);
	struct d_node *made = dph_pool_take(d->pool, sizeof(*made));
	if (key->is.constant) {
		*made = *key;
		made->next = NULL;
		return made;
	}
	if (!key->kept) {
		key->kept = dph_pool_take(d->pool, sizeof(*key->kept));
		*key->kept = (struct d_variable){.place = key->place, .bytes = bytes, .type = type};
		if (bytes)
			key->kept->type = (struct d_type){.kind = D_TYPE_STRING};
	}
	if (bytes)
		dph_d_lower_text(l, key);
	else if (dph_d_key_is_wide(array, n))
		dph_d_lower_as(l, key, &type);
	else
		push_word(l, array, key, n);
	dph_d_pop_variable(l, key->kept);
	*made = (struct d_node){.kind = D_NODE_NAME,
				.place = key->place,
				.is.home = D_HOME_VARIABLE,
				.is.type = key->kept->type,
				.is.variable = key->kept};
	return made;
}

/* An assignment pushes the keys of its element more than once: before it stores the value, and
 * after it where a text is used. Keys that change a variable, or may read the text, are evaluated
 * here. Returns the keys to push. */
static struct d_node *kept_keys(struct d_lower *l, const struct d_node *element, bool used)
{
	struct d_node *list = NULL, **last = &list;
	const bool again = used && dph_d_is_bytes(element);
	unsigned n = 0;
	if (element->kind != D_NODE_INDEX || !(again || dph_d_changes(element->list)))
		return element->list;
	for (struct d_node *key = element->list; key; key = key->next, n++) {
		*last = kept_key(l, element->is.variable, key, n);
		last = &(*last)->next;
	}
	return list;
}

static void assign(struct d_lower *l, struct d_node *node, bool used)
{
	const unsigned depth = l->depth, map = map_of(l, node->a->is.variable);
	push_keys(l, node->a);
	dph_d_lower_new_value(l, node);
	l->depth = depth;
	store(l, node->a, map, used);
}

static void step(struct d_lower *l, struct d_node *node, bool used)
{
	const unsigned depth = l->depth, map = map_of(l, node->a->is.variable);
	const bool before = used && node->postfix;
	if (before) {
		dph_d_lower_element(l, node->a);
		l->depth += dph_d_is_long(l->d, &node->a->is.type) ? 2 : 1;
	}
	push_keys(l, node->a);
	dph_d_lower_element(l, node->a);
	dph_d_lower_step_value(l, node);
	l->depth = depth;
	store(l, node->a, map, used && !before);
}

/* change: assign or step */
static void with_kept_keys(struct d_lower *l, struct d_node *node, bool used,
			   void (*change)(struct d_lower *l, struct d_node *node, bool used))
{
	struct d_node *list = node->a->list;
	node->a->list = kept_keys(l, node->a, used);
	change(l, node, used);
	node->a->list = list;
}

void dph_d_lower_element_assign(struct d_lower *l, struct d_node *node, bool used)
{
	with_kept_keys(l, node, used, assign);
}

void dph_d_lower_element_step(struct d_lower *l, struct d_node *node, bool used)
{
	with_kept_keys(l, node, used, step);
}
