/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations with call stacks as keys. Agents cannot walk the stack: each hit records its keys
 * and the value, and the host counts. */
#include "aggregation.h"

#include <string.h>

enum {
	FIELDS_MAX = DP_MAP_KEYS_MAX * (D_STACK_FIELDS_MAX + 2) + 2
};

/* An update in the making. */
struct counting {
	struct d_record *record;
	struct dph_format_field *keys;
	size_t key_count;
	unsigned words;                    /* of the keys */
	char letters[DP_MAP_KEYS_MAX + 2]; /* of the action's text */
	uint32_t fields[FIELDS_MAX];
	size_t field_count;
};

bool dph_d_has_stack_key(const struct d_node *aggregation)
{
	const struct d_node *key = aggregation->list;
	while (key && !dph_d_is_stack(key))
		key = key->next;
	return key != NULL;
}

static struct d_front *front(const struct counting *c)
{
	return c->record->check->d;
}

static void keep(struct counting *c, char letter)
{
	c->letters[strlen(c->letters)] = letter;
}

static bool take_stack(struct counting *c, struct d_node *key)
{
	const size_t count =
		dph_d_record_stack_call(c->record, key, true, c->fields + c->field_count);
	c->field_count += count;
	keep(c, 'k');
	return count > 0;
}

/* The format of a key that is recorded as a number. */
static struct dph_format_field number_of(const struct dph_format_field *recorded)
{
	struct dph_format_field field = *recorded;
	const bool sized = recorded->form == DPH_FIELD_WORDS || recorded->form == DPH_FIELD_TIME ||
			   recorded->form == DPH_FIELD_COMPUTED;
	field.form = DPH_FIELD_WORDS;
	field.bytes = sized && recorded->bytes ? recorded->bytes : sizeof(uint64_t);
	return field;
}

/* A key that is no stack. Returns false: the error is said. */
static bool take_value(struct counting *c, struct d_node *key, struct dph_format_field *field)
{
	uint32_t number = 0;
	bool address;
	if (!dph_d_record_any(c->record, key, &number, &address) ||
	    number >= c->record->field_count)
		return false;
	const struct dph_format_field *recorded = &c->record->fields[number];
	if (dph_d_is_text_field(recorded)) {
		field->form = DPH_FIELD_TEXT;
	} else if (address || dph_d_type_scalar(&key->is.type)) {
		*field = number_of(recorded);
		field->text = dph_d_source_text(front(c), key);
	} else {
		dph_d_error(front(c), D_KEY_TYPE, key->place,
			    "a key is a number, a pointer, a string or stack(); this is %s",
			    dph_d_type_text(front(c), &key->is.type));
		return false;
	}
	c->fields[c->field_count++] = number;
	keep(c, 'v');
	return true;
}

/* Returns false: the error is said. */
static bool take_key(struct counting *c, struct d_node *key)
{
	struct dph_format_field *field = &c->keys[c->key_count];
	*field = (struct dph_format_field){.form = DPH_FIELD_STACK,
					   .type = DPH_FORMAT_NO_TYPE,
					   .text = dph_d_source_text(front(c), key)};
	if (c->key_count == DP_MAP_KEYS_MAX) {
		dph_d_error(front(c), D_KEY_TYPE, key->place, "an aggregation has at most %d keys",
			    DP_MAP_KEYS_MAX);
		return false;
	}
	if (dph_d_is_stack(key) ? !take_stack(c, key) : !take_value(c, key, field))
		return false;
	c->key_count++;
	c->words += dph_format_key_words(field, front(c)->program->target.word_bytes);
	if (c->words <= DP_MAP_KEYS_MAX)
		return true;
	dph_d_error(front(c), D_HERE_LIMIT, key->place,
		    "the keys of an aggregation have at most %d words", DP_MAP_KEYS_MAX);
	return false;
}

/* What the host cannot do. Returns false: the error is said. */
static bool can_count(const struct counting *c, const struct d_node *node,
		      enum dph_aggregate function)
{
	if (!front(c)->counts_stacks) {
		struct d_node *key = node->a->list;
		while (!dph_d_is_stack(key))
			key = key->next;
		dph_d_check(c->record->check, key);
		return false;
	}
	const struct d_node *increment = dph_d_increment_of(node->b, function);
	if (!increment)
		return true;
	dph_d_error(front(c), D_AGG_FUNC, increment->place,
		    "'%s' with a call stack as a key has no increment: the host counts by 1",
		    node->b->text);
	return false;
}

/* Numbers of all uses have as many words. Returns false: the error is said. */
static bool widths_agree(const struct counting *c, const struct d_node *node,
			 const struct dph_format_aggregation *there)
{
	const unsigned word_bytes = front(c)->program->target.word_bytes;
	const struct d_node *key = node->a->list;
	for (size_t i = 0; i < there->key_count; i++, key = key->next)
		if (dph_format_key_words(&there->keys[i], word_bytes) !=
		    dph_format_key_words(&c->keys[i], word_bytes)) {
			dph_d_error(front(c), D_KEY_TYPE, key->place,
				    "this key has another width where it is used first; cast it to "
				    "uint64_t in both places");
			return false;
		}
	return true;
}

void dph_d_count_by_host(struct d_record *record, struct d_node *node,
			 struct dph_format_aggregation *made,
			 const struct dph_format_aggregation *there, uint32_t index)
{
	struct dph_pool *pool = record->check->d->pool;
	struct counting c = {.record = record,
			     .keys = dph_pool_take(pool, (DP_MAP_KEYS_MAX + 1) * sizeof(*c.keys)),
			     .words = made->function >= DPH_AGGREGATE_quantize, /* the bucket */
			     .field_count = 1};
	struct d_node *value = node->b->list;
	if (!can_count(&c, node, made->function) ||
	    (value && (!dph_d_check_aggregated(record->check, value, made) ||
		       !dph_d_check_scale(record->check, value, made->function, made->scale))))
		return;
	for (struct d_node *key = node->a->list; key; key = key->next)
		if (!take_key(&c, key))
			return;
	made->map = DPH_FORMAT_NO_MAP;
	made->keys = c.keys;
	made->key_count = c.key_count;
	if (there &&
	    (!dph_d_uses_agree(record->check, node, there, made) || !widths_agree(&c, node, there)))
		return;
	if (value) {
		c.fields[c.field_count++] = dph_d_record_value(record, value);
		keep(&c, 'v');
	}
	if (!there)
		index = dph_d_add_aggregation(record->check->d->formats, made);
	c.fields[0] = dph_d_record_aggregation(record, index);
	dph_d_record_action(record, DPH_ACTION_COUNT,
			    dph_pool_copy(pool, c.letters, strlen(c.letters)), c.fields,
			    c.field_count);
}
